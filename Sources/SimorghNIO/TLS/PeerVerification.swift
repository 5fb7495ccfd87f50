// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOSSL
import SimorghCore
import SimorghSupport

/// What is found out of a server's certificates while TLS shakes hands, on the connection's loop.
///
/// BoringSSL verifies the chain; this looks on and may only refuse more: a certificate that is not for the host
/// (``ReferenceIdentifier``), a weak one, and one whose key is not pinned. It remembers what was seen for the error.
final class PeerVerification {
    let options: TLSOptions
    /// The name or address that the server is to be.
    let host: String
    /// As verified, the root first; as sent, the server's own first, where nothing is verified.
    private var seen: [NIOSSLCertificate] = []
    /// Where the verification stopped.
    private(set) var rejected: NIOSSLCertificate?
    private(set) var objection: CertificateFault.Objection?
    /// True if the handshake was ended because the server's own certificate is for other hosts.
    private(set) var isForOtherHost = false
    /// True once ``finish(_:)`` has found nothing wrong; no byte of a request leaves before.
    private(set) var hasPassed = false
    private var policies = CertificatePolicies()
    /// The time at which the server's certificates came: one round trip after the handshake began.
    private(set) var certificatesCame: NIODeadline?
    /// What the server chose, by its number in IANA's registry.
    var cipherSuite: UInt16?
    /// Who shakes hands; a proxy's TLS may be around the server's, so that the pipeline has two.
    weak var handler: NIOSSLClientHandler?

    init(_ options: TLSOptions, host: String) {
        self.options = options
        self.host = host
    }

    private var isReplaced: Bool { options.evaluation?.replacesVerification == true }

    /// The chain, the server's own certificate first.
    var chain: [NIOSSLCertificate] { isReplaced ? seen : seen.reversed() }

    /// Looks at one certificate of the chain; they come from the root to the server's own.
    func look(_ result: NIOSSLVerificationResult, _ certificate: NIOSSLCertificate) -> NIOSSLVerificationResult {
        if certificatesCame == nil { certificatesCame = .now() }
        guard case .certificateVerified = result else {
            // What was good for itself, and is refused later, breaks a rule of those above it.
            return refuse(certificate, seen.contains(certificate) ? .rule : nil)
        }
        if let found = objection(to: certificate) { return refuse(certificate, found) }
        // Ends the handshake before the client's own certificate is shown; finish(_:) asks again, however TLS got there.
        if certificate == handler?.peerCertificate, !isForHost(certificate) {
            isForOtherHost = true
            return refuse(certificate, nil)
        }
        seen.append(certificate)
        return .certificateVerified
    }

    private func refuse(
        _ certificate: NIOSSLCertificate, _ objection: CertificateFault.Objection?
    ) -> NIOSSLVerificationResult {
        (rejected, self.objection) = (certificate, objection)
        return .failed
    }

    private func objection(to certificate: NIOSSLCertificate) -> CertificateFault.Objection? {
        guard let bytes = try? certificate.toDERBytes() else { return .rule }
        if let key = PublicKeyInfo.bytes(in: bytes), PublicKeyInfo(key).isWeak { return .key }
        // The first is trusted for itself: how an authority signed its own certificate proves nothing.
        guard !seen.isEmpty else { return nil }
        if CertificateSignature(bytes).isWeak { return .signature }
        return policies.take(bytes) ? nil : .rule
    }

    /// The server's certificates as it sent them, where the user's own judge is the only one.
    func took(_ certificates: [NIOSSLCertificate]) {
        certificatesCame = .now()
        seen = certificates
    }

    /// Verifies what is left when the handshake is over: that the certificate is for the host, and the pins.
    ///
    /// - Parameter peer: The server's own certificate; without one the verification fails.
    /// - Throws: What is wrong with it.
    func finish(_ peer: NIOSSLCertificate?) throws(TransportError) {
        if seen.isEmpty, let peer { seen = [peer] }
        if !isReplaced {
            guard let peer, isForHost(peer) else { throw .wrongHost(host, peer) }
        }
        try checkPins()
        hasPassed = true
    }

    private func isForHost(_ certificate: NIOSSLCertificate) -> Bool {
        ReferenceIdentifier(host).matches(certificate.presentedIdentifiers)
    }

    private func checkPins() throws(TransportError) {
        guard !options.pins.isEmpty else { return }
        let now = Date()
        let binding = options.pins.filter { $0.bind(host, at: now) }
        guard !binding.isEmpty else { return }
        // Nobody has verified what a server sends beside its own certificate: anyone can send anyone's.
        let trusted = isReplaced ? Array(chain.prefix(1)) : chain
        let keys = trusted.compactMap { Self.key(of: $0) }
        let own = trusted.first.flatMap { Self.key(of: $0) }
        for pins in binding where !pins.accept(server: own, chain: keys) {
            throw TransportError(
                .serverCertificateUntrusted, phase: .tls,
                message: pins.bindsServerAlone
                    ? "the key of \(host) is none of those that are pinned"
                    : "none of the keys pinned for \(pins.host) is in the chain of \(host)",
                requestMayHaveBeenSent: false, underlying: TLSFailure(.notPinned))
        }
    }

    private static func key(of certificate: NIOSSLCertificate) -> [UInt8]? {
        (try? certificate.toDERBytes()).flatMap { PublicKeyInfo.bytes(in: $0) }
    }

    /// What is told of the connection; the chain is worked out only for who asks.
    func facts(_ negotiated: String?) -> TLSFacts {
        let chain = chain
        let version =
            switch handler?.tlsVersion {
            case .tlsv13: "TLSv1.3"
            case .tlsv12: "TLSv1.2"
            default: "TLS"
            }
        return TLSFacts(
            version: version, cipherSuite: cipherSuite.map(CipherSuiteReader.name), serverName: host,
            negotiatedProtocol: negotiated, hasClientIdentity: options.identity != nil
        ) {
            chain.compactMap { certificate in
                guard let bytes = try? certificate.toDERBytes(), let key = PublicKeyInfo.bytes(in: bytes) else {
                    return nil
                }
                return (bytes, key)
            }
        }
    }

    /// What the user's judge is shown.
    var peer: TLSPeer {
        TLSPeer(host: host, certificates: chain.compactMap { try? Data($0.toDERBytes()) })
    }
}

extension TransportError {
    /// The user's own judge of certificates said no.
    static func refused(_ host: String, by error: any Error) -> TransportError {
        TransportError(
            .serverCertificateUntrusted, phase: .tls, message: "the certificate of \(host) was refused: \(error)",
            requestMayHaveBeenSent: false, underlying: TLSFailure(.refused, error))
    }
}
