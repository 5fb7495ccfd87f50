// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A certificate with its key: the one that ships with the library (``loopback``), or one issued by a ``TestAuthority``
/// or self-signed, which need the trait `TestCertificates`.
public struct TestCertificate: Sendable, Hashable {
    /// The certificate in PEM.
    public let certificatePEM: String
    /// Its private key in PEM; only for tests.
    public let keyPEM: String
    /// The PEM certificate of the authority that signed it, for the other side to trust.
    public let authorityPEM: String
    /// The pin of its public key, for ``/SimorghCore/TLSPins``.
    public let pin: String

    #if TestCertificates
    /// Creates a self-signed certificate.
    ///
    /// It needs the package trait `TestCertificates`.
    ///
    /// - Parameters:
    ///   - hosts: The DNS names and IP addresses; `localhost`, `127.0.0.1` and `::1` by default.
    ///   - validity: The period of validity, in days from now; from ten days ago until thirty days from now by default.
    /// - Returns: The certificate; it is its own authority.
    /// - Throws: The error of the certificate libraries, for an invalid name.
    public static func selfSigned(
        for hosts: [String] = ["localhost", "127.0.0.1", "::1"], validFor validity: ClosedRange<Double> = -10...30
    ) throws -> TestCertificate {
        try LeafCertificate(hosts: hosts, validity: validity, isForClient: false).signed(by: nil, authorityPEM: nil)
    }
    #endif

    /// The certificate as a client identity.
    public var identity: TLSIdentity { TLSIdentity(certificates: .text(certificatePEM), key: .text(keyPEM)) }
}
