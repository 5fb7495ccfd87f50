// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A request as it arrived at a ``StubServer`` or a ``MockServer``, with its body.
public struct RecordedRequest: Sendable {
    /// How many came before it.
    public let index: Int
    /// The method, the target and the header fields.
    public let head: HTTPRequest
    /// The whole body.
    public let body: Data
    /// How the request was to be carried, without the call it belongs to; `nil` at a server, which sees only what is on
    /// the wire.
    public let options: TransportOptions?
    /// What stood in the places of a route's or rule's pattern: for `/users/{id}`, the segment under `id`.
    public internal(set) var parameters: [String: String]
    /// How it came over the wire of a ``MockServer``; `nil` elsewhere.
    public internal(set) var arrival: Arrival?

    /// How a request came over the wire.
    public struct Arrival: Sendable, Hashable {
        /// The connection, counted from 0 in the order in which they were accepted.
        public let connection: Int
        /// Whether the connection is one of TLS.
        public let isSecure: Bool
        /// The protocol: `http/1.1` or `h2`.
        public let protocolName: String
        /// The fields behind the body; empty where none came.
        public var trailers = HTTPFields()
        /// Whether the whole request had come when its answer began.
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

    /// The path without its query, as it was sent.
    public var path: String { Target(head.path ?? "/").path }

    /// The query's items in their order, unescaped as a form's.
    public var query: [(name: String, value: String)] {
        Target(head.path ?? "/").query.map { FormURLEncoded.parse($0).map { ($0.name, $0.value) } } ?? []
    }

    /// The whole URL as text.
    public var url: String { head.urlString }

    /// The URL as errors show it: of its query the names alone, as what they stand for may be a key.
    package var shownURL: String {
        let shown = ShownURL.withoutQuery(url)
        guard shown.hasSuffix("?…"), let query = Target(head.path ?? "/").query else { return shown }
        let items = query.split(separator: "&").map { item in
            item.firstIndex(of: "=").map { "\(item[..<$0])=…" } ?? "…"
        }
        return "\(shown.dropLast())\(items.joined(separator: "&"))"
    }

    /// The method and the URL as errors show them.
    package var shown: String { "\(method.rawValue) \(shownURL)" }

    /// The body as text in UTF-8, what is not UTF-8 replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header field.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: Its value, several joined by a comma; `nil` where it was not sent.
    public func header(_ name: HTTPField.Name) -> String? { head.headerFields[name] }

    /// Decodes the body.
    ///
    /// - Parameter type: What the JSON stands for.
    /// - Returns: The value.
    /// - Throws: `DecodingError`.
    public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }
}
