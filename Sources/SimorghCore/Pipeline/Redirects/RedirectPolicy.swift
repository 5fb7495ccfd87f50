// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// Rules for following redirects (RFC 9110, section 15.4).
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com")
/// let strict = client.with { $0.redirects.limit = 3 }
/// let never = client.with { $0.redirects = .none }
/// ```
/// Responses 301, 302, 303, 307 and 308 with a `Location` are followed; 300, 304, 305 and 306 are not. A POST becomes a
/// GET at 301 and 302, and every method except HEAD does at 303; the body and its header fields are dropped then. 307 and
/// 308 keep the method and the body; so do 301 and 302 for all methods except POST, as RFC 10008 requires of QUERY. A
/// body that can be sent only once fails the call.
///
/// A redirect to another origin (scheme, host and port) drops all credentials: `Authorization`, `Proxy-Authorization`,
/// `Cookie`, the usual names of keys and tokens (`X-API-Key` and the like), the fields that ``APIClient/Configuration``
/// adds as credentials, ``sensitiveHeaders``, and idempotency keys. A later redirect to the first origin does not restore
/// them.
///
/// It also drops conditions (`If-None-Match` and the like, but not `*`), and a `Range` that depends on one; a write is not
/// sent there without its condition, but fails. The same host over `https` instead of `http` gets them, and the parts of a
/// download keep the `If-Range` of the version that redirects led to. Within an origin conditions stay, unless a write becomes a GET: an origin knows its
/// own versions, and RFC 9110 removes only conditions that a cache added, as this client does.
public struct RedirectPolicy: Sendable {
    /// The maximum number of redirects of a call.
    ///
    /// Default: 20.
    ///
    /// One more fails with ``TransportError/Code/httpTooManyRedirects``. There is no other check for loops, since a
    /// server may respond differently to the same request the next time.
    public var limit = 20
    /// True if a redirect may lead from `https` to `http`.
    ///
    /// Default: false.
    public var allowsDowngrade = false
    /// Names of further header fields to drop at a redirect to another origin; case does not matter.
    ///
    /// Default: empty.
    public var sensitiveHeaders: Set<String> = []
    /// Called before a redirect is followed, after all checks above; `nil` follows.
    ///
    /// Default: `nil`.
    ///
    /// An error that it throws fails the call.
    public var decide: (@Sendable (RedirectProposal) async throws -> RedirectDecision)?
    package private(set) var follows = true
    /// True if the conditions refer to what an earlier redirect to another origin led to, as those of a download do.
    package var keepsConditions = false

    /// Creates the default policy.
    public init() {}

    /// A policy that follows up to 20 redirects: the default.
    public static let follow = RedirectPolicy()

    /// A policy that follows no redirect: a 3xx response with its `Location` is the result of the call.
    public static let none: RedirectPolicy = {
        var policy = RedirectPolicy()
        policy.follows = false
        return policy
    }()

    /// Returns a policy that asks a function about each redirect.
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
    /// The head of the redirect response.
    public let response: HTTPResponse
    /// The old and the new URL.
    public let redirection: Redirection
    /// True if the redirect leads to another scheme, host or port.
    public let isCrossOrigin: Bool
    /// The redirects that this call has followed before.
    public let history: [Redirection]
    /// The request to send next, without dropped fields, and without the cookies of a store, which are added later.
    public let request: TransportRequest
}

/// A decision about a redirect.
public enum RedirectDecision: Sendable {
    /// Send the proposed request.
    case follow
    /// Send another request as it is, including any credentials in it.
    case change(TransportRequest)
    /// Return the redirect as the result of the call.
    case stop
}
