// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import NIOSSL
import SimorghCore
import SimorghSupport

/// On Darwin, the system verifies chains to its own roots, and exposes the chain; BoringSSL verifies the rest.
enum PlatformHandler: VerifyingHandlerMaking {
    @available(*, deprecated, message: "called through its protocol")
    static func makeHandler(
        _ context: NIOSSLContext, serverName: String?, verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        guard case .only = verification.options.trust else {
            // PeerVerification verifies the name, by the same rules as on Linux.
            return try NIOSSLClientHandler(context: context, serverHostname: serverName) { certificates, promise in
                verification.verify(
                    certificates, by: { try SystemTrust.verify($0, host: nil, roots: $1) }, promise: promise)
            }
        }
        return try NIOSSLClientHandler(
            context: context, serverHostname: serverName, verificationCallback: verification.check)
    }
}
#endif
