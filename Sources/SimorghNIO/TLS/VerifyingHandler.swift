// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOSSL
import SimorghCore

/// Makes the handler that shakes hands, so that a verification hears of each certificate.
///
/// NIOSSL has two ways to look on. The one that is not deprecated takes BoringSSL's verification away altogether; the
/// other leaves it in place, tells each certificate of the verified chain, and can only make the outcome worse. The second is
/// what safety wants. It is called through this protocol, as a call in plain sight would be a warning.
protocol VerifyingHandlerMaking {
    static func looking(
        _ context: NIOSSLContext, serverName: String?, _ verification: PeerVerification
    ) throws -> NIOSSLClientHandler
}

enum VerifyingHandler {
    static func make(
        _ context: NIOSSLContext, serverName: String?, _ verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        let handler = try handler(context, serverName: serverName, verification)
        verification.handler = handler
        return handler
    }

    private static func handler(
        _ context: NIOSSLContext, serverName: String?, _ verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        guard let judge = verification.options.evaluation, judge.replacesVerification else {
            return try verified(context, serverName: serverName, verification, by: PlatformHandler.self)
        }
        // The judge speaks when the handshake is over, off the loop; until then nothing but the handshake is sent.
        return try NIOSSLClientHandler(context: context, serverHostname: serverName) { certificates, promise in
            verification.took(certificates)
            promise.succeed(certificates.isEmpty ? .failed : .certificateVerified)
        }
    }

    private static func verified<Maker: VerifyingHandlerMaking>(
        _ context: NIOSSLContext, serverName: String?, _ verification: PeerVerification, by maker: Maker.Type
    ) throws -> NIOSSLClientHandler {
        try maker.looking(context, serverName: serverName, verification)
    }
}
