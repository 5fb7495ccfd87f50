// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A certificate with its key: the one that ships with the library (``loopback``), or with the trait `TestCertificates` one that was
/// minted by a ``TestAuthority`` or signed by itself.
public struct TestCertificate: Sendable, Hashable {
    /// The certificate, in PEM.
    public let certificatePEM: String
    /// Its key, in PEM; worth nothing outside of a test.
    public let keyPEM: String
    /// The certificate of the authority that signed it, in PEM, for the other side to trust.
    public let authorityPEM: String
    /// The pin of its public key, as ``/SimorghCore/TLSPins`` takes it.
    public let pin: String

    #if TestCertificates
    /// Makes a certificate that nobody signed but itself.
    ///
    /// It needs the trait `TestCertificates` of the package.
    ///
    /// - Parameters:
    ///   - hosts: The names and addresses it is for; `localhost`, `127.0.0.1` and `::1` by default.
    ///   - validity: From when to when it is valid, in days from now; from ten days ago to in thirty days by default.
    /// - Returns: The certificate; it is its own authority.
    /// - Throws: What the libraries of certificates say, for a name that is none.
    public static func selfSigned(
        for hosts: [String] = ["localhost", "127.0.0.1", "::1"], validFor validity: ClosedRange<Double> = -10...30
    ) throws -> TestCertificate {
        try LeafCertificate(hosts: hosts, validity: validity, isForClient: false).signed(by: nil, authorityPEM: nil)
    }
    #endif

    /// The certificate as a client shows it.
    public var identity: TLSIdentity { TLSIdentity(certificates: .text(certificatePEM), key: .text(keyPEM)) }
}
