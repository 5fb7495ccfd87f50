// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTP1
import SimorghCore
import SimorghSupport

/// One connection of a server: reads requests one at a time, finds their routes and sends the replies.
///
/// Requests that come before the one in hand is answered wait in a short queue, past which nothing more is read.
final class LoopbackConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The request in hand.
    struct Exchange {
        var request: LoopbackRequest
        var route: Route?
        var intake = Route.Intake.none
        var minor = 1
        var wantsKeepAlive = true
        var bodyLength: Int64 = 0
        var upload: UploadReader?
        /// Whether all of the request has come.
        var isRead = false
        /// Whether the reply has been begun.
        var isAnswered = false
        /// Whether the reply has been sent.
        var isSent = false
    }

    private static let queueLimit = 16

    private let router: SharedRouter
    let log: ServerLog
    let threads: ServerThreads
    let limits: LoopbackServer.Limits
    private let isSecure: Bool
    /// Reads HTTP until the connection is upgraded.
    let decoder: ByteToMessageHandler<HTTPRequestDecoder>

    private var number = 0
    private var origin = ""
    var exchange: Exchange?
    private var sender: ReplySender?
    var handlerTask: Task<Void, Never>?
    private var queue = CircularBuffer<HTTPServerRequestPart>()
    private var isTakingFromQueue = false
    private var wantsRead = false
    var isClosing = false
    private var date = (second: 0, text: "")

    init(
        router: SharedRouter, log: ServerLog, threads: ServerThreads, limits: LoopbackServer.Limits, isSecure: Bool,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>
    ) {
        self.router = router
        self.decoder = decoder
        self.threads = threads
        self.log = log
        self.limits = limits
        self.isSecure = isSecure
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard origin.isEmpty else { return }
        origin = context.remoteAddress?.ipAddress ?? "?"
        guard let number = log.opened(context.channel) else { return context.close(promise: nil) }
        self.number = number
    }

    func channelInactive(context: ChannelHandlerContext) {
        handlerTask?.cancel()
        sender?.stop()
        sender = nil
        exchange = nil
        queue.removeAll()
        isClosing = true
        log.closed(context.channel)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isClosing, let error = error as? HTTPParserError, exchange?.isAnswered != true else {
            return context.close(promise: nil)
        }
        let status = error == .headerOverflow ? 431 : 400
        exchange = Exchange(request: LoopbackRequest(method: "", target: "/"), wantsKeepAlive: false, isRead: true)
        answer(.error(status, "the request is not valid HTTP: \(error)"), context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isClosing else { return }
        // What comes after the end of the request in hand belongs to the next one.
        if exchange?.isRead == true || isTakingFromQueue { queue.append(part) } else { take(part, context) }
    }

    func read(context: ChannelHandlerContext) {
        if queue.count > Self.queueLimit { wantsRead = true } else { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { sender?.resume(context) }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Reading

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): takeHead(head, context)
        case .body(let bytes): takeBody(bytes, context)
        case .end: takeEnd(context)
        }
    }

    private func takeHead(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let fields = head.headers.map { (name: $0.name, value: $0.value) }
        var request = LoopbackRequest(
            method: head.method.rawValue, target: head.uri, isSecure: isSecure, origin: origin, fields: fields)
        let connection = number
        let method = HTTPRequest.Method(head.method.rawValue) ?? .get
        request.index = log.began { index in
            LoggedRequest(
                index: index, connection: connection, isSecure: isSecure, method: method, target: head.uri,
                headers: fields.map { LoggedRequest.Header(name: $0.name, value: $0.value) })
        }
        // Behind a request for an upgrade the decoder reads nothing more.
        let wantsKeepAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade")
        var exchange = Exchange(request: request, minor: head.version.minor, wantsKeepAlive: wantsKeepAlive)
        let match = router.match(request.method, request.target.path)
        if case .route(let route, let parameters) = match {
            exchange.request.parameters = parameters
            exchange.route = route
            exchange.intake = route.intake
            // Without a body the end follows at once, and nothing is left to read when the reply closes the connection.
            if route.intake == .none, !Self.hasBody(head) { exchange.intake = .dropped }
        } else {
            exchange.intake = .dropped
        }
        let announced = head.headers.first(name: "content-length").flatMap { Int64($0) } ?? 0
        if exchange.intake == .multipart {
            exchange.upload = UploadReader(contentType: request.field("content-type") ?? "")
        }
        self.exchange = exchange
        if exchange.intake == .none {
            reply(context)
        } else if announced > limit(of: exchange.intake) {
            refuse(context)
        } else if request.field("expect")?.lowercased() == "100-continue" {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
    }

    private func takeBody(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard var exchange else { return }
        self.exchange = nil  // The body would be copied if two held it.
        exchange.bodyLength += Int64(bytes.readableBytes)
        let isTooLarge = exchange.bodyLength > limit(of: exchange.intake)
        if !isTooLarge, !exchange.isAnswered {
            switch exchange.intake {
            case .kept: exchange.request.body.writeImmutableBuffer(bytes)
            case .multipart: exchange.upload?.read(bytes)
            case .none, .dropped: break
            }
        }
        let isAnswered = exchange.isAnswered
        self.exchange = exchange
        log.received(exchange.request.index, bytes: exchange.bodyLength, isComplete: false)
        guard isTooLarge else { return }
        if isAnswered { context.close(promise: nil) } else { refuse(context) }
    }

    private func takeEnd(_ context: ChannelHandlerContext) {
        guard let exchange else { return }
        self.exchange?.isRead = true
        log.received(exchange.request.index, bytes: exchange.bodyLength, isComplete: true)
        if exchange.isAnswered { next(context) } else { reply(context) }
    }

    private static func hasBody(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "transfer-encoding") || head.headers.contains(name: "content-length")
    }

    private func limit(of intake: Route.Intake) -> Int64 {
        Int64(intake == .kept ? limits.keptBody : limits.streamedBody)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        guard case .message(var message) = Reply.error(413, "the body is larger than this server takes") else { return }
        message.closes = true
        answer(.message(message), context)
    }

    // MARK: Answering

    private func reply(_ context: ChannelHandlerContext) {
        guard var exchange else { return }
        guard let route = exchange.route else { return answer(unrouted(exchange.request), context) }
        exchange.request.upload = exchange.upload?.finish()
        self.exchange?.request.body = ByteBuffer()
        switch route.answer {
        case .reply(let make): answer(make(exchange.request), context)
        case .handler(let handler): run(handler, exchange.request, context)
        }
    }

    private func unrouted(_ request: LoopbackRequest) -> Reply {
        switch router.match(request.method, request.target.path) {
        case .otherMethods(let methods):
            let allow = [(name: "Allow", value: methods.joined(separator: ", "))]
            if request.method == "OPTIONS" { return .status(200, allow) }
            return .error(405, "\(request.target.path) does not take \(request.method)", allow)
        case .nothing where request.method == "OPTIONS" && request.target.path == "*":
            return .status(200, [("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")])
        case .nothing, .route: return .error(404, "there is nothing at \(request.target.path)")
        }
    }

    private func run(
        _ handler: @escaping @Sendable (RecordedRequest) async throws -> StubResponse,
        _ request: LoopbackRequest, _ context: ChannelHandlerContext
    ) {
        guard let recorded = request.recorded else { return answer(.error(400, "the method is not valid"), context) }
        exchange?.isAnswered = true
        let here = NIOLoopBound((connection: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        threads.began()
        handlerTask = Task { [threads] in
            defer { threads.ended() }
            let reply: Reply
            var script: WebSocketScript?
            do {
                let stub = try await handler(recorded)
                try await stub.gate?.wait()
                if case .webSocket(let found) = stub.content { script = found }
                reply = Reply(stub)
            } catch {
                reply = .error(500, "the route failed: \(error)")
            }
            loop.execute { [script] in
                let (connection, context) = here.value
                connection.handlerTask = nil
                if let script {
                    connection.upgrade(by: script, recorded, context)
                } else {
                    connection.answer(reply, context)
                }
            }
        }
    }

    func answer(_ reply: Reply, _ context: ChannelHandlerContext) {
        guard !isClosing, let exchange else { return }
        self.exchange?.isAnswered = true
        let sender: ReplySender
        switch reply {
        case .wire(let steps): sender = ReplySender(wire: steps, threads)
        case .message(let message):
            let head = ReplyHead(
                message, method: exchange.request.method, minor: exchange.minor,
                wantsKeepAlive: exchange.wantsKeepAlive, date: today())
            sender = ReplySender(head, message, threads)
        }
        self.sender = sender
        sender.start(context) { [self] end in sent(end, context) }
    }

    private func today() -> String {
        let second = Int(Date().timeIntervalSince1970)
        if second != date.second { date = (second, HTTPDate.text(second)) }
        return date.text
    }

    /// The reply is written, its last bytes perhaps not yet sent.
    private func sent(_ end: ReplySender.End, _ context: ChannelHandlerContext) {
        log.served()
        sender = nil
        exchange?.isSent = true
        switch end {
        case .keepAlive: next(context)
        case .close: close(context)
        case .reset: reset(context)
        }
    }

    /// Goes on to the next request, when this one is read and answered.
    private func next(_ context: ChannelHandlerContext) {
        guard let exchange, exchange.isRead, exchange.isSent, !isClosing else { return }
        self.exchange = nil
        // A reply that is sent at once comes back here: only the outermost call goes on, or the stack would grow.
        guard !isTakingFromQueue else { return }
        isTakingFromQueue = true
        while !queue.isEmpty, self.exchange?.isRead != true, !isClosing { take(queue.removeFirst(), context) }
        isTakingFromQueue = false
        if wantsRead, queue.count <= Self.queueLimit {
            wantsRead = false
            context.read()
        }
    }

    // MARK: Closing

    private func close(_ context: ChannelHandlerContext) {
        isClosing = true
        let isRead = exchange?.isRead ?? true
        exchange = nil
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
        let loop = context.eventLoop.assumeIsolated()
        promise.futureResult.assumeIsolated().whenComplete { result in
            guard !isRead, case .success = result else { return context.close(promise: nil) }
            // Closing while the request still comes would reset the connection, and the reply with it. So only our
            // end is closed, and what comes is read and dropped for a while.
            context.close(mode: .output, promise: nil)
            loop.scheduleTask(in: .seconds(2)) { context.close(promise: nil) }
        }
    }

    private func reset(_ context: ChannelHandlerContext) {
        isClosing = true
        exchange = nil
        guard let options = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            context.channel.close(promise: nil)
        }
    }
}
