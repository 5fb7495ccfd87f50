// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghSupport

/// A response whose body is in memory; decoders read it and errors carry it.
public struct CollectedResponse: Sendable {
    /// The status code, such as 200.
    public var statusCode: Int
    /// The header fields.
    public var headers: HTTPFields
    /// The body; in an error, at most ``APIClient/Configuration/maximumErrorBodyBytes`` bytes of it.
    public var body: Data
    /// A Boolean value that indicates whether the response had more bytes than ``body`` holds.
    public var isBodyTruncated = false
    /// The number of attempts made on the wire.
    public var attempts: Int
    /// The time that each phase took.
    public var timings: ExchangeTimings
    /// The connection that carried the response; `nil` if none did.
    public var connection: ConnectionInfo?
    /// The redirects that led to this response, in order.
    public var redirects: [Redirection]
    /// The part that the client's cache played; `nil` if the client has no cache.
    public var cacheReport: CacheReport?
    /// The head of the request that the call began with, before any redirect.
    public let requestHead: HTTPRequest
    /// The codecs of the call; `nil` for JSON alone.
    package var codecs: BodyCodecs?

    /// The method of the request that was answered: after redirects, that of the last one.
    public var method: String { redirects.last?.method ?? requestHead.method.rawValue }

    /// The URL that answered: after redirects, the last one.
    public var url: String { redirects.last?.to ?? requestHead.urlString }

    /// The first 512 bytes of the body as text, for messages to people.
    public var bodySnippet: String {
        let text = String(decoding: body.prefix(512), as: UTF8.self)
        return body.count > 512 || isBodyTruncated ? text + "…" : text
    }

    /// Returns the value of a header field, its lines joined by commas.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: The value; `nil` if the response has no such field.
    public func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    /// Decodes the body by the codecs of the call, by default as JSON, regardless of the status.
    ///
    /// - Parameters:
    ///   - type: The model, for example an API's error.
    ///   - decoder: The decoder for JSON.
    /// - Returns: The model.
    /// - Throws: ``ResponseDecodingError``.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        do {
            return try model(type, using: decoder)
        } catch {
            throw ResponseDecodingError(error, type: type, response: self)
        }
    }

    package func model<Model: Decodable>(_ type: Model.Type, using decoder: JSONDecoder) throws -> Model {
        guard let codec else { return try decoder.decode(type, from: body) }
        return try codec.decode(type, from: body, json: decoder)
    }

    /// The codec for the body, by its last `Content-Type` field; `nil` if the call has JSON alone.
    package var codec: BodyCodec? { codecs.map { $0.codec(for: headers[values: .contentType].last) ?? $0.first } }

    /// Throws a decoding error if the body is in the format of another codec, for code that reads JSON only.
    package func requireJSON() throws {
        guard let type = headers[values: .contentType].last, codecs?.codec(for: type)?.isJSON == false else { return }
        throw DecodingError.dataCorrupted(
            .init(codingPath: [], debugDescription: "A key path needs JSON, and the body is \(type)."))
    }

    /// Decodes the body as text, regardless of the status.
    ///
    /// The encoding is that of a byte order mark, else the `charset` of `Content-Type`, else UTF-8. Supported are
    /// UTF-8, UTF-16 and every single-byte encoding of the WHATWG standard. As in browsers, Latin-1 and ASCII are
    /// read as Windows-1252.
    ///
    /// - Returns: The text, without a byte order mark; an empty body is an empty text.
    /// - Throws: ``ResponseDecodingError`` for another `charset`, such as Shift_JIS or GBK, and for bytes that are invalid
    ///   in the encoding.
    public func string() throws -> String {
        // If there are several fields the last counts, as in browsers; if they were joined, the charset ends at the
        // comma.
        let type = headers[values: .contentType].last ?? ""
        let charset = FieldParameters.read(Array(type.utf8)).first { $0.name == "charset" }?.value ?? []
        let label = String(decoding: charset.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
        guard let encoding = label.isEmpty ? TextEncoding.utf8 : TextEncoding(label: label) else {
            throw undecodable("The charset \"\(label)\" of the response is unknown.")
        }
        do throws(TextEncoding.UndecodableError) {
            return try encoding.decode(body)
        } catch {
            throw undecodable(error.description)
        }
    }

    private func undecodable(_ message: String) -> ResponseDecodingError {
        let context = DecodingError.Context(codingPath: [], debugDescription: message)
        return ResponseDecodingError(DecodingError.dataCorrupted(context), type: String.self, response: self)
    }
}

extension CollectedResponse: CustomStringConvertible {
    /// One line: the status, the size of the body, and the request without its query.
    ///
    /// Header fields are left out because they may hold credentials.
    public var description: String {
        let size = "\(isBodyTruncated ? "more than " : "")\(body.count) bytes"
        return "\(statusCode) with \(size) for \(method) \(RedactedURL.withoutQuery(url))"
    }
}

extension CollectedResponse {
    // Calls the memberwise initializer for the reason given in TransportResponse.
    package init(
        _ response: TransportResponse, body: Data, to request: HTTPRequest, codecs: BodyCodecs? = nil
    ) {
        self.init(
            statusCode: response.head.status.code, headers: response.head.headerFields, body: body,
            isBodyTruncated: response.isBodyTruncated, attempts: response.attempts, timings: response.timings,
            connection: response.connection, redirects: response.redirects, cacheReport: response.cacheReport,
            requestHead: request, codecs: codecs)
    }
}
