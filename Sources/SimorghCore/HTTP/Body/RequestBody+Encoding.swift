// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension RequestBody {
    /// The media type of a form (WHATWG URL, section 5).
    private static let formType = "application/x-www-form-urlencoded"

    /// Creates a body of a value, encoded by the first codec of the call: by default JSON.
    ///
    /// - Parameter encodable: The value.
    public init(encodable: any Encodable & Sendable) {
        self = .json(encodable)
        content = .encodable(encodable, .first)
    }

    /// Creates a body of a value, encoded by the call's codec for the media type, as a form, or else as JSON.
    ///
    /// - Parameters:
    ///   - encodable: The value.
    ///   - contentType: The media type to send; `application/x-www-form-urlencoded` encodes the value as a form.
    public init(encodable: any Encodable & Sendable, contentType: String) {
        let essence = contentType.prefix { $0 != ";" }.lowercased()
        let isForm = essence.filter { $0 != " " } == Self.formType
        self.init(
            content: .encodable(encodable, isForm ? .form : .named),
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
    ///   - codecs: The codecs; `nil` for JSON alone.
    ///   - mediaType: The media type of a body that names none; `nil` for that of the first codec.
    /// - Returns: A body that can be sent, with its media type.
    /// - Throws: ``InvalidRequestError`` with the path to the value that cannot be encoded.
    package func encoded(
        with encoder: JSONEncoder, query: QueryEncoding = QueryEncoding(), codecs: BodyCodecs? = nil,
        as mediaType: String? = nil
    ) throws(InvalidRequestError) -> RequestBody {
        guard !isEncoded else { return self }
        var encoded = try bytes(with: encoder, query: query, codecs: codecs, as: mediaType)
        encoded.coding = coding
        encoded.trailers = trailers
        return encoded
    }

    private func bytes(
        with encoder: JSONEncoder, query: QueryEncoding, codecs: BodyCodecs?, as mediaType: String?
    ) throws(InvalidRequestError) -> RequestBody {
        switch content {
        case .empty, .bytes, .chunks: return self
        case .pieces(let pieces):
            var encoded: [RequestBody] = []
            for piece in pieces {
                var part = try piece.encoded(with: encoder, query: query, codecs: codecs)
                // The part of a form whose head lacks the media type.
                if piece.isUnnamed, let type = part.contentType, let bytes = part.bytes {
                    part = .bytes(Data("Content-Type: \(type)\r\n\r\n".utf8) + bytes)
                }
                encoded.append(part)
            }
            return .joined(encoded, contentType: contentType)
        case .encodable(let value, .json):
            return .bytes(try Self.json(of: value, with: encoder), contentType: contentType)
        case .encodable(let value, .form):
            let items = try QueryEncoder(options: query).encode(value)
            return .bytes(Data(items.encoded.utf8), contentType: contentType)
        case .encodable(let value, _) where isUnnamed:
            return try .value(value, as: mediaType, with: encoder, codecs: codecs)
        case .encodable(let value, _):
            var body = try RequestBody.value(
                value, as: contentType ?? BodyCodec.jsonType, with: encoder, codecs: codecs)
            body.contentType = contentType
            return body
        }
    }

    /// True if the first codec of the call decides about the media type.
    var isUnnamed: Bool {
        guard case .encodable(_, .first) = content else { return false }
        return contentType == BodyCodec.jsonType
    }

    /// Encodes a value by the codec for a media type, else as JSON; without a media type by the first codec.
    static func value(
        _ value: any Encodable, as mediaType: String?, with encoder: JSONEncoder, codecs: BodyCodecs?
    ) throws(InvalidRequestError) -> RequestBody {
        let codec = (mediaType == nil ? codecs?.first : codecs?.codec(for: mediaType)) ?? .json
        let type = mediaType ?? codec.mediaTypes[0]
        return .bytes(try codec.encode(value, as: type, json: encoder), contentType: type)
    }

    package static func json(of value: any Encodable, with encoder: JSONEncoder) throws(InvalidRequestError) -> Data {
        try encoding(as: "JSON") { try encoder.encode(value) }
    }

    /// Encodes a value, and adds the format and the path to an error.
    static func encoding(as format: String, _ encode: () throws -> Data) throws(InvalidRequestError) -> Data {
        do {
            return try encode()
        } catch let error as InvalidRequestError {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw InvalidRequestError(
                .encodingFailed,
                message: "\(path.isEmpty ? "the body" : "“\(path)” of the body") cannot be encoded as \(format): "
                    + context.debugDescription
            )
        } catch {
            throw InvalidRequestError(.encodingFailed, message: "the body could not be encoded as \(format): \(error)")
        }
    }
}
