// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghTesting

#if TestCertificates
/// A reason to refuse the certificate of a server.
package enum CertificateFlaw: Sendable, CaseIterable {
    case expired, notYetValid, wrongHost, selfSigned, unknownAuthority
}
#endif

extension MockServer.Configuration {
    #if TestCertificates
    /// Configures a server that speaks HTTP/1.1 over TLS.
    ///
    /// - Parameter flaw: The reason to refuse its certificate; `nil` for a good one.
    /// - Returns: The configuration, and the authority for a client to trust.
    /// - Throws: An error of the certificate library.
    package static func secure(
        _ flaw: CertificateFlaw? = nil
    ) throws -> (configuration: MockServer.Configuration, authorityPEM: String) {
        let authority = try TestAuthority()
        let certificate =
            switch flaw {
            case nil: try authority.certificate()
            case .expired: try authority.certificate(validFor: -10 ... -1)
            case .notYetValid: try authority.certificate(validFor: 1...30)
            case .wrongHost: try authority.certificate(for: ["wrong.example"])
            case .selfSigned: try TestCertificate.selfSigned()
            case .unknownAuthority: try TestAuthority(named: "Another authority").certificate()
            }
        var configuration = MockServer.Configuration()
        configuration.tls = .init(certificate)
        configuration.protocols = [.http1]
        return (configuration, authority.certificatePEM)
    }
    #else
    /// Configures a server that speaks HTTP/1.1 over TLS, with the certificate that ships with the library.
    package static func secure() throws -> (configuration: MockServer.Configuration, authorityPEM: String) {
        var configuration = MockServer.Configuration()
        configuration.tls = .init(.loopback)
        configuration.protocols = [.http1]
        return (configuration, TestCertificate.loopback.authorityPEM)
    }
    #endif
}
