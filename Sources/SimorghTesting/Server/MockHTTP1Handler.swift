// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTP1
import SimorghCore

/// An HTTP/1.1 connection: reads requests one at a time, and responds to each before the next.
///
/// Pipelined requests wait in a short queue. Reading stops when it is full.
final class MockHTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer

    private static let queueLimit = 16

    private let state: MockServerState
    private let threads: ServerThreads
    private let connection: Int
    private let isSecure: Bool
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>

    private var exchange: MockExchange?
    private var writer: MockHTTP1ResponseWriter?
    private var task: Task<Void, Never>?
    /// True if the current request has arrived completely.
    private var isRead = false
    private var isClosing = false
    private var minor = 1
    private var wantsClose = false
    private var queue = CircularBuffer<HTTPServerRequestPart>()
    private var wantsRead = false
    private let readThrottle: ReadThrottle

    init(
        state: MockServerState, threads: ServerThreads, connection: Int, isSecure: Bool,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>
    ) {
        self.state = state
        self.threads = threads
        self.connection = connection
        self.isSecure = isSecure
        self.decoder = decoder
        readThrottle = ReadThrottle(time: state.configuration.time, threads: threads)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosing = true
        readThrottle.cancelPause()
        task?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // Breaks the reference cycle: the writer refers to this handler.
        (writer, exchange, task) = (nil, nil, nil)
        queue.removeAll()
    }

    func read(context: ChannelHandlerContext) {
        if queue.count > Self.queueLimit || isSlow(context) { wantsRead = true } else { context.read() }
    }

    /// Returns true if the rest of the request has to wait.
    private func isSlow(_ context: ChannelHandlerContext) -> Bool {
        guard !isClosing, !isRead, let pace = exchange?.pace else { return false }
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        return readThrottle.pauseIfNeeded(for: pace, on: context.eventLoop) {
            let (handler, context) = here.value
            guard handler.wantsRead, !handler.isClosing else { return }
            handler.wantsRead = false
            handler.read(context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, !isClosing, writer == nil else {
            return context.close(promise: nil)
        }
        refuse(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest, context: context)
    }

    /// Responds to an invalid request, and closes the connection.
    private func refuse(_ status: HTTPResponseStatus, context: ChannelHandlerContext) {
        isClosing = true
        let answer =
            "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isClosing else { return }
        if writer != nil, isRead { queue.append(part) } else { handle(part, context: context) }
    }

    private func handle(_ part: HTTPServerRequestPart, context: ChannelHandlerContext) {
        switch part {
        case .head(let head): handleHead(head, context: context)
        case .body(let bytes):
            if writer != nil { return }
            exchange?.append(bytes)
            readThrottle.didRead(bytes.readableBytes)
            if exchange?.moment == .atBody { answer(context) }
        case .end(let trailers):
            isRead = true
            let remainingDelay = readThrottle.takeRemainingDelay(exchange?.pace)
            exchange?.end(Self.fields(trailers), remainingDelay: remainingDelay)
            if writer == nil { answer(context) }
        }
    }

    private func handleHead(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
        isRead = false
        minor = head.version.minor
        wantsClose = !head.isKeepAlive || head.headers.contains(name: "upgrade")
        // A server must reject a request with more than one Host field (RFC 9112, section 3.2).
        guard let method = HTTPRequest.Method(head.method.rawValue), head.headers["host"].count <= 1 else {
            return refuse(.badRequest, context: context)
        }
        var request = HTTPRequest(
            method: method, scheme: isSecure ? "https" : "http", authority: head.headers.first(name: "host"),
            path: head.uri)
        request.headerFields = Self.fields(head.headers)
        let arrival = RecordedRequest.Arrival(connection: connection, isSecure: isSecure, protocolName: "http/1.1")
        let exchange = MockExchange(request, arrival: arrival, state: state)
        self.exchange = exchange
        if exchange.moment == .atHead {
            answer(context)
        } else if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
            context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let exchange, writer == nil else { return }
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let writer = MockHTTP1ResponseWriter(
            context.channel, isHead: exchange.head.method == .head, minor: minor, closes: wantsClose || !isRead
        ) { script, request in
            try await loop.submit {
                try here.value.handler.upgrade(script, request: request, context: here.value.context)
            }.get()
        }
        self.writer = writer
        task = exchange.answer(state: state, threads: threads, over: writer) {
            loop.execute { here.value.handler.answered(here.value.context) }
        }
    }

    /// Continues after the response was written, or after the connection became unusable.
    private func answered(_ context: ChannelHandlerContext) {
        guard let writer, !isClosing, !writer.isBroken else { return }
        task = nil
        if writer.closes { return close(context) }
        (self.writer, exchange, isRead) = (nil, nil, false)
        // If a queued request is complete, it and the parts after it wait for its response.
        while !isClosing, !queue.isEmpty, !(self.writer != nil && isRead) {
            handle(queue.removeFirst(), context: context)
        }
        guard wantsRead, queue.count <= Self.queueLimit else { return }
        wantsRead = false
        context.read()
    }

    private func close(_ context: ChannelHandlerContext) {
        isClosing = true
        queue.removeAll()
        guard !isRead else { return context.close(promise: nil) }
        // Closing while the request is still arriving would reset the connection and lose the response. Only the output
        // is closed, and input is discarded for a while.
        context.close(mode: .output, promise: nil)
        if wantsRead { context.read() }
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(2)) { context.close(promise: nil) }
    }

    // MARK: WebSocket

    /// Accepts a WebSocket if the request asks for one, and passes the connection to it.
    private func upgrade(
        _ script: WebSocketScript, request: RecordedRequest, context: ChannelHandlerContext
    ) throws -> MockSocket? {
        guard !isClosing else { return nil }
        let task = task
        let socket = try MockSocket.accept(
            script, request: request, upTo: state.configuration.maximumBodyBytes, context: context
        ) {
            task?.cancel()
        }
        guard let socket else { return nil }
        let pipeline = context.pipeline.syncOperations
        // Bytes after the handshake are in the decoder, which forwards them when it is removed.
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
