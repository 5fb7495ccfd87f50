// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL

extension MockServer.TLS {
    /// Returns the TLS context of the server.
    func context(_ protocols: Set<MockServer.HTTPProtocol>) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.keyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        // HTTP/2 is preferred.
        configuration.applicationProtocols = [.http2, .http1].filter(protocols.contains).map(\.rawValue)
        if let clientAuthorityPEM {
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(
                try NIOSSLCertificate.fromPEMBytes(Array(clientAuthorityPEM.utf8)))
        }
        return try NIOSSLContext(configuration: configuration)
    }
}
