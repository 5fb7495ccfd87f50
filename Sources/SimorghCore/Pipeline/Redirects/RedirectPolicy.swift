// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// Whether and how redirects are followed (RFC 9110, section 15.4).
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com")
/// let strict = client.with { $0.redirects.limit = 3 }
/// let never = client.with { $0.redirects = .none }
/// ```
/// 301, 302, 303, 307 and 308 with a `Location` are followed; 300, 304, 305 and 306 never are. A POST becomes a GET at 301
/// and 302, whatever is no HEAD at 303; the body and the fields about it go then. 307 and 308 keep both, and a body that can
/// be sent only once fails the call.
///
/// To another origin (scheme, host and port) no credential goes along: `Authorization`, `Proxy-Authorization`, `Cookie`, the
/// usual names of keys and tokens (`X-API-Key` and the like), what ``APIClient/Configuration`` was told to attach as a
/// credential, and ``sensitiveHeaders``. It does not come back at a later redirect to the first origin.
public struct RedirectPolicy: Sendable {
    /// How many redirects one call may follow; 20 by default.
    ///
    /// One more fails with ``TransportError/Code/httpTooManyRedirects``. There is no other test for a loop: a server may well answer the same request in another way the next time.
    public var limit = 20
    /// Whether `https` may lead to `http`; `false` by default.
    public var allowsDowngrade = false
    /// Names of header fields, in any case, that no other origin may see besides those that never go; none by default.
    public var sensitiveHeaders: Set<String> = []
    /// Asked before a redirect is followed, once it has passed all of the above; `nil`, the default, follows.
    ///
    /// What it throws fails the call.
    public var decide: (@Sendable (RedirectProposal) async throws -> RedirectDecision)?
    package private(set) var follows = true

    /// Creates the default policy.
    public init() {}

    /// Follows up to 20 redirects: the default.
    public static let follow = RedirectPolicy()

    /// Follows nothing: the answer of the server is the answer of the call, a 3xx with its `Location`.
    public static let none: RedirectPolicy = {
        var policy = RedirectPolicy()
        policy.follows = false
        return policy
    }()

    /// Follows where a function says so.
    ///
    /// - Parameter decide: The function.
    /// - Returns: The policy.
    public static func custom(
        _ decide: @escaping @Sendable (RedirectProposal) async throws -> RedirectDecision
    ) -> RedirectPolicy {
        var policy = RedirectPolicy()
        policy.decide = decide
        return policy
    }
}

/// A redirect that could be followed.
public struct RedirectProposal: Sendable {
    /// The head of the answer that asks for it.
    public let response: HTTPResponse
    /// From where to where.
    public let redirection: Redirection
    /// Whether it leads to another scheme, host or port.
    public let isCrossOrigin: Bool
    /// The redirects that this call has followed before.
    public let history: [Redirection]
    /// The request that would be sent next, without what must not go along; without the cookies of a store, which are
    /// added later.
    public let request: TransportRequest
}

/// What becomes of a redirect.
public enum RedirectDecision: Sendable {
    /// The proposed request is sent.
    case follow
    /// Another request is sent. What stands in it is sent, credentials too.
    case change(TransportRequest)
    /// The redirect is the answer of the call.
    case stop
}
