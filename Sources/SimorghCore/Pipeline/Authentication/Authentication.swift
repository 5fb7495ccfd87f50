// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// How requests prove who sends them: ``APIClient/Configuration/authentication``.
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com").with {
///     $0.authentication = .basic(username: "zal", password: "feather")
/// }
/// ```
/// Credentials are for the origin of the client's base URL: a request to another one gets none, unless
/// ``limited(to:)`` or ``everywhere()`` says otherwise; a client without a base URL sends them wherever its requests
/// go. A redirect never takes them to another origin. A request that sets the field itself keeps its own, and
/// ``APIClient/Configuration/allowsAuthentication`` turns them off for one call. What the value is made of stays inside:
/// no description, mirror, log or error shows it.
public struct Authentication: Sendable {
    /// Where the credentials may go.
    package enum Reach: Sendable, Hashable {
        /// To the client's base URL, wherever that is.
        case base
        case origins(Set<WebOrigin>)
        case everywhere
    }

    /// The scheme, for descriptions.
    private let name: String
    private var reach = Reach.base
    /// Whether the credential is for one request alone, so that each attempt needs its own.
    package let isPerAttempt: Bool
    private let makeStep: @Sendable () -> Interceptor
    /// Tells whose the credentials are, where they show it: what may be hashed and kept.
    package let owner: (@Sendable () -> String)?

    package init(
        _ name: String, isPerAttempt: Bool = false, owner: (@Sendable () -> String)? = nil,
        _ makeStep: @escaping @Sendable () -> Interceptor
    ) {
        self.name = name
        self.isPerAttempt = isPerAttempt
        self.owner = owner
        self.makeStep = makeStep
    }

    /// The same credentials, sent to these origins and to no other.
    ///
    /// - Parameter origins: Each as a URL such as `https://api.example.com`; what follows the host and port does not
    ///   matter, and a text that is no URL allows nothing.
    /// - Returns: The authentication.
    public func limited(to origins: [String]) -> Authentication {
        var copy = self
        copy.reach = .origins(Set(origins.compactMap { WebOrigin($0) }))
        return copy
    }

    /// The same credentials, sent wherever a request goes; never along a redirect to another origin.
    ///
    /// - Returns: The authentication.
    public func everywhere() -> Authentication {
        var copy = self
        copy.reach = .everywhere
        return copy
    }

    /// The step, which leaves requests alone that go where the credentials may not.
    ///
    /// - Returns: The step.
    package func step() -> Interceptor {
        let step = makeStep()
        let (reach, isPerAttempt) = (reach, isPerAttempt)
        return Interceptor { request, next in
            let isMeant =
                switch reach {
                case .everywhere: true
                case .origins(let origins): origins.contains { $0.isOrigin(of: request.head) }
                case .base: request.isForBase
                }
            guard isMeant, request.options.allowsAuthentication, !isPerAttempt || !request.hasLeftOrigin else {
                return try await next(request)
            }
            return try await step.handle(request, next)
        }
    }
}

extension Interceptor {
    /// Gives requests the credentials of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: Has the credentials.
    ///   - isPerAttempt: True for the step below the cache and the retries, where a credential is for one request alone.
    /// - Returns: The step; `nil` if there are no credentials of this kind.
    static func authentication(_ configuration: APIClient.Configuration, isPerAttempt: Bool) -> Interceptor? {
        configuration.credentials.flatMap { $0.isPerAttempt == isPerAttempt ? $0.step() : nil }
    }
}

extension APIClient.Configuration {
    /// The credentials that requests get; `nil` if they get none.
    var credentials: Authentication? { allowsAuthentication ? authentication : nil }

    /// True if credentials are added below the caches, which then cannot tell two users' requests apart by them.
    package var isAnonymousAbove: Bool { credentials?.isPerAttempt == true }
}

extension Authentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme; never the credential.
    public var description: String { name }

    /// The scheme; never the credential.
    public var debugDescription: String { name }

    /// Nothing: what dumps a value shows no credential either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TransportRequest {
    /// Whether the request goes to the origin of its client's base URL; a client without one has no origin to hold to.
    package var isForBase: Bool {
        switch options.call?.base {
        case nil, .anywhere: true
        case .origin(let origin): origin?.isOrigin(of: head) ?? false
        }
    }

    /// Whether redirects led to it from another origin, or through one.
    fileprivate var hasLeftOrigin: Bool {
        let trail = options.userInfo[RedirectTrail.self]
        guard !trail.isEmpty else { return false }
        guard let origin = WebOrigin(head) else { return true }
        return !trail.allSatisfy { WebOrigin($0) == origin }
    }
}

extension TransportResponse {
    /// Whether the request's own origin answered, and no other on the way: only such an answer speaks of the credentials
    /// that the request was given.
    package func isFromOrigin(of head: HTTPRequest) -> Bool {
        guard !isFromElsewhere else { return false }
        guard !redirects.isEmpty else { return true }
        guard let origin = WebOrigin(head) else { return false }
        return redirects.allSatisfy { WebOrigin($0.to) == origin }
    }
}
