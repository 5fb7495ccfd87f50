// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A description of a WebSocket to connect to.
///
/// ```swift
/// struct ChatSocket: WebSocketRouter {
///     var baseURLString: String { "wss://api.example.com" }
///     var path: String { "/chat" }
///     var queryParams: [String: String]? { ["room": "general"] }
///     var protocols: [String] { ["chat.v1"] }
/// }
/// ```
/// The router is read again for each attempt to connect, so computed values may differ between attempts.
public protocol WebSocketRouter: Sendable {
    /// The type of the query parameters.
    associatedtype QueryParameters: Codable = EmptyParameters

    /// The base URL, with the scheme `ws` or `wss`.
    ///
    /// If it is empty, which is the default, the client's base URL is used, with `ws` for `http` and `wss` for
    /// `https`.
    var baseURLString: String { get }
    /// The path below the base URL, which cannot change the host. Default: empty.
    var path: String { get }
    /// True if ``path`` is already percent-encoded, so that `%2F` is kept. Default: `false`.
    var pathIsPercentEncoded: Bool { get }
    /// The header fields, which override the client's. Default: none.
    var headers: [String: String]? { get }
    /// The query parameters. Default: none.
    var queryParams: QueryParameters? { get }
    /// The API version, inserted as a path segment before ``path``. Default: none.
    var version: APIVersion? { get }
    /// The subprotocols to offer, in order of preference. Default: none.
    var protocols: [String] { get }
}

extension WebSocketRouter {
    /// An empty string, which selects the client's base URL.
    public var baseURLString: String { "" }
    /// An empty path.
    public var path: String { "" }
    /// `false`: the path is plain text and is percent-encoded.
    public var pathIsPercentEncoded: Bool { false }
    /// No header fields.
    public var headers: [String: String]? { nil }
    /// No query.
    public var queryParams: QueryParameters? { nil }
    /// No version.
    public var version: APIVersion? { nil }
    /// No subprotocols.
    public var protocols: [String] { [] }
}
