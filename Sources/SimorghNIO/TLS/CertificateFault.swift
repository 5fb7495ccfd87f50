// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL
import SimorghCore
import SimorghSupport

/// The reason why a certificate was rejected, derived from the certificate's contents.
///
/// BoringSSL reports the rejected certificate but not the reason; each reason here is a fact of that certificate.
struct CertificateFault {
    /// A fault of a certificate that BoringSSL accepts by itself.
    enum Objection {
        /// Its key is too short.
        case key
        /// It is signed with SHA-1.
        case signature
        /// It violates a rule of the chain: a name constraint of its issuers, or a required policy.
        case rule
    }

    let code: TransportError.Code
    let reason: TLSError.Reason
    let message: String

    /// Creates the fault of a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate at which the verification stopped.
    ///   - isServers: True for the server's own certificate, false for an issuer's.
    ///   - objection: The fault, if it is known.
    init(_ certificate: NIOSSLCertificate, isServers: Bool, objection: Objection?) {
        let subject =
            isServers
            ? "the server's certificate" : "the certificate of an issuer, \(Self.name(certificate.subjectName)),"
        let now = Int64(Date().timeIntervalSince1970)
        let issuer = Self.name(certificate.issuerName)
        if let objection {
            code = .serverCertificateUntrusted
            switch objection {
            case .key: (reason, message) = (.weakKey, "\(subject) has an RSA key of fewer than 2048 bits")
            case .signature: (reason, message) = (.weakSignature, "\(subject) is signed with SHA-1")
            case .rule: (reason, message) = (.other, "\(subject) violates a name constraint or policy of its chain")
            }
        } else if Int64(certificate.notValidAfter) < now {
            (code, reason) = (.serverCertificateHasBadDate, .expired)
            message = "\(subject) has expired"
        } else if Int64(certificate.notValidBefore) > now {
            (code, reason) = (.serverCertificateNotYetValid, .notYetValid)
            message = "\(subject) is not valid yet"
        } else if !Self.isForServers(certificate) {
            (code, reason) = (.serverCertificateUntrusted, .wrongUsage)
            message = "\(subject) is not valid for servers (extended key usage)"
        } else if Self.isSelfIssued(certificate) {
            code = .serverCertificateHasUnknownRoot
            reason = isServers ? .selfSigned : .unknownIssuer
            message =
                isServers
                ? "the server's certificate is self-signed and not trusted"
                : "the server's certificate is issued by \(issuer), which is not trusted"
        } else {
            code = .serverCertificateHasUnknownRoot
            let isIncomplete = isServers && Self.hasIssuerURL(certificate)
            reason = isIncomplete ? .missingIntermediate : .unknownIssuer
            message =
                isIncomplete
                ? "the server did not send the intermediate certificate of its issuer, \(issuer), which is not known"
                : "the server's certificate is issued by \(issuer), which is not trusted"
                    + (isServers ? ", and no certificate of that issuer was sent" : "")
        }
    }

    private static func isSelfIssued(_ certificate: NIOSSLCertificate) -> Bool {
        let (subject, issuer) = (certificate.subjectName, certificate.issuerName)
        return subject.elementsEqual(issuer) { $0.value == $1.value }
    }

    private static func name(_ parts: [SSLCertificateName]) -> String {
        // The common name is last. The peer has chosen its text.
        let text = parts.last?.value ?? ""
        let clean = String(
            text.unicodeScalars.prefix(64).map { $0.properties.generalCategory == .control ? "?" : Character($0) })
        return clean.isEmpty ? "an authority without a name" : "\"\(clean)\""
    }

    /// Looks for serverAuth (1.3.6.1.5.5.7.3.1) or any usage (2.5.29.37.0) in the extended key usages (2.5.29.37).
    private static func isForServers(_ certificate: NIOSSLCertificate) -> Bool {
        guard let usages = value(of: "2.5.29.37", in: certificate) else { return true }
        let servers: [UInt8] = [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
        let any: [UInt8] = [0x06, 0x04, 0x55, 0x1D, 0x25, 0x00]
        return contains(servers, in: usages) || contains(any, in: usages)
    }

    /// Returns true if the certificate has the URL of its issuer's certificate (1.3.6.1.5.5.7.48.2 in
    /// 1.3.6.1.5.5.7.1.1).
    private static func hasIssuerURL(_ certificate: NIOSSLCertificate) -> Bool {
        let issuers: [UInt8] = [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02]
        return value(of: "1.3.6.1.5.5.7.1.1", in: certificate).map { contains(issuers, in: $0) } ?? false
    }

    private static func value(of identifier: String, in certificate: NIOSSLCertificate) -> [UInt8]? {
        certificate._extensions.first { $0.objectIdentifier.description == identifier }.map { Array($0.data) }
    }

    private static func contains(_ part: [UInt8], in bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}
