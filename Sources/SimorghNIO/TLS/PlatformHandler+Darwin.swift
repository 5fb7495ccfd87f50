// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import NIOSSL
import SimorghCore

/// On Darwin, the system verifies chains to its own roots and does not expose them; BoringSSL verifies and exposes the
/// rest.
///
/// So with the system's roots, pins apply only to the server's own key.
enum PlatformHandler: VerifyingHandlerMaking {
    /// True if the system verifies chains to its own roots, without a callback during the handshake.
    static let systemVerifies = true

    @available(*, deprecated, message: "called through its protocol")
    static func makeHandler(
        _ context: NIOSSLContext, serverName: String?, verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        guard case .only = verification.options.trust else {
            return try NIOSSLClientHandler(context: context, serverHostname: serverName)
        }
        return try NIOSSLClientHandler(
            context: context, serverHostname: serverName, verificationCallback: verification.check)
    }
}
#endif
