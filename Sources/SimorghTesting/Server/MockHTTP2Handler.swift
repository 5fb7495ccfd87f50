// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import SimorghCore

/// A stream of an HTTP/2 connection: a request and its response.
final class MockHTTP2Handler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload

    private let state: MockServerState
    private let threads: ServerThreads
    private let connection: Int
    private let isSecure: Bool
    private var exchange: MockExchange?
    private var task: Task<Void, Never>?
    private var isAnswered = false
    private var isRead = false
    private let readThrottle: ReadThrottle

    init(state: MockServerState, threads: ServerThreads, connection: Int, isSecure: Bool) {
        self.state = state
        self.threads = threads
        self.connection = connection
        self.isSecure = isSecure
        readThrottle = ReadThrottle(time: state.configuration.time, threads: threads)
    }

    func channelInactive(context: ChannelHandlerContext) {
        readThrottle.cancelPause()
        task?.cancel()
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        guard !isRead, !isAnswered, let pace = exchange?.pace else { return context.read() }
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let isPaused = readThrottle.pauseIfNeeded(for: pace, on: context.eventLoop) {
            let (handler, context) = here.value
            if context.channel.isActive { handler.read(context: context) }
        }
        if !isPaused { context.read() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // An incomplete request returns its reserved response to the queue.
        (exchange, task) = (nil, nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers) where exchange == nil:
            handleHead(headers.headers, context: context)
            if headers.endStream { end(HTTPFields(), context: context) }
        case .headers(let trailers): end(Self.fields(trailers.headers), context: context)
        case .data(let data):
            if case .byteBuffer(let bytes) = data.data, !isAnswered, bytes.readableBytes > 0 {
                exchange?.append(bytes)
                readThrottle.didRead(bytes.readableBytes)
                if exchange?.moment == .atBody { answer(context) }
            }
            if data.endStream { end(HTTPFields(), context: context) }
        default: break
        }
    }

    private func handleHead(_ headers: HPACKHeaders, context: ChannelHandlerContext) {
        guard let method = headers.first(name: ":method").flatMap({ HTTPRequest.Method($0) }) else {
            return context.close(promise: nil)
        }
        var request = HTTPRequest(
            method: method, scheme: headers.first(name: ":scheme") ?? (isSecure ? "https" : "http"),
            authority: headers.first(name: ":authority") ?? headers.first(name: "host"),
            path: headers.first(name: ":path"))
        request.headerFields = Self.fields(headers)
        let arrival = RecordedRequest.Arrival(connection: connection, isSecure: isSecure, protocolName: "h2")
        let exchange = MockExchange(request, arrival: arrival, state: state)
        self.exchange = exchange
        if exchange.moment == .atHead {
            answer(context)
        } else if headers.first(name: "expect")?.lowercased() == "100-continue" {
            let headers = HPACKHeaders([(":status", "100")])
            context.writeAndFlush(NIOAny(HTTP2Frame.FramePayload.headers(.init(headers: headers))), promise: nil)
        }
    }

    private func end(_ trailers: HTTPFields, context: ChannelHandlerContext) {
        isRead = true
        let remainingDelay = readThrottle.takeRemainingDelay(exchange?.pace)
        exchange?.end(trailers, remainingDelay: remainingDelay)
        answer(context)
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let exchange, !isAnswered else { return }
        isAnswered = true
        let id = (try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)) ?? 1
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        task = exchange.answer(state: state, threads: threads, over: MockHTTP2ResponseWriter(context.channel, id: id)) {
            loop.execute { here.value.handler.answered(here.value.context) }
        }
    }

    /// Continues after the response was written.
    ///
    /// The rest of the request is not needed.
    private func answered(_ context: ChannelHandlerContext) {
        task = nil
        guard !isRead, context.channel.isActive else { return }
        // NO_ERROR means that the response is complete (RFC 9113, section 8.1).
        context.writeAndFlush(NIOAny(HTTP2Frame.FramePayload.rstStream(.noError)), promise: nil)
    }

    private static func fields(_ headers: HPACKHeaders) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value, _) in headers where !name.hasPrefix(":") && name != "host" {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}
