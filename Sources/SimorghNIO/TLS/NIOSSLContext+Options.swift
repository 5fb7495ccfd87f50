// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL
import SimorghCore

/// The TLS context for the user's options.
extension NIOSSLContext {
    /// Creates a TLS context.
    ///
    /// - Parameters:
    ///   - options: The user's options.
    ///   - applicationProtocols: The names of the protocols to offer (ALPN).
    /// - Returns: The context.
    /// - Throws: `TLSOptionsError` if the user has to correct the options.
    static func make(
        _ options: TLSOptions, applicationProtocols: [String]
    ) throws(TLSOptionsError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = applicationProtocols
        configuration.minimumTLSVersion = options.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        configuration.maximumTLSVersion = options.maximumVersion == .tls12 ? .tlsv12 : .tlsv13
        var roots: [NIOSSLCertificate] = []
        for text in options.additionalRoots {
            roots += try certificates(in: .text(text), describedAs: "an additional root")
        }
        switch options.trust {
        case .system: break
        case .systemAnd(let sources):
            for source in sources { roots += try certificates(in: source, describedAs: "a root") }
        case .only(let sources):
            for source in sources { roots += try certificates(in: source, describedAs: "a root") }
            configuration.trustRoots = .certificates(roots)
            roots = []
        @unknown default:
            throw TLSOptionsError(.certificate, message: "this transport does not support this kind of trust")
        }
        if !roots.isEmpty { configuration.additionalTrustRoots = [.certificates(roots)] }
        // BoringSSL verifies the chain, and PeerVerification the name. NIOSSL's name check rejects underscores,
        // accepts partial wildcards and common names, and compares an address with the socket's, which may be a
        // proxy's.
        configuration.certificateVerification = .noHostnameVerification
        if let identity = options.identity {
            let (chain, key) = try chainAndKey(of: identity)
            configuration.certificateChain = chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(key)
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch NIOSSLError.failedToLoadPrivateKey {
            throw TLSOptionsError(.keyMismatch, message: "the private key does not match the client certificate")
        } catch {
            throw TLSOptionsError(.certificate, message: "a certificate cannot be used: \(error)")
        }
    }

    private static func certificates(
        in source: PEMSource, describedAs description: String
    ) throws(TLSOptionsError) -> [NIOSSLCertificate] {
        let text = try PEMText.read(source, describedAs: description)
        let message = "\(description) is not a certificate in PEM (\(source))"
        do {
            let found = try NIOSSLCertificate.fromPEMBytes(text)
            if !found.isEmpty { return found }
        } catch {
            // The error has codes and source lines of BoringSSL, and no part of the text.
            throw TLSOptionsError(.certificate, message: "\(message): \(error)")
        }
        throw TLSOptionsError(.certificate, message: message)
    }

    private static func chainAndKey(
        of identity: TLSIdentity
    ) throws(TLSOptionsError) -> ([NIOSSLCertificate], NIOSSLPrivateKey) {
        switch identity.source {
        case .pem(let certificates, let key):
            let chain = try self.certificates(in: certificates, describedAs: "the client certificate")
            return (chain, try privateKey(key, passphrase: identity.passphrase))
        case .archive(let source):
            let bytes = try PEMText.read(source)
            if let part = PKCS12Contents.missingPart(of: bytes) {
                throw TLSOptionsError(.key, message: "the client's PKCS #12 archive has no \(part) (\(source))")
            }
            do {
                let bundle = try NIOSSLPKCS12Bundle(
                    buffer: bytes, passphrase: identity.passphrase.map { Array($0.utf8) })
                return (bundle.certificateChain, bundle.privateKey)
            } catch {
                // The error has codes of BoringSSL, and no part of the archive.
                throw "\(error)".contains("INCORRECT_PASSWORD")
                    ? TLSOptionsError(.passphrase, message: "the passphrase does not open the archive (\(source))")
                    : TLSOptionsError(
                        .key, message: "the client's identity is not a PKCS #12 archive (\(source)): \(error)")
            }
        case .keychain:
            throw TLSOptionsError(
                .key, message: "an identity of the keychain can only be used with URLSession; use PKCS #12 or PEM")
        }
    }

    private static func privateKey(
        _ source: PEMSource, passphrase: String?
    ) throws(TLSOptionsError) -> NIOSSLPrivateKey {
        let text = try PEMText.read(source, describedAs: "the client's key")
        let isEncrypted = PEMText.isEncrypted(text)
        if isEncrypted, passphrase == nil {
            throw TLSOptionsError(.passphrase, message: "the client's key is encrypted and there is no passphrase")
        }
        do {
            guard isEncrypted, let passphrase else {
                return try NIOSSLPrivateKey(bytes: text, format: .pem)
            }
            return try NIOSSLPrivateKey(bytes: text, format: .pem) { $0(passphrase.utf8) }
        } catch {
            throw isEncrypted
                ? TLSOptionsError(.passphrase, message: "the passphrase does not open the client's key")
                : TLSOptionsError(.key, message: "the client's key is not a private key in PEM (\(source))")
        }
    }
}
