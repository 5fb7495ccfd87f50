// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
import NIOSSL

/// On Linux, BoringSSL verifies and exposes the chain.
enum PlatformHandler: VerifyingHandlerMaking {
    @available(*, deprecated, message: "called through its protocol")
    static func makeHandler(
        _ context: NIOSSLContext, serverName: String?, verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: serverName, verificationCallback: verification.check)
    }
}
#endif
