// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A request that a ``StubServer`` or a ``MockServer`` received, with its body.
public struct RecordedRequest: Sendable {
    /// The number of requests before it.
    public let index: Int
    /// The method, the target and the header fields.
    public let head: HTTPRequest
    /// The complete body.
    public let body: Data
    /// The transport options of the request, without the call that it belongs to; `nil` at a ``MockServer``, which sees
    /// only the bytes on the wire.
    public let options: TransportOptions?
    /// The segments that matched the placeholders of the route or rule: for `/users/{id}`, the segment under `id`.
    public internal(set) var parameters: [String: String]
    /// The connection and protocol of a request to a ``MockServer``; `nil` elsewhere.
    public internal(set) var arrival: Arrival?

    /// The connection and protocol that a request arrived on.
    public struct Arrival: Sendable, Hashable {
        /// The number of the connection, counted from 0 in the order of acceptance.
        public let connection: Int
        /// True if the connection uses TLS.
        public let isSecure: Bool
        /// The protocol: `http/1.1` or `h2`.
        public let protocolName: String
        /// The trailers; empty if none were sent.
        public var trailers = HTTPFields()
        /// True if the whole request had arrived when the response began.
        public var isComplete = false
    }

    package init(
        index: Int,
        head: HTTPRequest,
        body: Data,
        options: TransportOptions? = nil,
        parameters: [String: String] = [:]
    ) {
        self.index = index
        self.head = head
        self.body = body
        self.options = options
        self.parameters = parameters
    }

    /// The method.
    public var method: HTTPRequest.Method { head.method }

    /// The path without its query, in its encoded form.
    public var path: String { Target(head.path ?? "/").path }

    /// The query items in order, form-decoded.
    public var query: [(name: String, value: String)] {
        Target(head.path ?? "/").query.map { FormURLEncoded.parse($0).map { ($0.name, $0.value) } } ?? []
    }

    /// The whole URL as text.
    public var url: String { head.urlString }

    /// The URL for error messages.
    ///
    /// Of its query only the names are shown, because a value may be a key.
    package var shownURL: String {
        let shown = RedactedURL.withoutQuery(url)
        guard shown.hasSuffix("?…"), let query = Target(head.path ?? "/").query else { return shown }
        let items = query.split(separator: "&").map { item in
            item.firstIndex(of: "=").map { "\(item[..<$0])=…" } ?? "…"
        }
        return "\(shown.dropLast())\(items.joined(separator: "&"))"
    }

    /// The method and the URL for error messages.
    package var shown: String { "\(method.rawValue) \(shownURL)" }

    /// The body as UTF-8 text, with invalid bytes replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the value of a header field.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: Its value, several joined by a comma; `nil` if it was not sent.
    public func header(_ name: HTTPField.Name) -> String? { head.headerFields[name] }

    /// Decodes the JSON body.
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: The value.
    /// - Throws: `DecodingError`.
    public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}
