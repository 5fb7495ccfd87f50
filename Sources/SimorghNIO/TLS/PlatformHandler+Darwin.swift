// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import NIOSSL
import SimorghCore

/// The system verifies what is to be trusted by its roots, and shows no chain; BoringSSL verifies the rest, and tells it.
///
/// So with the system's roots, pins hold for the server's own key only.
enum PlatformHandler: VerifyingHandlerMaking {
    /// True if the system verifies what its roots are to vouch for, and no callback of ours runs within the handshake.
    static let systemVerifies = true

    @available(*, deprecated, message: "called through its protocol")
    static func looking(
        _ context: NIOSSLContext, serverName: String?, _ verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        guard case .only = verification.options.trust else {
            return try NIOSSLClientHandler(context: context, serverHostname: serverName)
        }
        return try NIOSSLClientHandler(
            context: context, serverHostname: serverName, verificationCallback: verification.look)
    }
}
#endif
