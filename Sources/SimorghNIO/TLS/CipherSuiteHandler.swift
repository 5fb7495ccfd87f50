// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Reads the first bytes of a server below TLS, then removes itself from the pipeline.
final class CipherSuiteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let verification: PeerVerification
    private var reader = CipherSuiteReader()

    init(_ verification: PeerVerification) { self.verification = verification }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.read(unwrapInboundIn(data).readableBytesView)
        // Set before TLS reads the bytes, because they may contain the end of the handshake.
        if case .chosen(let suite) = reader.outcome { verification.cipherSuite = suite }
        context.fireChannelRead(data)
        if reader.outcome != .needsMore { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }
}
