// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension TransportRequest {
    /// Makes a request part of the same call as another: what steps noted of that one holds for this one, too.
    ///
    /// - Parameter other: The request of the call.
    package mutating func join(_ other: TransportRequest) {
        if options.call !== other.options.call { settle(as: other) }
        options.call = other.options.call
        options.scope = other.options.scope
        options.progress = other.options.progress
        options.informational = other.options.informational
        options.cacheOnly = other.options.cacheOnly
        options.allowsAuthentication = options.allowsAuthentication && other.options.allowsAuthentication
        let notes = other.options.userInfo
        guard !notes.isEmpty else { return }
        options.userInfo[RedirectTrail.self] = notes[RedirectTrail.self]
        options.userInfo[CredentialFields.self].formUnion(notes[CredentialFields.self])
        options.userInfo[SecretQueryItems.self].formUnion(notes[SecretQueryItems.self])
    }

    /// Takes over how the other is carried, where this one does not say: who makes a request anew must not lose the pins,
    /// the proxy or the limits of its client by that.
    private mutating func settle(as other: TransportRequest) {
        let (plain, theirs) = (TransportOptions(), other.options)
        if options.tls == plain.tls {
            options.tls = head.origin == other.head.origin ? theirs.tls : theirs.tls.forAnotherOrigin
        }
        if options.route == plain.route { options.route = theirs.route }
        if options.httpVersion == plain.httpVersion { options.httpVersion = theirs.httpVersion }
        if options.limits == plain.limits { options.limits = theirs.limits }
        if options.timeouts == plain.timeouts { options.timeouts = theirs.timeouts }
        if options.delivery == plain.delivery {
            options.delivery = theirs.delivery
            options.errorBodyBytes = theirs.errorBodyBytes
        }
        if options.continueTimeout == nil { options.continueTimeout = theirs.continueTimeout }
        if !theirs.decompresses { options.decompresses = false }
    }

    /// The request as part of the same call as another, where it was made anew.
    package func joined(_ other: TransportRequest) -> TransportRequest {
        guard let call = other.options.call, options.call !== call else { return self }
        var joined = self
        joined.join(other)
        return joined
    }
}

extension Interceptor {
    /// The same step, whose requests are its call's own also where it makes them anew.
    ///
    /// Without their call nobody would count them, hold them to its time or know where its credentials may go.
    package var inCall: Interceptor {
        Interceptor { [handle] request, next in
            try await handle(request) { made in
                try await next(made.joined(request))
            }
        }
    }
}
