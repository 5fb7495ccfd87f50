// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOSSL
import SimorghCore

/// Conversions of TLS errors to `TransportError`.
extension TransportError {
    /// Creates the error of a failed TLS handshake; the certificates that were seen show the reason.
    ///
    /// - Parameters:
    ///   - error: The error of NIOSSL.
    ///   - verification: The verification, with the certificates that were seen.
    ///   - peer: The server's own certificate, if it arrived.
    /// - Returns: The error.
    static func handshakeFailed(
        _ error: any Error, verification: PeerVerification, peer: NIOSSLCertificate?
    ) -> TransportError {
        if let error = error as? TransportError { return error }
        if let error = verification.systemError { return error }
        if verification.isForOtherHost {
            return .wrongHost(verification.host, certificate: verification.rejected, cause: error)
        }
        if let certificate = verification.rejected {
            let fault = CertificateFault(
                certificate, isServers: certificate == peer, objection: verification.objection)
            return failure(fault.code, reason: fault.reason, message: fault.message, cause: error)
        }
        if let error = error as? NIOSSLExtraError,
            error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch
        {
            return .wrongHost(verification.host, certificate: peer, cause: error)
        }
        if case ChannelError.eof = error {
            return failure(
                .secureConnectionFailed, reason: .brokenByPeer,
                message: "the server closed the connection during the TLS handshake",
                cause: error)
        }
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED"), let peer {
            let fault = CertificateFault(peer, isServers: true, objection: nil)
            return failure(fault.code, reason: fault.reason, message: fault.message, cause: error)
        }
        let hasIdentity = verification.options.identity != nil
        return TLSAlert.error(in: text, hasIdentity: hasIdentity, cause: error) ?? ofHandshake(text, cause: error)
    }

    /// Creates the error of a handshake that failed without an alert of the server.
    private static func ofHandshake(_ text: String, cause error: any Error) -> TransportError {
        if text.contains("UNSUPPORTED_PROTOCOL") {
            return failure(
                .secureConnectionFailed, reason: .noCommonVersion,
                message: "the server supports no TLS version that is allowed here",
                cause: error)
        }
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
            return failure(
                .secureConnectionFailed, reason: .brokenByPeer, message: "the server does not speak TLS on this port",
                cause: error)
        }
        if text.contains("KEY_USAGE_BIT_INCORRECT") {
            return failure(
                .serverCertificateUntrusted, reason: .wrongUsage,
                message: "the key usage of the server's certificate does not allow TLS", cause: error)
        }
        if error is IOError || text.contains("eofDuringHandshake") || text.contains("EOF during handshake") {
            return failure(
                .secureConnectionFailed, reason: .brokenByPeer, message: "the server aborted the TLS handshake",
                cause: error)
        }
        return failure(
            .secureConnectionFailed, reason: .other, message: "the TLS handshake failed: \(text)", cause: error)
    }

    /// Creates the error for a certificate that is for other hosts, or for no host.
    static func wrongHost(
        _ host: String, certificate: NIOSSLCertificate?, cause error: (any Error)? = nil
    ) -> TransportError {
        // Certificates of private authorities often have only a common name, which other clients used to accept.
        let isForNone = certificate?.presentedIdentifiers.isEmpty ?? false
        let reason = isForNone ? ": it has no subject alternative names, and its common name does not count" : ""
        return failure(
            .serverCertificateUntrusted, reason: .wrongHost,
            message: "the server's certificate is not for \(host)\(reason)", cause: error)
    }

    fileprivate static func failure(
        _ code: Code, reason: TLSError.Reason, message: String, cause error: (any Error)?
    ) -> TransportError {
        TransportError(
            code, phase: .tls, message: message, requestMayHaveBeenSent: false,
            underlying: TLSError(reason, cause: error))
    }
}

/// The TLS alerts with which a server ends a connection, during the handshake or, with TLS 1.3, right after it.
enum TLSAlert {
    /// The alerts that concern the client certificate.
    private static let certificate = [
        "ALERT_BAD_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_CERTIFICATE_REVOKED",
        "ALERT_CERTIFICATE_EXPIRED", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_UNKNOWN_CA", "ALERT_ACCESS_DENIED",
        "ALERT_DECRYPT_ERROR",
    ]

    /// Returns the error of a connection that the server closed after the handshake because of the client certificate;
    /// `nil` for any other cause.
    static func error(afterHandshake cause: any Error, hasIdentity: Bool) -> TransportError? {
        guard cause is BoringSSLError || cause is NIOSSLError else { return nil }
        let text = "\(cause)"
        guard text.contains("ALERT_CERTIFICATE_REQUIRED") || certificate.contains(where: text.contains) else {
            return nil
        }
        return error(in: text, hasIdentity: hasIdentity, cause: cause)
    }

    /// Returns the error of an alert whose name is in a text; `nil` if there is no alert.
    static func error(in text: String, hasIdentity: Bool, cause: any Error) -> TransportError? {
        guard text.contains("ALERT_") else { return nil }
        if text.contains("ALERT_CERTIFICATE_REQUIRED") || !hasIdentity && certificate.contains(where: text.contains) {
            return .failure(
                .clientCertificateRequired, reason: .clientCertificateRequired,
                message: "the server requires a client certificate",
                cause: cause)
        }
        if certificate.contains(where: text.contains) {
            return .failure(
                .clientCertificateRejected, reason: .clientCertificateRefused,
                message: "the server rejected the client certificate",
                cause: cause)
        }
        if text.contains("ALERT_PROTOCOL_VERSION") {
            return .failure(
                .secureConnectionFailed, reason: .noCommonVersion,
                message: "the server supports no TLS version that is allowed here",
                cause: cause)
        }
        if text.contains("ALERT_HANDSHAKE_FAILURE"), !hasIdentity {
            return .failure(
                .secureConnectionFailed, reason: .brokenByPeer,
                message: "the server aborted the TLS handshake: it may require a client certificate", cause: cause)
        }
        return .failure(
            .secureConnectionFailed, reason: .brokenByPeer,
            message: "the server aborted the TLS handshake with the alert \(name(text))",
            cause: cause)
    }

    /// Returns the name of the alert in BoringSSL's text.
    private static func name(_ text: String) -> String {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return words.first { $0.contains("ALERT_") }?.lowercased() ?? "unknown"
    }
}
