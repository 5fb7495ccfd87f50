// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import NIOSSL
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key and certificate of a server, made when it starts, and the authority that a client is to trust.
package struct ServerIdentity: Sendable {
    package let context: NIOSSLContext
    package let authorityPEM: String

    package init(_ kind: LoopbackServer.Certificate) throws {
        let authority = try Authority(name: "Simorgh loopback authority")
        authorityPEM = try authority.certificate.serializeAsPEM().pemString
        let issuer = kind == .unknownAuthority ? try Authority(name: "Another loopback authority") : authority
        let key = P256.Signing.PrivateKey()
        let leaf = try Self.leaf(kind, key: key, issuer: kind == .selfSigned ? nil : issuer)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [
                .certificate(try NIOSSLCertificate(bytes: Array(leaf.serializeAsPEM().pemString.utf8), format: .pem))
            ],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem))
        )
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
    }

    /// A root certificate with its key.
    private struct Authority {
        let key: Certificate.PrivateKey
        let certificate: Certificate

        init(name: String) throws {
            let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
            self.key = key
            // A name of its own: a client that trusts two servers finds the authority of each by its name.
            let number = String(UInt64.random(in: .min ... .max), radix: 16)
            let subject = try DistinguishedName { CommonName("\(name) \(number)") }
            let now = Date()
            certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: key.publicKey,
                notValidBefore: now - ServerIdentity.day,
                notValidAfter: now + 30 * ServerIdentity.day,
                issuer: subject,
                subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    SubjectKeyIdentifier(hash: key.publicKey)
                },
                issuerPrivateKey: key
            )
        }
    }

    private static let day: TimeInterval = 86_400

    /// The server's certificate; without an issuer it is signed by its own key.
    private static func leaf(
        _ kind: LoopbackServer.Certificate, key: P256.Signing.PrivateKey, issuer: Authority?
    ) throws -> Certificate {
        let key = Certificate.PrivateKey(key)
        let subject = try DistinguishedName { CommonName(kind == .wrongHost ? "wrong.example" : "localhost") }
        let now = Date()
        let names: [GeneralName] =
            kind == .wrongHost
            ? [.dnsName("wrong.example")]
            : [
                .dnsName("localhost"),
                .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                .ipAddress(ASN1OctetString(contentBytes: ArraySlice([UInt8](repeating: 0, count: 15) + [1]))),
            ]
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: kind == .notYetValid ? now + day : now - 10 * day,
            notValidAfter: kind == .expired ? now - day : now + 30 * day,
            issuer: issuer?.certificate.subject ?? subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
                SubjectKeyIdentifier(hash: key.publicKey)
            },
            issuerPrivateKey: issuer?.key ?? key
        )
    }
}
