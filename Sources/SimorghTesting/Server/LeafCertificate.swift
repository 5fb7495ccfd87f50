// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if TestCertificates
import Crypto
import SimorghCore
import SimorghSupport
import SwiftASN1
import X509

/// The contents of a certificate before it is signed.
struct LeafCertificate {
    static let day: TimeInterval = 86_400

    let hosts: [String]
    let validity: ClosedRange<Double>
    let isForClient: Bool

    /// Signs the certificate with an issuer's key, or with its own.
    func signed(
        by issuer: (key: P256.Signing.PrivateKey, subject: DistinguishedName)?, authorityPEM: String?
    ) throws -> TestCertificate {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PrivateKey(key).publicKey
        let subject = try DistinguishedName { CommonName(hosts.first ?? "no host") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Date() + validity.lowerBound * Self.day,
            notValidAfter: Date() + validity.upperBound * Self.day, issuer: issuer?.subject ?? subject,
            subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([isForClient ? .clientAuth : .serverAuth])
                SubjectAlternativeNames(hosts.map(Self.name))
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key))
        let pem = try certificate.serializeAsPEM().pemString
        return TestCertificate(
            certificatePEM: pem, keyPEM: key.pemRepresentation, authorityPEM: authorityPEM ?? pem,
            pin: TLSPins.pin(of: Array(key.publicKey.derRepresentation)))
    }

    /// Returns a host as a subject alternative name: an IP address, or a DNS name.
    private static func name(_ host: String) -> GeneralName {
        if let address = Self.address(host) { return .ipAddress(ASN1OctetString(contentBytes: address[...])) }
        return .dnsName(host)
    }

    private static func address(_ host: String) -> [UInt8]? {
        if host == "::1" { return [UInt8](repeating: 0, count: 15) + [1] }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let bytes = numbers.compactMap(\.self)
        return numbers.count == 4 && bytes.count == 4 ? bytes : nil
    }
}
#endif
