// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// What a request asks of the server (RFC 9110, section 9, and PATCH of RFC 5789).
public enum RequestMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// Asks for a representation.
    case get
    /// Asks for the head that a GET would get.
    case head
    /// Hands content over to be processed.
    case post
    /// Replaces what is at the target.
    case put
    /// Removes what is at the target.
    case delete
    /// Asks a proxy for a tunnel.
    case connect
    /// Asks what can be done with the target.
    case options
    /// Asks for the request as it arrived.
    case trace
    /// Changes a part of what is at the target.
    case patch
    /// Any other; a token of RFC 9110, whose letters are not folded: `GET` and `get` are two.
    case custom(String)

    /// The method with this name, one of the known ones where the name is theirs.
    ///
    /// - Parameter rawValue: The name, as the request line has it.
    public init(rawValue: String) {
        self = Self.known[rawValue] ?? .custom(rawValue)
    }

    private static let known: [String: RequestMethod] = {
        let methods: [RequestMethod] = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch]
        return Dictionary(uniqueKeysWithValues: methods.map { ($0.rawValue, $0) })
    }()

    /// The name, as the request line has it.
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
        case .custom(let name): name
        }
    }

    /// Whether it asks for no change at the server; `false` for a custom one, of which nothing is known.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .post, .put, .delete, .connect, .patch: false
        case .custom(let name): Self.known[name]?.isSafe ?? false
        }
    }

    /// Whether sending it twice means the same as once; `false` for a custom one, of which nothing is known.
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete: true
        case .post, .connect, .patch: false
        case .custom(let name): Self.known[name]?.isIdempotent ?? false
        }
    }

    /// The name.
    public var description: String { rawValue }

    /// Whether both have the same name: `.custom("GET")` is `.get`.
    public static func == (left: RequestMethod, right: RequestMethod) -> Bool { left.rawValue == right.rawValue }

    /// Feeds the name into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The method of a request's head.
    ///
    /// - Returns: The method.
    /// - Throws: ``InvalidRequest`` when a custom one is not a token.
    package func httpMethod() throws(InvalidRequest) -> HTTPRequest.Method {
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
        case .custom(let name):
            guard let method = HTTPRequest.Method(name) else {
                throw InvalidRequest(
                    .invalidMethod, "\(String(reflecting: name)) is no method: its name must be a token")
            }
            return method
        }
    }
}
