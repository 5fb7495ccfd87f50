// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghSupport

/// A response whose body is in memory: what decoders are given, and what an error carries.
public struct CollectedResponse: Sendable {
    /// The status code, such as 200.
    public var statusCode: Int
    /// The header fields.
    public var headers: HTTPFields
    /// The body; in an error, at most what ``APIClient/Configuration/maximumErrorBodyBytes`` allows.
    public var body: Data
    /// Whether the body went on after ``body``.
    public var isBodyTruncated = false
    /// How many attempts were made on the wire.
    public var attempts: Int
    /// How long each phase took.
    public var timings: ExchangeTimings
    /// The connection it came over, where there was one.
    public var connection: ConnectionInfo?
    /// The redirects that were followed to it, in their order.
    public var redirects: [Redirection]
    /// What the client's cache did for it; `nil` where there is none.
    public var cacheReport: CacheReport?
    /// The head of the request that the call began with, before any redirect.
    public let requestHead: HTTPRequest

    /// The method of the request that was answered, which is the last one where redirects were followed.
    public var method: String { redirects.last?.method ?? requestHead.method.rawValue }

    /// The URL that answered, which is the last one where redirects were followed.
    public var url: String { redirects.last?.to ?? requestHead.urlString }

    /// The first 512 bytes of the body as text, for a message to a person.
    public var bodySnippet: String {
        let text = String(decoding: body.prefix(512), as: UTF8.self)
        return body.count > 512 || isBodyTruncated ? text + "…" : text
    }

    /// The value of a header field, its lines joined by commas; `nil` where there is none.
    ///
    /// - Parameter name: The field's name, in any case.
    /// - Returns: The value.
    public func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    /// Decodes the body as JSON, whatever the status: an error's own model, say.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - decoder: The decoder.
    /// - Returns: The model.
    /// - Throws: ``DecodingFailure``.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        do {
            return try decoder.decode(type, from: body)
        } catch {
            throw DecodingFailure(error, type: type, response: self)
        }
    }

    /// Decodes the body as text, whatever the status.
    ///
    /// A byte order mark tells the encoding, else the `charset` of `Content-Type`, else it is UTF-8. Known are UTF-8, UTF-16
    /// and every encoding of the WHATWG standard with one byte for each character. As in browsers, Latin-1 and ASCII are read
    /// as Windows-1252.
    ///
    /// - Returns: The text, without a byte order mark; an empty body is an empty text.
    /// - Throws: ``DecodingFailure`` for another `charset`, such as Shift_JIS or GBK, and for bytes that are not of the
    ///   encoding.
    public func string() throws -> String {
        // Of several fields the last counts, as in browsers; where they were joined, the charset ends at the comma.
        let type = headers[values: .contentType].last ?? ""
        let charset = FieldParameters.read(Array(type.utf8)).first { $0.name == "charset" }?.value ?? []
        let label = String(decoding: charset.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
        guard let encoding = label.isEmpty ? TextEncoding.utf8 : TextEncoding(label: label) else {
            throw undecodable("The charset \"\(label)\" of the response is unknown.")
        }
        do throws(TextEncoding.Undecodable) {
            return try encoding.decode(body)
        } catch {
            throw undecodable(error.description)
        }
    }

    private func undecodable(_ message: String) -> DecodingFailure {
        let context = DecodingError.Context(codingPath: [], debugDescription: message)
        return DecodingFailure(DecodingError.dataCorrupted(context), type: String.self, response: self)
    }
}

extension CollectedResponse: CustomStringConvertible {
    /// One line: the status, the size of the body, and the request, its query hidden; no header fields, as they may hold
    /// credentials.
    public var description: String {
        let size = "\(isBodyTruncated ? "more than " : "")\(body.count) bytes"
        return "\(statusCode) with \(size) for \(method) \(ShownURL.withoutQuery(url))"
    }
}

extension CollectedResponse {
    // By the memberwise initializer, for the reason in TransportResponse.
    package init(_ response: TransportResponse, body: Data, to request: HTTPRequest) {
        self.init(
            statusCode: response.head.status.code, headers: response.head.headerFields, body: body,
            isBodyTruncated: response.isBodyTruncated, attempts: response.attempts, timings: response.timings,
            connection: response.connection, redirects: response.redirects, cacheReport: response.cacheReport,
            requestHead: request)
    }
}
