// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why a TLS handshake failed: the cause in ``TransportError/underlying``.
public struct TLSFailure: Error, Sendable, CustomStringConvertible {
    /// What was wrong.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// A certificate is over.
        case expired
        /// A certificate is not valid yet.
        case notYetValid
        /// The certificate is for other hosts.
        case wrongHost
        /// The authority is not trusted.
        case unknownIssuer
        /// The certificate is signed by itself, and not trusted.
        case selfSigned
        /// The server did not send the certificate of its issuer, and names a place to get it.
        case missingIntermediate
        /// The certificate is not for servers.
        case wrongUsage
        /// A key is too short to be safe.
        case weakKey
        /// A certificate is signed with SHA-1, which can be forged.
        case weakSignature
        /// None of the pinned keys is in the chain.
        case notPinned
        /// The user's own judge refused.
        case refused
        /// There is no version that both speak.
        case noCommonVersion
        /// The server wants a client's certificate.
        case clientCertificateRequired
        /// The server refused the client's certificate.
        case clientCertificateRefused
        /// The peer broke off, or does not speak TLS.
        case brokenByPeer
        /// None of the others.
        case other
    }

    /// What was wrong.
    public let reason: Reason
    /// The error of the layer below, or of the user's judge, where there is one.
    public let cause: (any Error)?

    package init(_ reason: Reason, _ cause: (any Error)? = nil) {
        self.reason = reason
        self.cause = cause
    }

    /// The reason, and the cause where there is one.
    public var description: String { cause.map { "\(reason.rawValue): \($0)" } ?? reason.rawValue }
}

extension TransportError {
    /// Why TLS failed, where it did.
    public var tlsFailure: TLSFailure.Reason? { (underlying as? TLSFailure)?.reason }
}
