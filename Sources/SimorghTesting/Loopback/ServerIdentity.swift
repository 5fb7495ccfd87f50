// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOSSL

/// The key and certificate of a server, made when it starts, and the authority that a client is to trust.
package struct ServerIdentity: Sendable {
    package let context: NIOSSLContext
    package let authorityPEM: String

    package init(_ kind: LoopbackServer.Certificate) throws {
        let authority = try TestAuthority(named: "Simorgh loopback authority")
        authorityPEM = authority.certificatePEM
        let leaf =
            switch kind {
            case .trusted: try authority.certificate()
            case .expired: try authority.certificate(validFor: -10 ... -1)
            case .notYetValid: try authority.certificate(validFor: 1...30)
            case .wrongHost: try authority.certificate(for: ["wrong.example"])
            case .selfSigned: try TestCertificate.selfSigned()
            case .unknownAuthority: try TestAuthority(named: "Another loopback authority").certificate()
            }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(leaf.certificatePEM.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(leaf.keyPEM.utf8), format: .pem)))
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
    }
}
