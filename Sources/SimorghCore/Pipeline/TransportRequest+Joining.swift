// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension TransportRequest {
    /// Makes this request part of another request's call: the state that steps stored in the other applies to this one,
    /// too.
    ///
    /// - Parameter other: The request of the call.
    package mutating func join(_ other: TransportRequest) {
        if options.call !== other.options.call { inheritOptions(from: other) }
        options.call = other.options.call
        options.scope = other.options.scope
        options.progress = other.options.progress
        options.informational = other.options.informational
        options.cacheOnly = other.options.cacheOnly
        options.allowsAuthentication = options.allowsAuthentication && other.options.allowsAuthentication
        let userInfo = other.options.userInfo
        guard !userInfo.isEmpty else { return }
        // Other modules store conditions here: without its own a write would be unconditional.
        options.userInfo.fill(from: userInfo)
        options.userInfo[RedirectTrail.self] = userInfo[RedirectTrail.self]
        options.userInfo[CredentialFields.self].formUnion(userInfo[CredentialFields.self])
        options.userInfo[SecretQueryItems.self].formUnion(userInfo[SecretQueryItems.self])
    }

    /// Copies each transport option of the other request that this one leaves at its default.
    ///
    /// An interceptor that builds a new request must not lose the pins, the proxy or the limits of its client.
    private mutating func inheritOptions(from other: TransportRequest) {
        let (defaults, inherited) = (TransportOptions(), other.options)
        if options.tls == defaults.tls {
            options.tls = head.origin == other.head.origin ? inherited.tls : inherited.tls.forAnotherOrigin
        }
        if options.route == defaults.route { options.route = inherited.route }
        if options.access == defaults.access { options.access = inherited.access }
        if options.httpVersion == defaults.httpVersion { options.httpVersion = inherited.httpVersion }
        if options.limits == defaults.limits { options.limits = inherited.limits }
        if options.timeouts == defaults.timeouts { options.timeouts = inherited.timeouts }
        if options.delivery == defaults.delivery {
            options.delivery = inherited.delivery
            options.errorBodyBytes = inherited.errorBodyBytes
        }
        if options.continueTimeout == nil { options.continueTimeout = inherited.continueTimeout }
        if !inherited.decompresses { options.decompresses = false }
    }

    /// Returns this request as part of the other request's call, if an interceptor built it anew.
    package func joined(_ other: TransportRequest) -> TransportRequest {
        guard let call = other.options.call, options.call !== call else { return self }
        var joined = self
        joined.join(other)
        return joined
    }
}

extension Interceptor {
    /// The same step, but requests that it builds anew stay part of their call.
    ///
    /// Without their call these requests would not be counted, limited by its deadline, or checked before credentials
    /// are sent.
    package var inCall: Interceptor {
        Interceptor { [handle] request, next in
            try await handle(request) { built in
                try await next(built.joined(request))
            }
        }
    }
}
