// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import NIOSSL
import NIOTLS
import SimorghCore
import SimorghSupport

/// The one handler of a connection: it writes requests, gathers responses and keeps the time, on the connection's loop.
///
/// What follows from what is decided by ``ExchangeMachine``; the time limits are in `ConnectionHandler+Time`, bodies that
/// go out in `ConnectionHandler+Upload`.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What is going on besides the machine's own state; made anew for each exchange.
    ///
    /// A class, since it is looked at in many places and large to copy. What is unchecked is so as in the handler.
    final class Current {
        let exchange: Exchange
        let began: NIODeadline

        init(_ exchange: Exchange, began: NIODeadline) {
            self.exchange = exchange
            self.began = began
        }

        var requestEnded: NIODeadline?
        var headCame: NIODeadline?
        @exclusivity(unchecked) var timings = ExchangeTimings()
        var response: HTTPResponse?
        var codings: [String] = []
        @exclusivity(unchecked) var body = CollectedBody()
        var stream: BodyStream?
        /// The response whose body streams, until all has been looked at that came with its head.
        var undelivered: TransportResponse?
        /// Where is put what only the end of a body tells.
        var ending: ResponseEnding?
        /// How many bytes of a body are still taken that nobody reads; `nil` while somebody does.
        var unwanted: Int?

        /// The exchange is over, well or not: its times are whole.
        func ended(_ now: NIODeadline) {
            if let headCame { timings.body = now.since(headCame) }
            timings.total = now.since(exchange.started)
        }
    }

    // What is unchecked changes by methods of values that know nothing of this handler: no two accesses can overlap.
    var context: ChannelHandlerContext?
    var connection: WireConnection?
    @exclusivity(unchecked) var machine = ExchangeMachine()
    var current: Current?
    /// How many exchanges were carried.
    var carried = 0
    /// Nothing more goes over this connection.
    var isDead = false
    /// What opened the connection, until it is open.
    var opening: Opening?
    /// What ALPN agreed on.
    var negotiated: String?
    /// What is known of the server's certificates; `nil` in the clear.
    let verification: PeerVerification?
    /// Why the server closed the connection, where it said so.
    var farewell: TransportError?

    // Reading
    @exclusivity(unchecked) var parser = ResponseParser()
    /// What the parser has left: the beginning of a line.
    @exclusivity(unchecked) var unread: ByteBuffer?
    var isPaused = false
    var hasHeldRead = false
    /// How a long body is read.
    @exclusivity(unchecked) var gathering = Gathering()

    // Sending
    var rest: RestOfUpload?
    @exclusivity(unchecked) var memory = RequestMemory()

    // Time
    @exclusivity(unchecked) var clock = PhaseClock()
    /// What wakes it.
    var alarm: LoopClock?
    var alarmPlace: LoopClock.Place?
    /// When it last began to idle.
    var idleSince = NIODeadline.distantPast

    init(_ verification: PeerVerification?) {
        self.verification = verification
        opening = verification == nil ? .open : .handshake(nil)
    }

    // MARK: An exchange begins

    func begin(_ exchange: Exchange, isFresh: Bool) {
        guard let context, let connection, !isDead, context.channel.isActive, current == nil else {
            return decline(exchange, isFresh: isFresh)
        }
        let now = NIODeadline.now()
        guard !exchange.isOver else {
            rest(connection, now)
            return
        }
        let plan = exchange.plan
        if !isFresh, now - idleSince >= ConnectionHealth.trust || !plan.isReplayable,
            ConnectionHealth.isOver(context.channel)
        {
            return decline(exchange, isFresh: false)
        }
        let current = Current(exchange, began: now)
        current.timings = ExchangeTimings(
            beginning: exchange, on: connection, isReused: carried > 0, hasWaited: isFresh && carried == 0, at: now)
        carried += 1
        machine.began(hasUpload: !plan.upload.isNone, isIdleConnection: !isFresh, wantsClose: plan.closes)
        parser.begin(isHead: plan.isHead, limits: plan.request.options.limits)
        if plan.upload.isNone { current.requestEnded = now }
        self.current = current
        clock.total = exchange.totalDeadline
        let head = memory.write(plan)
        current.timings.sentBytes = Int64(head.readableBytes)
        switch plan.upload {
        case .none:
            startPhase(.head, exchange.timeouts.head, from: now)
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
        case .bytes where plan.continueTimeout == nil:
            context.write(wrapOutboundOut(head), promise: nil)
            beginUpload(context)
        case .bytes, .chunks:
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
            guard self.current === current else { return }
            guard let patience = plan.continueTimeout else { return beginUpload(context) }
            rest = RestOfUpload(cursor: .held)
            startPhase(.consent, patience, from: now)
        }
    }

    /// The connection cannot take an exchange: not a byte has left, so whatever the request is, it may go out elsewhere,
    /// unless it would fare the same there.
    private func decline(_ exchange: Exchange, isFresh: Bool) {
        if current == nil {
            retire()
            // It may have died while the pool took it to be opening.
            if let connection { connection.pool.closed(connection) }
        }
        let error = TransportError.lost(.request, sent: false)
        exchange.finish(farewell.map { .failed($0) } ?? (isFresh ? .stale(error) : .idleEnded(error)))
    }

    // MARK: A response comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard current != nil else { return readUnasked(data) }
        machine.receivedBytes()
        var bytes = unwrapInboundIn(data)
        current?.timings.receivedBytes += Int64(bytes.readableBytes)
        if var unread {
            self.unread = nil
            unread.writeBuffer(&bytes)
            bytes = unread
        }
        // Each event may be the last that anybody waits for.
        while let current {
            do {
                switch try parser.next(&bytes) {
                case .head(let head): received(head)
                case .body(let part): received(part)
                case .end: return responseEnded(isAlone: bytes.readableBytes == 0)
                case .none:
                    if bytes.readableBytes > 0 { unread = bytes.slice() }
                    deliver(current)
                    if !machine.isWaitingForHead, current.unwanted == nil {
                        startMoving(current.exchange, from: .now())
                    }
                    return
                }
            } catch {
                refuse(error)
            }
        }
    }

    /// A server that speaks HTTP/2 begins by itself, maybe before it was found out that it does; another one that speaks
    /// without being asked is not to be listened to.
    private func readUnasked(_ data: NIOAny) {
        // A judge of certificates may take his time.
        guard opening != nil, unread?.readableBytes ?? 0 < 64 * 1024 else { return retire() }
        var bytes = unwrapInboundIn(data)
        unread.setOrWriteBuffer(&bytes)
    }

    /// The response is whole, as far as it can tell.
    ///
    /// - Parameter isAlone: Whether nothing follows it on the connection. What does would be taken for the answer to the
    ///   next request.
    private func responseEnded(isAlone: Bool) {
        if !parser.trailerFields.isEmpty { keepTrailers(parser.trailerFields) }
        switch machine.receivedEnd() {
        case .complete(let reuse): end(reuse: reuse && isAlone)
        case .truncated: fail(.truncated)
        case .ignore: break
        }
    }

    private func keepTrailers(_ fields: HTTPFields) {
        if let known = current?.ending {
            known.set(fields)
        } else {
            current?.ending = ResponseEnding(fields)
        }
    }

    private func received(_ bytes: ByteBuffer) {
        if let current, let unwanted = current.unwanted {
            current.unwanted = unwanted - bytes.readableBytes
            if unwanted < bytes.readableBytes { current.exchange.cancel() }
            return
        }
        if let stream = current?.stream {
            if stream.push(bytes) == .none { pauseReading() }
            return
        }
        guard let current, case .collected(let limit) = current.exchange.plan.request.options.delivery else { return }
        if !current.body.append(bytes, upTo: limit) { fail(.bodyTooLarge(CollectedBody.bound(limit))) }
    }

    // MARK: An exchange ends

    /// The response is whole: the connection is given back first, then the answer, so that the next request of the same
    /// task finds it.
    private func end(reuse: Bool) {
        guard let current, let connection else { return }
        self.current = nil
        let now = NIODeadline.now()
        stopUpload(of: current)
        if reuse {
            rest(connection, now)
        } else {
            retire()
        }
        current.ended(now)
        if let stream = current.stream {
            current.ending?.end(current.timings)
            stream.end()
            deliver(current)
            current.exchange.bodyEnded()
            return
        }
        guard let response = current.response else { return }
        current.exchange.finish(
            .response(
                TransportResponse(
                    head: response, body: ResponseBody(current.body.data), timings: current.timings,
                    connection: connection.info, ending: current.ending),
                codings: current.codings))
    }

    /// Puts the connection back.
    private func rest(_ connection: WireConnection, _ now: NIODeadline) {
        memory.wipe()
        readLittle()
        resumeReading()
        clock.total = nil
        startIdling(connection, from: now)
        connection.pool.giveBack(connection, now: now)
    }

    /// Gives an exchange up with an error, and the connection with it.
    func fail(_ error: TransportError) {
        guard let current else { return }
        self.current = nil
        machine.abandoned()
        stopUpload(of: current)
        retire()
        report(error, to: current)
    }

    /// An error with what is known of its exchange.
    private func known(_ error: TransportError, _ current: Current) -> TransportError {
        var error = error
        current.ended(.now())
        error.attempts = current.exchange.attempt
        error.facts = current.facts(connection?.info)
        return error
    }

    private func report(_ error: TransportError, to current: Current) {
        let error = known(error, current)
        if let stream = current.stream {
            current.ending?.end(current.timings, error)
            stream.end(error)
            deliver(current)
            current.exchange.bodyEnded()
        } else {
            current.exchange.finish(.failed(error))
        }
    }

    /// Stops an exchange that nobody waits for.
    func abort(_ exchange: Exchange) {
        guard let current, current.exchange === exchange else { return }  // It ended by itself meanwhile.
        self.current = nil
        machine.abandoned()
        stopUpload(of: current)
        retire()
        if let ending = current.ending {
            let error = known(.cancelled(phase: .body), current)
            ending.end(current.timings, error)
        }
    }

    /// Closes the connection and tells the pool.
    func retire() {
        guard !isDead else { return }
        isDead = true
        unread = nil
        memory.wipe()
        clock.stop()
        alarm?.forget(alarmPlace)
        if let connection { connection.pool.closed(connection) }
        context?.close(promise: nil)
    }

    /// The connection is gone, or as good as.
    private func lost(_ cause: (any Error)?) {
        let action = machine.lost()
        if carried <= 1, let verification, let cause {
            farewell = TLSAlert.error(afterHandshake: cause, hasIdentity: verification.options.identity != nil)
        }
        guard let current else {
            retire()
            return
        }
        self.current = nil
        stopUpload(of: current)
        retire()
        if let farewell { return report(farewell, to: current) }
        switch action {
        case .none: report(.lost(.head, sent: true, cause), to: current)
        case .stale:
            let error = known(.lost(.head, sent: true, cause), current)
            current.exchange.finish(current.exchange.plan.isReplayable ? .stale(error) : .failed(error))
        case .withoutHead: report(.lost(.head, sent: true, cause), to: current)
        case .truncated: report(.truncated(cause), to: current)
        }
    }

    // MARK: The channel

    func channelReadComplete(context: ChannelHandlerContext) {
        if let stream = current?.stream { wakeReader(of: stream, context.eventLoop) }
        context.fireChannelReadComplete()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        channelInactive(context: context)
        self.context = nil
        connection = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        openingFailed(ChannelError.eof)
        if current != nil, parser.isUntilClose { responseEnded(isAlone: true) }
        lost(nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if openingFailed(error) { return }
        switch error {
        case NIOSSLError.uncleanShutdown: machine.wasCut()  // The end of the channel follows.
        default: lost(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
            self.negotiated = negotiated
            handshakeCompleted()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if rest != nil, context.channel.isWritable { pumpUpload(context) }
        context.fireChannelWritabilityChanged()
    }
}
