// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if TestCertificates
import Crypto
import SimorghSupport
import SwiftASN1
import X509

/// A certificate authority that issues valid and invalid test certificates for servers and clients.
///
/// It needs the package trait `TestCertificates`. ``TestCertificate/loopback`` is available without it.
///
/// ```swift
/// let authority = try TestAuthority()
/// var configuration = MockServer.Configuration()
/// configuration.tls = .init(try authority.certificate(for: ["localhost"], validFor: -10 ... -1))  // Over since yesterday.
/// ```
public struct TestAuthority: Sendable {
    /// The authority's own certificate in PEM, for a client to trust.
    public let certificatePEM: String
    private let key: P256.Signing.PrivateKey
    private let subject: DistinguishedName

    /// Creates an authority with a new key and a unique name.
    ///
    /// - Parameter name: The name; a random number is appended to make it unique.
    /// - Throws: The error of the certificate libraries; none is expected.
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

    /// Issues a certificate with a new key.
    ///
    /// - Parameters:
    ///   - hosts: The DNS names and IP addresses; `localhost`, `127.0.0.1` and `::1` by default.
    ///   - validity: The period of validity, in days from now; from ten days ago until thirty days from now by default.
    ///   - isForClient: True for a client certificate, false (the default) for a server certificate.
    /// - Returns: The certificate.
    /// - Throws: The error of the certificate libraries, for an invalid name.
    public func certificate(
        for hosts: [String] = ["localhost", "127.0.0.1", "::1"], validFor validity: ClosedRange<Double> = -10...30,
        isForClient: Bool = false
    ) throws -> TestCertificate {
        let leaf = LeafCertificate(hosts: hosts, validity: validity, isForClient: isForClient)
        return try leaf.signed(by: (key: key, subject: subject), authorityPEM: certificatePEM)
    }
}
#else
/// A certificate authority that issues valid and invalid test certificates for servers and clients.
///
/// It needs the package trait `TestCertificates`. ``TestCertificate/loopback`` is available without it.
@available(*, unavailable, message: "turn the trait on: .package(url: …, traits: [\"TestCertificates\"])")
public enum TestAuthority {}
#endif
