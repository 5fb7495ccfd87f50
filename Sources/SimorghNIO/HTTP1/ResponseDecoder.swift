// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// NIO's parser with a watch on the bytes that go in.
///
/// The parser alone cannot say whether anything followed a response: what it has read of a next one it keeps, and would
/// take for the answer to the next request. So after the end of a response it is asked whether it stands between two
/// messages, and only then the connection goes back to the pool.
final class ResponseDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPClientResponsePart

    private let base: HTTPResponseDecoder
    private let handler: ConnectionHandler
    /// Bytes that the parser left in the buffer, to see them again with the next ones.
    private var kept = 0

    init(_ base: HTTPResponseDecoder, handler: ConnectionHandler) {
        self.base = base
        self.handler = handler
    }

    func decoderAdded(context: ChannelHandlerContext) { base.decoderAdded(context: context) }

    func decoderRemoved(context: ChannelHandlerContext) { base.decoderRemoved(context: context) }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard handler.willDecode(buffer.readableBytes - kept) else {
            buffer.moveReaderIndex(to: buffer.writerIndex)
            return .needMoreData
        }
        let state = try base.decode(context: context, buffer: &buffer)
        kept = buffer.readableBytes
        handler.didDecode(isBetweenMessages: handler.isEnding && isBetweenMessages(context))
        return state
    }

    func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodingState {
        guard handler.isBusy || buffer.readableBytes > 0 else { return .needMoreData }
        let state = try base.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
        handler.didDecode(isBetweenMessages: false)
        return state
    }

    private func isBetweenMessages(_ context: ChannelHandlerContext) -> Bool {
        guard kept == 0 else { return false }
        var nothing = ByteBuffer()
        do {
            _ = try base.decodeLast(context: context, buffer: &nothing, seenEOF: true)
            return true
        } catch {
            return false
        }
    }
}
