// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An endpoint as a value: what to reach, and with what.
///
/// Every member has a default, so an empty struct conforms.
/// ```swift
/// struct SearchUsers: NetworkRouter {
///     struct Query: Codable { let q: String; let limit: Int }
///     var path: String { "/users/search" }
///     var queryParams: Query? { Query(q: "alice", limit: 20) }
/// }
/// ```
/// `GET`, `HEAD` and `DELETE` send ``queryParams`` and no ``params``; the others send both, the parameters as JSON, or as a
/// form where ``headers`` has a `Content-Type` of `application/x-www-form-urlencoded` or `multipart/form-data`.
public protocol NetworkRouter: Sendable {
    /// The body's model.
    associatedtype Parameters: Codable = EmptyParameters
    /// The query's model.
    associatedtype QueryParameters: Codable = EmptyParameters

    /// The base URL; the client's where it is empty, which is the default.
    var baseURLString: String { get }
    /// The path below the base URL; it can never leave the base's host. Empty by default.
    var path: String { get }
    /// Whether ``path`` is percent-encoded already, so that `%2F` stays; `false` by default.
    var pathIsPercentEncoded: Bool { get }
    /// The method; `GET` by default.
    var method: RequestMethod? { get }
    /// Header fields; they win over the client's. None by default.
    var headers: [String: String]? { get }
    /// The body's parameters; none by default.
    var params: Parameters? { get }
    /// The query's parameters; none by default.
    var queryParams: QueryParameters? { get }
    /// A version of the API, inserted as a segment before the path; none by default.
    var version: APIVersion? { get }
    /// Encodes ``params``; the client's encoder where it is `nil`, which is the default.
    var jsonEncoder: JSONEncoder? { get }
}

extension NetworkRouter {
    /// The client's base URL.
    public var baseURLString: String { "" }
    /// Nothing below the base URL.
    public var path: String { "" }
    /// The path is text, to be escaped.
    public var pathIsPercentEncoded: Bool { false }
    /// `GET`.
    public var method: RequestMethod? { nil }
    /// No fields.
    public var headers: [String: String]? { nil }
    /// No parameters.
    public var params: Parameters? { nil }
    /// No query.
    public var queryParams: QueryParameters? { nil }
    /// No version.
    public var version: APIVersion? { nil }
    /// The client's encoder.
    public var jsonEncoder: JSONEncoder? { nil }
}
