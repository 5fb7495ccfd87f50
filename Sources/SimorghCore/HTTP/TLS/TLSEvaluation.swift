// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A caller's own check of a server's certificates.
///
/// Two values are equal if one is a copy of the other. Create one for a client and keep it, because a connection is
/// shared only by requests with equal options.
public struct TLSEvaluation: Sendable, Hashable {
    private final class Identity: Sendable {
        let number = UInt64.random(in: .min ... .max)
    }

    private let identity = Identity()
    /// A random number that identifies the evaluation, and is not reused after it was released.
    package var number: UInt64 { identity.number }
    package let evaluate: @Sendable (TLSPeer) throws -> Void
    /// True if it replaces the verification.
    package let replacesVerification: Bool

    private init(replacesVerification: Bool, _ evaluate: @escaping @Sendable (TLSPeer) throws -> Void) {
        self.replacesVerification = replacesVerification
        self.evaluate = evaluate
    }

    /// Creates a check that runs after chain, name and pins have been verified; it can only reject.
    ///
    /// - Parameter evaluate: Throws to reject the server. It runs off the event loops and may block, but not for
    ///   longer than ``Timeouts/tls``.
    /// - Returns: The evaluation.
    public static func afterVerification(_ evaluate: @escaping @Sendable (TLSPeer) throws -> Void) -> TLSEvaluation {
        TLSEvaluation(replacesVerification: false, evaluate)
    }

    /// Creates a check that replaces the verification: the chain, the name and the dates are not checked otherwise.
    ///
    /// Anyone between the client and the server can read and change everything unless the closure prevents it. Pins
    /// still apply, to the server's own certificate. To trust a private authority use ``TLSOptions/trust`` instead.
    ///
    /// - Parameter evaluate: Throws to reject the server. It runs off the event loops and may block, but not for
    ///   longer than ``Timeouts/tls``.
    /// - Returns: The evaluation.
    public static func unsafeInsteadOfVerification(
        _ evaluate: @escaping @Sendable (TLSPeer) throws -> Void
    ) -> TLSEvaluation {
        TLSEvaluation(replacesVerification: true, evaluate)
    }

    /// Returns true if one is a copy of the other.
    public static func == (left: TLSEvaluation, right: TLSEvaluation) -> Bool { left.identity === right.identity }

    /// Feeds the identity into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

/// The identity that a server presents in a TLS handshake.
public struct TLSPeer: Sendable, Hashable {
    /// The name or address that the server is expected to have.
    public let host: String
    /// The server's certificates in DER, its own first.
    ///
    /// They are the verified chain up to the root, or the certificates that the server sent if verification is
    /// replaced.
    public let certificates: [Data]

    package init(host: String, certificates: [Data]) {
        self.host = host
        self.certificates = certificates
    }
}
