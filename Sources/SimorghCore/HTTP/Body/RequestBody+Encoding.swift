// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension RequestBody {
    /// The media type of a form (WHATWG URL, section 5).
    private static let formType = "application/x-www-form-urlencoded"

    /// Creates a body of a value, encoded as JSON by the call's encoder, or as a form if the media type says so.
    ///
    /// - Parameters:
    ///   - encodable: The value.
    ///   - contentType: The media type to send; `application/x-www-form-urlencoded` encodes the value as a form.
    public init(encodable: any Encodable & Sendable, contentType: String = "application/json") {
        let essence = contentType.prefix { $0 != ";" }.lowercased()
        let isForm = essence.filter { $0 != " " } == Self.formType
        self.init(
            content: .encodable(encodable, isForm ? .form : .json),
            contentType: contentType,
            length: nil,
            replayability: .seekable
        )
    }

    /// Creates a body of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The media type.
    public init(data: Data, contentType: String) {
        self = .bytes(data, contentType: contentType)
    }

    /// Creates a form whose fields are sorted by name.
    ///
    /// - Parameter parameters: Names and values, as plain text.
    public init(formURLEncoded parameters: [String: String]) {
        let items = parameters.sorted { $0.key < $1.key }.map { QueryItem(name: $0.key, value: $0.value) }
        self = .form(fields: items)
    }

    /// Creates a form of fields in the given order.
    ///
    /// - Parameter fields: The fields, as plain text.
    /// - Returns: The body.
    public static func form(fields: [QueryItem]) -> RequestBody {
        .bytes(Data(fields.encoded.utf8), contentType: formType)
    }

    /// Returns the body with `Encodable` values encoded as bytes; any other body unchanged.
    ///
    /// - Parameters:
    ///   - encoder: The encoder for JSON.
    ///   - query: The options for encoding the values of a form.
    /// - Returns: A body that can be sent, with the same media type.
    /// - Throws: ``InvalidRequestError`` with the path to the value that cannot be encoded.
    package func encoded(
        with encoder: JSONEncoder, query: QueryEncoding = QueryEncoding()
    ) throws(InvalidRequestError) -> RequestBody {
        guard !isEncoded else { return self }
        var encoded = try bytes(with: encoder, query: query)
        encoded.coding = coding
        encoded.trailers = trailers
        return encoded
    }

    private func bytes(
        with encoder: JSONEncoder, query: QueryEncoding
    ) throws(InvalidRequestError) -> RequestBody {
        switch content {
        case .empty, .bytes, .chunks: return self
        case .pieces(let pieces):
            var encoded: [RequestBody] = []
            for piece in pieces { encoded.append(try piece.encoded(with: encoder, query: query)) }
            return .joined(encoded, contentType: contentType)
        case .encodable(let value, .json):
            return .bytes(try Self.json(of: value, with: encoder), contentType: contentType)
        case .encodable(let value, .form):
            let items = try QueryEncoder(options: query).encode(value)
            return .bytes(Data(items.encoded.utf8), contentType: contentType)
        }
    }

    package static func json(of value: any Encodable, with encoder: JSONEncoder) throws(InvalidRequestError) -> Data {
        do {
            return try encoder.encode(value)
        } catch let error as InvalidRequestError {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw InvalidRequestError(
                .encodingFailed,
                message: "\(path.isEmpty ? "the body" : "“\(path)” of the body") cannot be encoded as JSON: "
                    + context.debugDescription
            )
        } catch {
            throw InvalidRequestError(.encodingFailed, message: "the body could not be encoded as JSON: \(error)")
        }
    }
}
