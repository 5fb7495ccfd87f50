// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL
import SimorghCore
import SimorghSupport

/// Why a certificate was not accepted, told from what stands in it.
///
/// BoringSSL keeps its reason to itself and tells the certificate; each of these is a fact of that certificate.
struct CertificateFault {
    /// What is wrong with a certificate that is good for itself.
    enum Objection {
        /// Its key is too short.
        case key
        /// It is signed with SHA-1.
        case signature
        /// It breaks a rule of the chain: for which names its issuers may speak, or which policies there must be.
        case rule
    }

    let code: TransportError.Code
    let reason: TLSFailure.Reason
    let message: String

    /// - Parameters:
    ///   - certificate: The one at which the verification stopped.
    ///   - isServers: Whether it is the server's own, not an issuer's.
    ///   - objection: What is wrong with it, where that is known.
    init(_ certificate: NIOSSLCertificate, isServers: Bool, objection: Objection?) {
        let whose =
            isServers
            ? "the server's certificate" : "the certificate of an issuer, \(Self.name(certificate.subjectName)),"
        let now = Int(Date().timeIntervalSince1970)
        let issuer = Self.name(certificate.issuerName)
        if let objection {
            code = .serverCertificateUntrusted
            switch objection {
            case .key: (reason, message) = (.weakKey, "\(whose) has an RSA key of fewer than 2048 bits")
            case .signature: (reason, message) = (.weakSignature, "\(whose) is signed with SHA-1")
            case .rule: (reason, message) = (.other, "\(whose) breaks a rule of its chain for names or policies")
            }
        } else if Int(certificate.notValidAfter) < now {
            (code, reason) = (.serverCertificateHasBadDate, .expired)
            message = "\(whose) has expired"
        } else if Int(certificate.notValidBefore) > now {
            (code, reason) = (.serverCertificateNotYetValid, .notYetValid)
            message = "\(whose) is not valid yet"
        } else if !Self.isForServers(certificate) {
            (code, reason) = (.serverCertificateUntrusted, .wrongUsage)
            message = "\(whose) is not for servers"
        } else if Self.namesItself(certificate) {
            code = .serverCertificateHasUnknownRoot
            reason = isServers ? .selfSigned : .unknownIssuer
            message =
                isServers
                ? "the server's certificate is signed by itself, and not trusted here"
                : "the server's certificate comes from \(issuer), which is not trusted here"
        } else {
            code = .serverCertificateHasUnknownRoot
            let isIncomplete = isServers && Self.tellsWhereItsIssuerIs(certificate)
            reason = isIncomplete ? .missingIntermediate : .unknownIssuer
            message =
                isIncomplete
                ? "the server did not send the certificate of its issuer, \(issuer), which is not known here"
                : "the server's certificate comes from \(issuer), which is not trusted here"
                    + (isServers ? ", and no certificate of that issuer was sent" : "")
        }
    }

    private static func namesItself(_ certificate: NIOSSLCertificate) -> Bool {
        let (subject, issuer) = (certificate.subjectName, certificate.issuerName)
        return subject.elementsEqual(issuer) { $0.value == $1.value }
    }

    private static func name(_ parts: [SSLCertificateName]) -> String {
        // The common name stands last, and a peer has written it.
        let text = parts.last?.value ?? ""
        let clean = String(
            text.unicodeScalars.prefix(64).map { $0.properties.generalCategory == .control ? "?" : Character($0) })
        return clean.isEmpty ? "an authority without a name" : "\"\(clean)\""
    }

    /// The extension for usages (2.5.29.37), and among usages the one of servers (1.3.6.1.5.5.7.3.1) and any (2.5.29.37.0).
    private static func isForServers(_ certificate: NIOSSLCertificate) -> Bool {
        guard let usages = value(of: "2.5.29.37", in: certificate) else { return true }
        let servers: [UInt8] = [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
        let any: [UInt8] = [0x06, 0x04, 0x55, 0x1D, 0x25, 0x00]
        return contains(usages, servers) || contains(usages, any)
    }

    /// Whether it has the place of its issuer's certificate (1.3.6.1.5.5.7.48.2 within 1.3.6.1.5.5.7.1.1).
    private static func tellsWhereItsIssuerIs(_ certificate: NIOSSLCertificate) -> Bool {
        let issuers: [UInt8] = [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02]
        return value(of: "1.3.6.1.5.5.7.1.1", in: certificate).map { contains($0, issuers) } ?? false
    }

    private static func value(of identifier: String, in certificate: NIOSSLCertificate) -> [UInt8]? {
        certificate._extensions.first { $0.objectIdentifier.description == identifier }.map { Array($0.data) }
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}
