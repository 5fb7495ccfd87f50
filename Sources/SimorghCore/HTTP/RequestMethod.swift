// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A request method (RFC 9110, section 9, PATCH of RFC 5789 and QUERY of RFC 10008).
public enum RequestMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// Retrieves a representation of the target.
    case get
    /// Retrieves the response head that a GET would return.
    case head
    /// Sends content to be processed.
    case post
    /// Replaces the target.
    case put
    /// Removes the target.
    case delete
    /// Opens a tunnel through a proxy.
    case connect
    /// Retrieves the options for communicating with the target.
    case options
    /// Retrieves the request as the server received it.
    case trace
    /// Changes a part of the target.
    case patch
    /// Asks the target to process the content as a query; safe and idempotent (RFC 10008).
    case query
    /// Any other method; its name is a case-sensitive token of RFC 9110: `GET` and `get` differ.
    case custom(String)

    /// Creates the method with this name; the matching case if the method is a known one.
    ///
    /// - Parameter rawValue: The name, as in the request line.
    public init(rawValue: String) {
        self = Self.known[rawValue] ?? .custom(rawValue)
    }

    private static let known: [String: RequestMethod] = {
        let methods: [RequestMethod] = [
            .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, .query,
        ]
        return Dictionary(uniqueKeysWithValues: methods.map { ($0.rawValue, $0) })
    }()

    /// The name, as in the request line.
    public var rawValue: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .connect: "CONNECT"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .patch: "PATCH"
        case .query: "QUERY"
        case .custom(let name): name
        }
    }

    /// A Boolean value that indicates whether the method requests no change at the server.
    ///
    /// `false` for unknown methods.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace, .query: true
        case .post, .put, .delete, .connect, .patch: false
        case .custom(let name): Self.known[name]?.isSafe ?? false
        }
    }

    /// A Boolean value that indicates whether sending the request twice has the effect of sending it once.
    ///
    /// `false` for unknown methods.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .query, .put, .delete: true
        case .post, .connect, .patch: false
        case .custom(let name): Self.known[name]?.isIdempotent ?? false
        }
    }

    /// The name.
    public var description: String { rawValue }

    /// Returns true if both have the same name: `.custom("GET")` equals `.get`.
    public static func == (left: RequestMethod, right: RequestMethod) -> Bool { left.rawValue == right.rawValue }

    /// Feeds the name into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Returns the method for a request head.
    ///
    /// - Returns: The method.
    /// - Throws: ``InvalidRequestError`` if the name of a custom method is not a token.
    package func httpMethod() throws(InvalidRequestError) -> HTTPRequest.Method {
        switch self {
        case .get: return .get
        case .head: return .head
        case .post: return .post
        case .put: return .put
        case .delete: return .delete
        case .connect: return .connect
        case .options: return .options
        case .trace: return .trace
        case .patch: return .patch
        case .query: return .query
        case .custom(let name):
            guard let method = HTTPRequest.Method(name) else {
                throw InvalidRequestError(
                    .invalidMethod, message: "\(String(reflecting: name)) is not a method: its name must be a token")
            }
            return method
        }
    }
}
