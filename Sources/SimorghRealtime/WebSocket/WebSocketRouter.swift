// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A WebSocket to connect to, as a value.
///
/// ```swift
/// struct ChatSocket: WebSocketRouter {
///     var baseURLString: String { "wss://api.example.com" }
///     var path: String { "/chat" }
///     var queryParams: [String: String]? { ["room": "general"] }
///     var protocols: [String] { ["chat.v1"] }
/// }
/// ```
/// It is asked anew for each attempt to connect, so what it computes may change from one to the next.
public protocol WebSocketRouter: Sendable {
    /// The query's model.
    associatedtype QueryParameters: Codable = EmptyParameters

    /// The base URL, whose scheme is `ws` or `wss`; where it is empty, which is the default, the client's, with `ws` for
    /// `http` and `wss` for `https`.
    var baseURLString: String { get }
    /// The path below the base URL; it can never leave the base's host. Empty by default.
    var path: String { get }
    /// Whether ``path`` is percent-encoded already, so that `%2F` stays; `false` by default.
    var pathIsPercentEncoded: Bool { get }
    /// Header fields; they win over the client's. None by default.
    var headers: [String: String]? { get }
    /// The query's parameters; none by default.
    var queryParams: QueryParameters? { get }
    /// A version of the API, inserted as a segment before the path; none by default.
    var version: APIVersion? { get }
    /// The subprotocols that are offered, the best first; none by default.
    var protocols: [String] { get }
}

extension WebSocketRouter {
    /// The client's base URL.
    public var baseURLString: String { "" }
    /// Nothing below the base URL.
    public var path: String { "" }
    /// The path is text, to be escaped.
    public var pathIsPercentEncoded: Bool { false }
    /// No fields.
    public var headers: [String: String]? { nil }
    /// No query.
    public var queryParams: QueryParameters? { nil }
    /// No version.
    public var version: APIVersion? { nil }
    /// No subprotocols.
    public var protocols: [String] { [] }
}
