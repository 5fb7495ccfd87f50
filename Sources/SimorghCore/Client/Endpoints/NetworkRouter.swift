// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An endpoint as a value: its URL, method, header fields and parameters.
///
/// Every member has a default, so an empty struct conforms.
/// ```swift
/// struct SearchUsers: NetworkRouter {
///     struct Query: Codable { let q: String; let limit: Int }
///     var path: String { "/users/search" }
///     var queryParams: Query? { Query(q: "alice", limit: 20) }
/// }
/// ```
/// `GET`, `HEAD` and `DELETE` send ``queryParams`` but not ``params``. Other methods send both, with the parameters as
/// JSON or by another of the client's codecs, or as a form if ``headers`` has a `Content-Type` of
/// `application/x-www-form-urlencoded` or `multipart/form-data`.
public protocol NetworkRouter: Sendable {
    /// The body's model.
    associatedtype Parameters: Codable = EmptyParameters
    /// The query's model.
    associatedtype QueryParameters: Codable = EmptyParameters

    /// The base URL. Default: empty, the client's base URL.
    var baseURLString: String { get }
    /// The path below the base URL. It can never lead to another host than the base URL's. Default: empty.
    var path: String { get }
    /// True if ``path`` is already percent-encoded, so that `%2F` is kept. Default: false.
    var pathIsPercentEncoded: Bool { get }
    /// The method. Default: `GET`.
    var method: RequestMethod? { get }
    /// The header fields. They override the client's. Default: none.
    var headers: [String: String]? { get }
    /// The parameters of the body. Default: none.
    var params: Parameters? { get }
    /// The parameters of the query. Default: none.
    var queryParams: QueryParameters? { get }
    /// The version of the API, inserted as a segment before the path. Default: none.
    var version: APIVersion? { get }
    /// The encoder for ``params``. Default: `nil`, the client's encoder.
    var jsonEncoder: JSONEncoder? { get }
}

extension NetworkRouter {
    /// The client's base URL.
    public var baseURLString: String { "" }
    /// Empty: the base URL itself.
    public var path: String { "" }
    /// False: the path is plain text and gets percent-encoded.
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
