// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTP1
import SimorghCore

/// One connection of HTTP/1.1: reads requests one at a time, and answers each before the next.
///
/// Requests that come before the one in hand is answered wait in a short queue, past which nothing more is read.
final class MockHTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer

    private static let queueLimit = 16

    private let hub: MockHub
    private let threads: ServerThreads
    private let connection: Int
    private let isSecure: Bool
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>

    private var exchange: MockExchange?
    private var wire: HTTP1Wire?
    private var task: Task<Void, Never>?
    /// Whether all of the request has come that is in hand.
    private var isRead = false
    private var isClosing = false
    private var minor = 1
    private var wantsClose = false
    private var queue = CircularBuffer<HTTPServerRequestPart>()
    private var wantsRead = false
    private let brake: MockBrake

    init(
        _ hub: MockHub, _ threads: ServerThreads, connection: Int, isSecure: Bool,
        _ decoder: ByteToMessageHandler<HTTPRequestDecoder>
    ) {
        self.hub = hub
        self.threads = threads
        self.connection = connection
        self.isSecure = isSecure
        self.decoder = decoder
        brake = MockBrake(hub.configuration.time, threads)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosing = true
        brake.release()
        task?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // The wire knows how to come back here.
        (wire, exchange, task) = (nil, nil, nil)
        queue.removeAll()
    }

    func read(context: ChannelHandlerContext) {
        if queue.count > Self.queueLimit || isSlow(context) { wantsRead = true } else { context.read() }
    }

    /// Whether the rest of the request is to wait.
    private func isSlow(_ context: ChannelHandlerContext) -> Bool {
        guard !isClosing, !isRead, let pace = exchange?.pace else { return false }
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        return brake.holds(pace, on: context.eventLoop) {
            let (handler, context) = here.value
            guard handler.wantsRead, !handler.isClosing else { return }
            handler.wantsRead = false
            handler.read(context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, !isClosing, wire == nil else { return context.close(promise: nil) }
        refuse(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest, context)
    }

    /// Answers what is not a request, and closes the connection.
    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        isClosing = true
        let answer =
            "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isClosing else { return }
        if wire != nil, isRead { queue.append(part) } else { take(part, context) }
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): takeHead(head, context)
        case .body(let bytes):
            if wire != nil { return }
            exchange?.take(bytes)
            brake.took(bytes.readableBytes)
            if exchange?.moment == .atBody { answer(context) }
        case .end(let trailers):
            isRead = true
            let owed = brake.settle(exchange?.pace)
            exchange?.end(Self.fields(trailers), owing: owed)
            if wire == nil { answer(context) }
        }
    }

    private func takeHead(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isRead = false
        minor = head.version.minor
        wantsClose = !head.isKeepAlive || head.headers.contains(name: "upgrade")
        // RFC 9112, section 3.2: a server refuses a request with more than one Host field.
        guard let method = HTTPRequest.Method(head.method.rawValue), head.headers["host"].count <= 1 else {
            return refuse(.badRequest, context)
        }
        var request = HTTPRequest(
            method: method, scheme: isSecure ? "https" : "http", authority: head.headers.first(name: "host"),
            path: head.uri)
        request.headerFields = Self.fields(head.headers)
        let arrival = RecordedRequest.Arrival(connection: connection, isSecure: isSecure, protocolName: "http/1.1")
        let exchange = MockExchange(request, arrival, hub)
        self.exchange = exchange
        if exchange.moment == .atHead {
            answer(context)
        } else if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
            context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let exchange, wire == nil else { return }
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let wire = HTTP1Wire(
            context.channel, isHead: exchange.head.method == .head, minor: minor, closes: wantsClose || !isRead
        ) { script, request in
            try await loop.submit { try here.value.handler.upgrade(script, request, here.value.context) }.get()
        }
        self.wire = wire
        task = exchange.answer(hub, threads, over: wire) {
            loop.execute { here.value.handler.answered(here.value.context) }
        }
    }

    /// The answer is written, or the connection is nobody's any more.
    private func answered(_ context: ChannelHandlerContext) {
        guard let wire, !isClosing, !wire.isBroken else { return }
        task = nil
        if wire.closes { return close(context) }
        (self.wire, exchange, isRead) = (nil, nil, false)
        // A request that has come whole meanwhile has its own answer to wait for, and with it what is behind it.
        while !isClosing, !queue.isEmpty, !(self.wire != nil && isRead) { take(queue.removeFirst(), context) }
        guard wantsRead, queue.count <= Self.queueLimit else { return }
        wantsRead = false
        context.read()
    }

    private func close(_ context: ChannelHandlerContext) {
        isClosing = true
        queue.removeAll()
        guard !isRead else { return context.close(promise: nil) }
        // Closing while the request still comes would reset the connection, and the answer with it. So only our end is
        // closed, and what comes is read and dropped for a while.
        context.close(mode: .output, promise: nil)
        if wantsRead { context.read() }
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(2)) { context.close(promise: nil) }
    }

    // MARK: WebSocket

    /// Agrees to a WebSocket, where one was asked for, and hands the connection over to it.
    private func upgrade(
        _ script: WebSocketScript, _ request: RecordedRequest, _ context: ChannelHandlerContext
    ) throws -> MockSocket? {
        guard !isClosing else { return nil }
        let task = task
        let socket = try MockSocket.accept(script, request, upTo: hub.configuration.maximumBodyBytes, context) {
            task?.cancel()
        }
        guard let socket else { return nil }
        let pipeline = context.pipeline.syncOperations
        // What came behind the handshake is in the decoder, which hands it on when it goes.
        isClosing = true
        pipeline.removeHandler(self, promise: nil)
        pipeline.removeHandler(decoder, promise: nil)
        return socket
    }

    private static func fields(_ headers: HTTPHeaders?) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers ?? [:] where name.lowercased() != "host" {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }
}
