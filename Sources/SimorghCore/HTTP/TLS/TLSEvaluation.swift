// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The user's own judge of a server's certificates.
///
/// Two are equal when one is a copy of the other: make one for a client and keep it, since a connection is shared only by
/// requests with equal options.
public struct TLSEvaluation: Sendable, Hashable {
    private final class Identity: Sendable {
        let number = UInt64.random(in: .min ... .max)
    }

    private let identity = Identity()
    /// Tells judges apart, also from those of before, which are no more.
    package var number: UInt64 { identity.number }
    package let evaluate: @Sendable (TLSPeer) throws -> Void
    /// Whether it is all the verification there is.
    package let replacesVerification: Bool

    private init(replacesVerification: Bool, _ evaluate: @escaping @Sendable (TLSPeer) throws -> Void) {
        self.replacesVerification = replacesVerification
        self.evaluate = evaluate
    }

    /// A judge who can only refuse: asked when the chain, the name and the pins have been found right.
    ///
    /// - Parameter evaluate: Throws to refuse. It runs off the event loops and may block, but not for longer than
    ///   ``Timeouts/tls``.
    /// - Returns: The judge.
    public static func afterVerification(_ evaluate: @escaping @Sendable (TLSPeer) throws -> Void) -> TLSEvaluation {
        TLSEvaluation(replacesVerification: false, evaluate)
    }

    /// A judge in place of the verification: neither chain nor name nor date is looked at by anybody else.
    ///
    /// Whoever is between you and the server can read and change everything unless the closure knows better. Pins still
    /// hold, for the server's own certificate. To trust a private authority use ``TLSOptions/trust`` instead.
    ///
    /// - Parameter evaluate: Throws to refuse. It runs off the event loops and may block, but not for longer than
    ///   ``Timeouts/tls``.
    /// - Returns: The judge.
    public static func unsafeInsteadOfVerification(
        _ evaluate: @escaping @Sendable (TLSPeer) throws -> Void
    ) -> TLSEvaluation {
        TLSEvaluation(replacesVerification: true, evaluate)
    }

    /// Whether one is a copy of the other.
    public static func == (left: TLSEvaluation, right: TLSEvaluation) -> Bool { left.identity === right.identity }

    /// Feeds the identity into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

/// What a server shows of itself in a TLS handshake.
public struct TLSPeer: Sendable, Hashable {
    /// The name or address that it is to be.
    public let host: String
    /// Its certificates in DER, its own first: the verified chain up to the root, or what it sent where nothing is verified.
    public let certificates: [Data]

    package init(host: String, certificates: [Data]) {
        self.host = host
        self.certificates = certificates
    }
}
