// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The checks of a certificate chain that every transport makes in the same way.
extension TLSOptions {
    /// Checks the public keys of a chain against the pins that apply to a host.
    ///
    /// - Parameters:
    ///   - host: The name or address that the server must have.
    ///   - chain: The certificates in DER, the server's own first; verified, unless ``evaluation`` replaces that.
    ///   - now: The time, for pins that expire.
    /// - Throws: `TransportError` with the reason `notPinned` if pins are not satisfied.
    package func checkPins(of host: String, chain: [[UInt8]], at now: Date = Date()) throws(TransportError) {
        let binding = pins.filter { $0.bind(host, at: now) }
        guard !binding.isEmpty else { return }
        // Without verification, only the server's own certificate counts: a server can send any other certificates.
        let trusted = evaluation?.replacesVerification == true ? Array(chain.prefix(1)) : chain
        let keys = trusted.compactMap { DERReader.publicKeyInfo(of: $0) }
        let own = trusted.first.flatMap { DERReader.publicKeyInfo(of: $0) }
        for pins in binding where !pins.accept(server: own, chain: keys) {
            throw TransportError(
                .serverCertificateUntrusted, phase: .tls,
                message: pins.appliesToServerKeyOnly
                    ? "the server key of \(host) does not match any pinned key"
                    : "none of the keys pinned for \(pins.host) is in the chain of \(host)",
                requestMayHaveBeenSent: false, underlying: TLSError(.notPinned))
        }
    }

    /// Runs the caller's evaluation, which may block.
    ///
    /// - Parameters:
    ///   - host: The name or address that the server must have.
    ///   - chain: The certificates in DER, the server's own first.
    /// - Throws: `TransportError` with the reason `refused` if the evaluation rejects the server.
    package func evaluate(_ host: String, chain: [[UInt8]]) throws(TransportError) {
        guard let evaluation else { return }
        do {
            try evaluation.evaluate(TLSPeer(host: host, certificates: chain.map { Data($0) }))
        } catch {
            throw .refused(host, by: error)
        }
    }
}

extension TLSOptions {
    /// Returns the root certificates of ``trust`` and ``additionalRoots``; blocks while it reads files.
    ///
    /// - Returns: The roots.
    /// - Throws: `TLSOptionsError` if a file or a certificate cannot be read.
    package func readRoots() throws(TLSOptionsError) -> TrustedRoots {
        var roots = TrustedRoots()
        var sources = additionalRoots.map { PEMSource.text($0) }
        switch trust {
        case .system: break
        case .systemAnd(let more): sources += more
        case .only(let more):
            sources += more
            roots.includesSystem = false
        }
        for source in sources {
            guard let found = PEMCertificates.certificates(in: try PEMText.read(source, describedAs: "a root")) else {
                throw TLSOptionsError(.certificate, message: "a root is not a certificate in PEM (\(source))")
            }
            roots.certificates += found
        }
        return roots
    }
}

extension TransportError {
    /// Creates the error for a server that the caller's evaluation has rejected.
    package static func refused(_ host: String, by error: any Error) -> TransportError {
        TransportError(
            .serverCertificateUntrusted, phase: .tls, message: "the certificate of \(host) was rejected: \(error)",
            requestMayHaveBeenSent: false, underlying: TLSError(.refused, cause: error))
    }
}

extension SystemTrustError {
    /// The codes and reasons by `OSStatus`: those of a verified chain, and of the handshake (`SecureTransport.h`).
    ///
    /// https://developer.apple.com/documentation/security/security-framework-result-codes
    private static let known: [Int: (TransportError.Code, TLSError.Reason)] = [
        -67_818: (.serverCertificateHasBadDate, .expired),
        -67_819: (.serverCertificateNotYetValid, .notYetValid),
        -67_602: (.serverCertificateUntrusted, .wrongHost),
        -67_843: (.serverCertificateHasUnknownRoot, .unknownIssuer),
        -25_318: (.serverCertificateHasUnknownRoot, .unknownIssuer),
        -67_820: (.serverCertificateUntrusted, .revoked),
        -67_609: (.serverCertificateUntrusted, .wrongUsage),
        -9807: (.serverCertificateUntrusted, .other),
        -9812: (.serverCertificateHasUnknownRoot, .unknownIssuer),
        -9813: (.serverCertificateHasUnknownRoot, .unknownIssuer),
        -9814: (.serverCertificateHasBadDate, .expired),
        -9815: (.serverCertificateNotYetValid, .notYetValid),
        -9843: (.serverCertificateUntrusted, .wrongHost),
    ]

    /// True if the status has a known reason.
    package var isKnown: Bool { Self.known[status] != nil }

    /// Returns the error of a request to a host.
    package func transportError(for host: String) -> TransportError {
        let (code, reason) = Self.known[status] ?? (.serverCertificateUntrusted, .other)
        return TransportError(
            code, phase: .tls, message: "the system does not trust the certificate of \(host): \(self)",
            requestMayHaveBeenSent: false, underlying: TLSError(reason, cause: self))
    }
}
