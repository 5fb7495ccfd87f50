// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import NIOPosix
package import NIOSSL
package import SimorghCore
package import SimorghSupport

/// The verification of a server's certificates during the TLS handshake, on the connection's loop.
///
/// BoringSSL verifies the chain. This class observes that and can only reject more: a certificate for other hosts
/// (``ReferenceIdentifier``), a weak one, and one whose key is not pinned. It stores the certificates for the error.
package final class PeerVerification {
    let options: TLSOptions
    /// The name or address that the certificate must be for.
    let host: String
    /// The certificates as verified, the root first; as sent, the server's own first, if nothing is verified.
    private var seen: [NIOSSLCertificate] = []
    /// The certificate at which the verification stopped.
    private(set) var rejected: NIOSSLCertificate?
    private(set) var objection: CertificateFault.Objection?
    /// The reason why the system did not trust the chain, on platforms where it verifies.
    package private(set) var systemError: TransportError?
    /// True if the handshake was ended because the server's own certificate is for other hosts.
    package private(set) var isForOtherHost = false
    /// True once ``finish(_:)`` has accepted the server; no byte of a request is sent before.
    private(set) var hasPassed = false
    private var policies = CertificatePolicies()
    /// The time at which the server's certificates arrived: one round trip after the handshake began.
    private(set) var certificatesReceivedAt: NIODeadline?
    /// The server's cipher suite, by its number in IANA's registry.
    var cipherSuite: UInt16?
    /// The handler of this TLS connection; with TLS to a proxy, the pipeline has two.
    weak var handler: NIOSSLClientHandler?

    package init(_ options: TLSOptions, host: String) {
        self.options = options
        self.host = host
    }

    private var isReplaced: Bool { options.evaluation?.replacesVerification == true }

    /// The chain, the server's own certificate first.
    var chain: [NIOSSLCertificate] { isReplaced ? seen : seen.reversed() }

    /// Checks one certificate of the chain; called from the root to the server's own.
    func check(_ result: NIOSSLVerificationResult, of certificate: NIOSSLCertificate) -> NIOSSLVerificationResult {
        if certificatesReceivedAt == nil { certificatesReceivedAt = .now() }
        guard case .certificateVerified = result else {
            // A certificate that was accepted and is rejected later violates a rule of its issuers.
            return refuse(certificate, objection: seen.contains(certificate) ? .rule : nil)
        }
        return take(certificate, isServers: certificate == handler?.peerCertificate)
    }

    private func take(_ certificate: NIOSSLCertificate, isServers: Bool) -> NIOSSLVerificationResult {
        if let found = objection(to: certificate) { return refuse(certificate, objection: found) }
        // Ends the handshake before the client certificate is sent; finish(_:) checks again in any case.
        if isServers, !isForHost(certificate) {
            isForOtherHost = true
            return refuse(certificate, objection: nil)
        }
        seen.append(certificate)
        return .certificateVerified
    }

    /// Lets the system verify the certificates that the server has sent, then checks the chain that it has built.
    ///
    /// - Parameters:
    ///   - certificates: The certificates, the server's own first.
    ///   - systemCheck: Verifies certificates in DER with the given roots, and returns the chain from the server's own
    ///     to the root; it runs off the event loop, since it blocks.
    ///   - promise: Receives the result on its event loop, which is that of the connection.
    package func verify(
        _ certificates: [NIOSSLCertificate],
        by systemCheck: @escaping @Sendable ([[UInt8]], TrustedRoots) throws -> [[UInt8]],
        promise: EventLoopPromise<NIOSSLVerificationResult>
    ) {
        certificatesReceivedAt = .now()
        let loop = promise.futureResult.eventLoop
        let verification = NIOLoopBound(self, eventLoop: loop)
        let sent = certificates.map { (try? $0.toDERBytes()) ?? [] }
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [options] in try systemCheck(sent, options.readRoots()) }
            .whenComplete { promise.succeed(verification.value.systemChecked($0, own: sent.first)) }
    }

    /// Checks the chain that the system has verified.
    ///
    /// The handshake proves the key of the server's own certificate. The system may ignore a certificate that it cannot
    /// read, and would then verify those behind it, which anyone can send: so the chain must begin with the server's own.
    ///
    /// - Parameters:
    ///   - result: The chain in DER, from the server's own certificate to the root.
    ///   - own: The server's own certificate in DER, as sent.
    /// - Returns: The result of the verification.
    private func systemChecked(
        _ result: Result<[[UInt8]], any Error>, own: [UInt8]?
    ) -> NIOSSLVerificationResult {
        do {
            let verified = try result.get()
            guard let own, verified.first == own else {
                throw SystemTrustError(status: 0, text: "the system did not verify the server's own certificate")
            }
            let chain = try verified.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            for (index, certificate) in chain.enumerated().reversed() {
                guard case .certificateVerified = take(certificate, isServers: index == 0) else { return .failed }
            }
            return .certificateVerified
        } catch {
            systemError =
                switch error {
                case let error as SystemTrustError: error.transportError(for: host)
                case let error as TLSOptionsError: TransportError(error)
                default: .refused(host, by: error)
                }
            return .failed
        }
    }

    private func refuse(
        _ certificate: NIOSSLCertificate, objection: CertificateFault.Objection?
    ) -> NIOSSLVerificationResult {
        (rejected, self.objection) = (certificate, objection)
        return .failed
    }

    private func objection(to certificate: NIOSSLCertificate) -> CertificateFault.Objection? {
        guard let bytes = try? certificate.toDERBytes() else { return .rule }
        if let key = DERReader.publicKeyInfo(of: bytes), PublicKeyInfo(key).isWeak { return .key }
        // The root is trusted by itself: the signature of an authority on its own certificate proves nothing.
        guard !seen.isEmpty else { return nil }
        if CertificateSignature(bytes).isWeak { return .signature }
        return policies.take(bytes) ? nil : .rule
    }

    /// Stores the server's certificates as sent, if the user's evaluation replaces the verification.
    func received(_ certificates: [NIOSSLCertificate]) {
        certificatesReceivedAt = .now()
        seen = certificates
    }

    /// Performs the final checks after the handshake: the host name and the pins.
    ///
    /// - Parameter peer: The server's own certificate; without one the verification fails.
    /// - Throws: `TransportError` if a check fails.
    package func finish(_ peer: NIOSSLCertificate?) throws(TransportError) {
        if seen.isEmpty, let peer { seen = [peer] }
        if !isReplaced {
            guard let peer, isForHost(peer) else { throw .wrongHost(host, certificate: peer) }
        }
        try checkPins()
        hasPassed = true
    }

    private func isForHost(_ certificate: NIOSSLCertificate) -> Bool {
        ReferenceIdentifier(host).matches(certificate.presentedIdentifiers)
    }

    private func checkPins() throws(TransportError) {
        guard !options.pins.isEmpty else { return }
        try options.checkPins(of: host, chain: chain.map { (try? $0.toDERBytes()) ?? [] })
    }

    /// Returns the TLS details of the connection; the chain is encoded only if it is read.
    func facts(_ negotiated: String?) -> TLSInfo {
        let chain = chain
        let version =
            switch handler?.tlsVersion {
            case .tlsv13: "TLSv1.3"
            case .tlsv12: "TLSv1.2"
            default: "TLS"
            }
        return TLSInfo(
            version: version, cipherSuite: cipherSuite.map(CipherSuiteReader.name), serverName: host,
            negotiatedProtocol: negotiated, hasClientIdentity: options.identity != nil
        ) {
            chain.compactMap { certificate in
                guard let bytes = try? certificate.toDERBytes(), let key = DERReader.publicKeyInfo(of: bytes) else {
                    return nil
                }
                return (bytes, key)
            }
        }
    }

    /// The certificates for the user's evaluation.
    var peer: TLSPeer {
        TLSPeer(host: host, certificates: chain.compactMap { try? Data($0.toDERBytes()) })
    }
}

/// The strength of a certificate's signature, judged by its digest.
///
/// BoringSSL rejects MD5 and older digests, but accepts SHA-1, with which certificates have been forged.
struct CertificateSignature {
    /// The object identifiers of RSA and ECDSA with SHA-1, 1.2.840.113549.1.1.5 and 1.2.840.10045.4.1, in DER.
    ///
    /// BoringSSL verifies no other signature with SHA-1.
    private static let sha1: [[UInt8]] = [
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05],
        [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01],
    ]

    let isWeak: Bool

    /// Reads a certificate in DER.
    ///
    /// An unreadable one does not count as weak, because BoringSSL has verified it.
    init(_ bytes: [UInt8]) {
        var outer = DERReader(bytes[...])
        guard var certificate = outer.enter(0x30), certificate.enter(0x30) != nil,
            let algorithm = certificate.enter(0x30)
        else {
            isWeak = false
            return
        }
        isWeak = Self.sha1.contains { algorithm.rest.starts(with: $0) }
    }
}
