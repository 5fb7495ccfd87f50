// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Turns an `Encodable` model into the items of a query or a form, in the order in which it encodes itself.
///
/// A model in a model is `a[b]`, a list `a[]`, and a list of models `a[0][b]`, because only the number says which
/// values belong together. What is `nil` is left out; a dictionary comes sorted by its keys.
package struct QueryEncoder: Sendable {
    /// How many models may stand in one another; more is an error and not the end of the stack.
    package static let maximumDepth = 32

    package var options: QueryEncoding

    package init(options: QueryEncoding = QueryEncoding()) { self.options = options }

    /// The items of a model.
    ///
    /// - Parameter value: The model, which encodes as an object.
    /// - Returns: The items, as plain text.
    /// - Throws: ``InvalidRequest`` with the path to what cannot be encoded.
    package func encode(_ value: any Encodable) throws(InvalidRequest) -> [QueryItem] {
        let sink = Sink(options: options)
        do {
            try QueryFields(sink: sink, name: "", valueName: "", codingPath: [], depth: 0).encode(value)
        } catch let error as InvalidRequest {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            throw Self.refusal(context.debugDescription, at: context.codingPath)
        } catch {
            throw InvalidRequest(.encodingFailed, "the model could not be encoded: \(error)")
        }
        if let failure = sink.failure { throw failure }
        return sink.items
    }

    static func refusal(_ message: String, at path: [any CodingKey]) -> InvalidRequest {
        let place = path.isEmpty ? "the model" : "“\(path.map(\.stringValue).joined(separator: "."))”"
        return InvalidRequest(.encodingFailed, "\(place) cannot be a field of a query or a form: \(message)")
    }
}

extension QueryEncoder {
    /// Where the items of one encoding gather; it never leaves the call that made it.
    final class Sink {
        let options: QueryEncoding
        var items: [QueryItem] = []
        /// The first fault in a place that cannot throw.
        var failure: InvalidRequest?

        init(options: QueryEncoding) { self.options = options }
    }
}
