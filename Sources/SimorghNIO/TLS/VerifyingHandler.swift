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
    static func makeHandler(
        _ context: NIOSSLContext, serverName: String?, verification: PeerVerification
    ) throws -> NIOSSLClientHandler
}

enum VerifyingHandler {
    static func makeHandler(
        _ context: NIOSSLContext, serverName: String?, verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        let handler = try createHandler(context, serverName: serverName, verification: verification)
        verification.handler = handler
        return handler
    }

    private static func createHandler(
        _ context: NIOSSLContext, serverName: String?, verification: PeerVerification
    ) throws -> NIOSSLClientHandler {
        guard let evaluation = verification.options.evaluation, evaluation.replacesVerification else {
            return try makeHandler(
                context, serverName: serverName, verification: verification, by: PlatformHandler.self)
        }
        // The user's evaluation runs after the handshake, off the loop; until then only the handshake is sent.
        return try NIOSSLClientHandler(context: context, serverHostname: serverName) { certificates, promise in
            verification.received(certificates)
            promise.succeed(certificates.isEmpty ? .failed : .certificateVerified)
        }
    }

    private static func makeHandler<Maker: VerifyingHandlerMaking>(
        _ context: NIOSSLContext, serverName: String?, verification: PeerVerification, by maker: Maker.Type
    ) throws -> NIOSSLClientHandler {
        try maker.makeHandler(context, serverName: serverName, verification: verification)
    }
}
