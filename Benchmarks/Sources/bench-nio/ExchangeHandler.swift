// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// Handles one exchange at a time: writes a request for each promise, and fulfills the promise with the body.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = EventLoopPromise<ByteBuffer>
    typealias OutboundOut = HTTPClientRequestPart

    private let target: Target
    private var waiting: EventLoopPromise<ByteBuffer>?
    private var body = ByteBuffer()

    init(target: Target) {
        self.target = target
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting = unwrapOutboundIn(data)
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target.path)
        head.headers.add(name: "Host", value: target.authority)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body = ByteBuffer()
        case .body(var part):
            if body.readableBytes == 0 { body = part } else { body.writeBuffer(&part) }
        case .end: finish(.success(body))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(ChannelError.eof))
        context.fireChannelInactive()
    }

    private func finish(_ result: Result<ByteBuffer, any Error>) {
        let promise = waiting
        waiting = nil
        promise?.completeWith(result)
    }
}
