// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// Credentials for requests: ``APIClient/Configuration/authentication``.
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com").with {
///     $0.authentication = .basic(username: "zal", password: "feather")
/// }
/// ```
/// Credentials are sent only to the origin of the client's base URL, unless ``limited(to:)`` or ``everywhere()``
/// changes that. A client without a base URL sends them with all its requests. A redirect never sends them to another
/// origin; only a signature is made anew, if ``limited(to:)`` lists each origin of the redirects. A request that sets
/// the header field itself keeps its own value, and ``APIClient/Configuration/allowsAuthentication`` turns credentials
/// off for one call. No description, mirror, log or error shows them.
public struct Authentication: Sendable {
    /// The scope of the credentials: the origins that may receive them.
    package enum OriginScope: Sendable, Hashable {
        /// The origin of the client's base URL; every origin if the client has no base URL.
        case base
        case origins(Set<WebOrigin>)
        case everywhere
    }

    /// The authentication scheme, for descriptions.
    private let name: String
    private var scope = OriginScope.base
    /// True if a credential is valid for one request only, so that each attempt needs its own.
    package let isPerAttempt: Bool
    /// True if the credential has a date and covers the URL.
    ///
    /// It is made after all waits, just before the request is sent, and anew for a redirect between origins of
    /// ``limited(to:)``.
    package let isSignature: Bool
    private let makeStep: @Sendable () -> Interceptor
    /// Returns the owner of the credentials, if they reveal it.
    ///
    /// The value may be hashed and stored.
    package let owner: (@Sendable () -> String)?

    package init(
        _ name: String, isPerAttempt: Bool = false, isSignature: Bool = false,
        owner: (@Sendable () -> String)? = nil, makeStep: @escaping @Sendable () -> Interceptor
    ) {
        self.name = name
        self.isPerAttempt = isPerAttempt
        self.isSignature = isSignature
        self.owner = owner
        self.makeStep = makeStep
    }

    /// Returns the same credentials, limited to the given origins.
    ///
    /// - Parameter origins: URLs such as `https://api.example.com`. Everything after the host and port is ignored. An
    ///   invalid URL allows no origin.
    /// - Returns: The authentication.
    public func limited(to origins: [String]) -> Authentication {
        var copy = self
        copy.scope = .origins(Set(origins.compactMap { WebOrigin($0) }))
        return copy
    }

    /// Returns the same credentials without a limit to origins; a redirect still does not send them to another origin.
    ///
    /// - Returns: The authentication.
    public func everywhere() -> Authentication {
        var copy = self
        copy.scope = .everywhere
        return copy
    }

    /// Returns the step that adds the credentials, and skips requests to origins that may not receive them.
    ///
    /// - Returns: The step.
    package func step() -> Interceptor {
        let step = makeStep()
        let (scope, isPerAttempt, isSignature) = (scope, isPerAttempt, isSignature)
        return Interceptor { request, next in
            let (isInScope, mayBeRedirected) =
                switch scope {
                case .everywhere: (true, !isPerAttempt)
                case .origins(let origins):
                    (
                        origins.contains { $0.isOrigin(of: request.head) },
                        // Each server on the way chose the next URL, so the program must have listed all of them.
                        !isPerAttempt || isSignature && request.wasRedirected(onlyBy: origins)
                    )
                case .base: (request.isForBase, !isPerAttempt)
                }
            guard isInScope, request.options.allowsAuthentication, mayBeRedirected || !request.wasCrossOriginRedirected
            else {
                return try await next(request)
            }
            return try await step.handle(request, next)
        }
    }
}

extension Interceptor {
    /// Returns the step that adds the credentials of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration with the credentials.
    ///   - isPerAttempt: True for the step below the cache and the retries, which adds credentials that are valid for
    ///     one request only.
    ///   - isSignature: True for the step below all waits, which adds signatures.
    /// - Returns: The step; `nil` if there are no credentials of this kind.
    static func authentication(
        _ configuration: APIClient.Configuration, isPerAttempt: Bool, isSignature: Bool = false
    ) -> Interceptor? {
        configuration.credentials.flatMap {
            $0.isPerAttempt == isPerAttempt && $0.isSignature == isSignature ? $0.step() : nil
        }
    }
}

extension APIClient.Configuration {
    /// The credentials for requests; `nil` if there are no credentials, or they are turned off.
    var credentials: Authentication? { allowsAuthentication ? authentication : nil }

    /// True if credentials are added below the caches, so that the caches cannot use them to separate users.
    package var addsCredentialsBelowCache: Bool { credentials?.isPerAttempt == true }
}

extension Authentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the scheme, without the credential.
    public var description: String { name }

    /// The name of the scheme, without the credential.
    public var debugDescription: String { name }

    /// An empty mirror, so that dumping a value does not reveal the credential.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TransportRequest {
    /// True if the request goes to the origin of its client's base URL, or if the client has no base URL.
    package var isForBase: Bool {
        switch options.call?.base {
        case nil, .anywhere: true
        case .origin(let origin): origin?.isOrigin(of: head) ?? false
        }
    }

    /// Returns true if all redirects that led to this request came from some origins.
    fileprivate func wasRedirected(onlyBy origins: Set<WebOrigin>) -> Bool {
        options.userInfo[RedirectTrail.self].allSatisfy { WebOrigin($0).map(origins.contains) ?? false }
    }

    /// True if a redirect led to this request from another origin, or through one.
    fileprivate var wasCrossOriginRedirected: Bool {
        let trail = options.userInfo[RedirectTrail.self]
        guard !trail.isEmpty else { return false }
        guard let origin = WebOrigin(head) else { return true }
        return !trail.allSatisfy { WebOrigin($0) == origin }
    }
}

extension TransportResponse {
    /// Returns true if the request's own origin responded, without a redirect to another origin.
    ///
    /// Only then does the response refer to the credentials of the request.
    package func isFromOrigin(of head: HTTPRequest) -> Bool {
        guard !wasRetriedCrossOrigin else { return false }
        guard !redirects.isEmpty else { return true }
        guard let origin = WebOrigin(head) else { return false }
        return redirects.allSatisfy { WebOrigin($0.to) == origin }
    }
}
