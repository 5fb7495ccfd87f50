// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOSSL
import SimorghCore

/// Creates the TLS handler with a callback for each certificate.
///
/// NIOSSL has two kinds of callbacks. The one that is not deprecated replaces BoringSSL's verification. The deprecated
/// one keeps it, reports each certificate of the verified chain, and can only reject more, which is what safety
/// requires. It is called through this protocol to avoid the deprecation warning.
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
        // The user's evaluation runs after the handshake, off the loop; until then only the handshake is sent.
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
