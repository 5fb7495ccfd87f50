// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if TestCertificates
import Crypto
import SimorghSupport
import SwiftASN1
import X509

/// An authority that mints certificates on the spot, for servers and for clients, good and bad.
///
/// It needs the trait `TestCertificates` of the package; without it there is ``TestCertificate/loopback``.
///
/// ```swift
/// let authority = try TestAuthority()
/// var configuration = MockServer.Configuration()
/// configuration.tls = .init(try authority.certificate(for: ["localhost"], validFor: -10 ... -1))  // Over since yesterday.
/// ```
public struct TestAuthority: Sendable {
    /// The authority's own certificate, in PEM, for a client to trust.
    public let certificatePEM: String
    private let key: P256.Signing.PrivateKey
    private let subject: DistinguishedName

    /// Makes an authority with a key and a name of its own.
    ///
    /// - Parameter name: What it is called; a number behind it tells it from others.
    /// - Throws: What the libraries of certificates say; nothing that is foreseen.
    public init(named name: String = "Simorgh test authority") throws {
        key = P256.Signing.PrivateKey()
        // A client that trusts two servers finds the authority of each by its name.
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        subject = try DistinguishedName { CommonName("\(name) \(number)") }
        let publicKey = Certificate.PrivateKey(key).publicKey
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Date() - 365 * LeafCertificate.day, notValidAfter: Date() + 365 * LeafCertificate.day,
            issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: Certificate.PrivateKey(key))
        certificatePEM = try certificate.serializeAsPEM().pemString
    }

    /// Mints a certificate with a key of its own.
    ///
    /// - Parameters:
    ///   - hosts: The names and addresses it is for; `localhost`, `127.0.0.1` and `::1` by default.
    ///   - validity: From when to when it is valid, in days from now; from ten days ago to in thirty days by default.
    ///   - isForClient: Whether it is a client's to show; a server's by default.
    /// - Returns: The certificate.
    /// - Throws: What the libraries of certificates say, for a name that is none.
    public func certificate(
        for hosts: [String] = ["localhost", "127.0.0.1", "::1"], validFor validity: ClosedRange<Double> = -10...30,
        isForClient: Bool = false
    ) throws -> TestCertificate {
        let leaf = LeafCertificate(hosts: hosts, validity: validity, isForClient: isForClient)
        return try leaf.signed(by: (key: key, subject: subject), authorityPEM: certificatePEM)
    }
}
#else
/// An authority that mints certificates on the spot, for servers and for clients, good and bad.
///
/// It needs the trait `TestCertificates` of the package. ``TestCertificate/loopback`` is there without it.
@available(*, unavailable, message: "turn the trait on: .package(url: …, traits: [\"TestCertificates\"])")
public enum TestAuthority {}
#endif
