// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Sits below TLS, looks at the first bytes of a server, and leaves the pipeline.
final class CipherSuiteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let verification: PeerVerification
    private var reader = CipherSuiteReader()

    init(_ verification: PeerVerification) { self.verification = verification }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.read(unwrapInboundIn(data).readableBytesView)
        // What is known has to stand before TLS reads on: the end of the handshake may be in the same bytes.
        if case .chosen(let suite) = reader.outcome { verification.cipherSuite = suite }
        context.fireChannelRead(data)
        if reader.outcome != .needsMore { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }
}
