// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The reason why a TLS handshake failed: the cause in ``TransportError/underlying``.
public struct TLSError: Error, Sendable, CustomStringConvertible {
    /// A reason for a failed handshake.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// A certificate has expired.
        case expired
        /// A certificate is not valid yet.
        case notYetValid
        /// The certificate is for other hosts.
        case wrongHost
        /// The issuer is not trusted.
        case unknownIssuer
        /// The certificate is self-signed and not trusted.
        case selfSigned
        /// The server did not send its issuer's certificate, and its own names a URL from which to get it.
        case missingIntermediate
        /// The issuer has revoked a certificate; only Apple platforms report this.
        case revoked
        /// The certificate may not be used for servers.
        case wrongUsage
        /// A key is too short to be safe.
        case weakKey
        /// A certificate is signed with SHA-1, which can be forged.
        case weakSignature
        /// None of the pinned keys is in the chain.
        case notPinned
        /// The caller's ``TLSEvaluation`` rejected the server.
        case refused
        /// The client and the server support no common TLS version.
        case noCommonVersion
        /// The server requires a client certificate.
        case clientCertificateRequired
        /// The server rejected the client's certificate.
        case clientCertificateRefused
        /// The peer closed the connection during the handshake, or does not support TLS.
        case brokenByPeer
        /// Any other reason.
        case other
    }

    /// The reason.
    public let reason: Reason
    /// The error of the TLS library or of the caller's ``TLSEvaluation``, if any.
    public let cause: (any Error)?

    package init(_ reason: Reason, cause: (any Error)? = nil) {
        self.reason = reason
        self.cause = cause
    }

    /// The reason, and the cause if there is one.
    public var description: String { cause.map { "\(reason.rawValue): \($0)" } ?? reason.rawValue }
}

extension TransportError {
    /// The reason why TLS failed; `nil` for other errors.
    public var tlsFailure: TLSError.Reason? { (underlying as? TLSError)?.reason }
}
