// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1
import NIOHTTP2
import SimorghCore

/// Detects the HTTP version of a connection by its first bytes, and sets up its handlers.
final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let state: MockServerState
    private let threads: ServerThreads
    private let isSecure: Bool
    private var detection = ProtocolDetection()
    private var number: Int?

    init(state: MockServerState, threads: ServerThreads, isSecure: Bool) {
        self.state = state
        self.threads = threads
        self.isSecure = isSecure
    }

    func handlerAdded(context: ChannelHandlerContext) {
        number = state.log.opened(context.channel)
        if number == nil { context.close(promise: nil) }
        let (log, channel) = (state.log, context.channel)
        context.channel.closeFuture.whenComplete { _ in log.closed(channel) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch detection.receive(unwrapInboundIn(data)) {
        case .wait: break
        case .start(let isHTTP2): start(isHTTP2: isHTTP2, context: context)
        case .forward(let bytes): context.fireChannelRead(wrapInboundOut(bytes))
        }
    }

    private func start(isHTTP2: Bool, context: ChannelHandlerContext) {
        let protocols = state.configuration.protocols
        guard let number, protocols.contains(isHTTP2 ? .http2 : .http1) else { return context.close(promise: nil) }
        do {
            if isHTTP2 { try addHTTP2(number, context: context) } else { try addHTTP1(number, context: context) }
        } catch {
            return context.close(promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(detection.started()))
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func addHTTP1(_ number: Int, context: ChannelHandlerContext) throws {
        let pipeline = context.pipeline.syncOperations
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(
            MockHTTP1Handler(state: state, threads: threads, connection: number, isSecure: isSecure, decoder: decoder))
    }

    private func addHTTP2(_ number: Int, context: ChannelHandlerContext) throws {
        let (state, threads, isSecure) = (state, threads, isSecure)
        let streams = min(max(0, state.configuration.maximumConcurrentStreams), Int(Int32.max))
        var settings = NIOHTTP2Handler.ConnectionConfiguration()
        settings.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 64 * 1024),
        ]
        _ = try context.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: settings, streamConfiguration: .init()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(
                    MockHTTP2Handler(state: state, threads: threads, connection: number, isSecure: isSecure))
            }
        }
    }
}
