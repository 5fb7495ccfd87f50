// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An encoder that turns an `Encodable` model into the items of a query or a form, in the model's own order.
///
/// A nested model is `a[b]`, an array `a[]`, and an array of models `a[0][b]`, because only the number shows which
/// values belong together. `nil` values are omitted; a dictionary is sorted by its keys.
package struct QueryEncoder: Sendable {
    /// The largest nesting depth of models; a deeper model is an error instead of a stack overflow.
    package static let maximumDepth = 32

    package var options: QueryEncoding

    package init(options: QueryEncoding = QueryEncoding()) { self.options = options }

    /// Encodes a model.
    ///
    /// - Parameter value: The model, which must encode as an object.
    /// - Returns: The items, as plain text.
    /// - Throws: ``InvalidRequestError`` with the path to the value that cannot be encoded.
    package func encode(_ value: any Encodable) throws(InvalidRequestError) -> [QueryItem] {
        let sink = Sink(options: options)
        do {
            try QueryFields(sink: sink, name: "", valueName: "", codingPath: [], depth: 0).encode(value)
        } catch let error as InvalidRequestError {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            throw Self.refusal(context.debugDescription, at: context.codingPath)
        } catch {
            throw InvalidRequestError(.encodingFailed, message: "the model could not be encoded: \(error)")
        }
        if let failure = sink.failure { throw failure }
        return sink.items
    }

    static func refusal(_ message: String, at path: [any CodingKey]) -> InvalidRequestError {
        let location = path.isEmpty ? "the model" : "“\(path.map(\.stringValue).joined(separator: "."))”"
        return InvalidRequestError(
            .encodingFailed, message: "\(location) cannot be encoded in a query or a form: \(message)")
    }
}

extension QueryEncoder {
    /// A collector for the items of one encoding; only the call that created it uses it.
    final class Sink {
        let options: QueryEncoding
        var items: [QueryItem] = []
        /// The first error in a function that cannot throw.
        var failure: InvalidRequestError?

        init(options: QueryEncoding) { self.options = options }
    }
}
