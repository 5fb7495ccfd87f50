// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import NIOSSL
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The HTTP/1.1 handler of a connection: writes requests, reads responses and enforces time limits, on the
/// connection's loop.
///
/// ``ExchangeStateMachine`` decides what events mean. The time limits are in `HTTP1ConnectionHandler+Time`, uploads in
/// `HTTP1ConnectionHandler+Upload`.
final class HTTP1ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The state of the current exchange, besides that of the state machine.
    ///
    /// It is a class, because it is large to copy and used in many places. Its unchecked properties are safe for the
    /// same reason as the handler's.
    final class Current {
        let exchange: Exchange
        let began: NIODeadline

        init(_ exchange: Exchange, began: NIODeadline) {
            self.exchange = exchange
            self.began = began
        }

        /// The time at which the whole request was written.
        var requestSentAt: NIODeadline?
        /// The time at which the head of the response arrived.
        var headReceivedAt: NIODeadline?
        @exclusivity(unchecked) var timings = ExchangeTimings()
        var response: HTTPResponse?
        var codings: [String] = []
        @exclusivity(unchecked) var body = CollectedBody()
        var stream: BodyStream?
        /// The streamed response, until the body bytes that arrived with its head were parsed.
        var undelivered: TransportResponse?
        /// Receives the trailers and final timings at the end of the body.
        var ending: ResponseCompletion?
        /// The number of further bytes to drain of a body that no caller reads; `nil` while a caller does.
        var unwanted: Int?

        /// Completes the timings at the end of the exchange, successful or not.
        func ended(_ now: NIODeadline) {
            if let headReceivedAt { timings.body = now.since(headReceivedAt) }
            timings.total = now.since(exchange.started)
        }
    }

    // Unchecked: these properties change only in methods of values that do not know this handler, so no two accesses
    // overlap.
    var context: ChannelHandlerContext?
    var connection: PooledConnection?
    @exclusivity(unchecked) var machine = ExchangeStateMachine()
    var current: Current?
    /// The number of exchanges so far.
    var exchangeCount = 0
    /// True if the connection can carry no more exchanges.
    var isDead = false
    /// The verification of the server's certificates; `nil` without TLS.
    let verification: PeerVerification?
    /// The reason why the server closed the connection, if it sent one.
    var tlsAlertError: TransportError?

    // Reading
    @exclusivity(unchecked) var parser = ResponseParser()
    /// The bytes that the parser could not use yet: the beginning of a line.
    @exclusivity(unchecked) var unread: ByteBuffer?
    var isPaused = false
    var hasHeldRead = false
    /// The state of read coalescing for a long body.
    @exclusivity(unchecked) var readCoalescing = ReadCoalescing()

    // Sending
    var pendingUpload: PendingUpload?
    @exclusivity(unchecked) var headBuffer = RequestHeadBuffer()

    // Time
    @exclusivity(unchecked) var phaseTimer = PhaseTimer()
    /// The timer wheel of the loop.
    var timerWheel: EventLoopTimerWheel?
    var timerHandle: EventLoopTimerWheel.Handle?
    /// The time at which the connection last became idle.
    var idleSince = NIODeadline.distantPast

    init(_ verification: PeerVerification?) { self.verification = verification }

    /// Takes the connection into use: it is open and belongs to the pool.
    func opened(_ connection: PooledConnection) {
        self.connection = connection
        timerWheel = connection.pool.clock(of: connection.channel.eventLoop)
        startIdling(connection, from: .now())
    }

    /// Prepares the removal of this handler in favor of another protocol's.
    ///
    /// - Returns: The bytes that have already arrived for the other protocol.
    func prepareReplacement() -> ByteBuffer? {
        isDead = true
        phaseTimer.stop()
        timerWheel?.cancel(timerHandle)
        return unread.take()
    }

    // MARK: An exchange begins

    func begin(_ exchange: Exchange, isFresh: Bool) {
        guard let context, let connection, !isDead, context.channel.isActive, current == nil else {
            return decline(exchange, isFresh: isFresh)
        }
        let now = NIODeadline.now()
        guard !exchange.isOver else {
            returnToPool(connection, at: now)
            return
        }
        let plan = exchange.plan
        // A connection that was idle for a while, or a request that cannot be sent twice, is worth a system call to
        // check the socket.
        if !isFresh, now - idleSince >= ConnectionHealth.trust || !plan.isReplayable,
            ConnectionHealth.isOver(context.channel)
        {
            return decline(exchange, isFresh: false)
        }
        let current = Current(exchange, began: now)
        current.timings = ExchangeTimings(
            beginning: exchange, on: connection, isReused: exchangeCount > 0,
            hasWaited: isFresh && exchangeCount == 0, at: now)
        exchangeCount += 1
        machine.began(hasUpload: !plan.upload.isNone, isIdleConnection: !isFresh, wantsClose: plan.closes)
        parser.begin(isHead: plan.isHead, limits: plan.request.options.limits)
        if plan.upload.isNone { current.requestSentAt = now }
        self.current = current
        phaseTimer.total = exchange.totalDeadline
        let head = headBuffer.write(plan)
        current.timings.sentBytes = Int64(head.readableBytes)
        switch plan.upload {
        case .none:
            startPhase(.head, limit: exchange.timeouts.head, from: now)
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
        case .bytes where plan.continueTimeout == nil:
            context.write(wrapOutboundOut(head), promise: nil)
            beginUpload(context)
        case .bytes, .chunks:
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
            guard self.current === current else { return }
            guard let patience = plan.continueTimeout else { return beginUpload(context) }
            pendingUpload = PendingUpload(cursor: .held)
            startPhase(.consent, limit: patience, from: now)
        }
    }

    /// Rejects an exchange that the connection cannot take.
    ///
    /// No byte was sent, so any request may be sent elsewhere, unless it would fail there for the same reason.
    private func decline(_ exchange: Exchange, isFresh: Bool) {
        if current == nil {
            retire()
            // The connection may have died while the pool still counted it as being opened.
            if let connection { connection.pool.closed(connection) }
        }
        let error = TransportError.lost(.request, sent: false)
        exchange.finish(tlsAlertError.map { .failed($0) } ?? (isFresh ? .stale(error) : .idleEnded(error)))
    }

    // MARK: A response comes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A server that sends data without a request is not trusted.
        guard current != nil else { return retire() }
        machine.receivedBytes()
        var bytes = unwrapInboundIn(data)
        current?.timings.receivedBytes += Int64(bytes.readableBytes)
        if var unread {
            self.unread = nil
            unread.writeBuffer(&bytes)
            bytes = unread
        }
        // Each event may end the exchange.
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
                        restartIdleTimeout(current.exchange, from: .now())
                    }
                    return
                }
            } catch {
                refuse(error)
            }
        }
    }

    /// Handles the end of the response.
    ///
    /// - Parameter isAlone: True if no bytes follow it. Such bytes would be taken for the response to the next
    ///   request.
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
            current?.ending = ResponseCompletion(fields)
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
        if !current.body.append(bytes, upTo: limit) { fail(.bodyTooLarge(CollectedBody.effectiveLimit(limit))) }
    }

    // MARK: An exchange ends

    /// Ends a complete exchange.
    ///
    /// The connection is returned before the response is delivered, so that the next request of the same task finds
    /// it.
    private func end(reuse: Bool) {
        guard let current, let connection else { return }
        self.current = nil
        let now = NIODeadline.now()
        stopUpload(of: current)
        if reuse {
            returnToPool(connection, at: now)
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

    /// Returns the connection to the pool.
    private func returnToPool(_ connection: PooledConnection, at now: NIODeadline) {
        headBuffer.wipe()
        useDefaultReads()
        resumeReading()
        phaseTimer.total = nil
        startIdling(connection, from: now)
        connection.pool.returnConnection(connection, now: now)
    }

    /// Fails the exchange, and closes the connection.
    func fail(_ error: TransportError) {
        guard let current else { return }
        self.current = nil
        machine.abandoned()
        stopUpload(of: current)
        retire()
        report(error, to: current)
    }

    /// Returns an error with the details of its exchange.
    private func withDetails(_ error: TransportError, of current: Current) -> TransportError {
        var error = error
        current.ended(.now())
        error.attempts = current.exchange.attempt
        error.facts = current.facts(connection?.info)
        return error
    }

    private func report(_ error: TransportError, to current: Current) {
        let error = withDetails(error, of: current)
        if let stream = current.stream {
            current.ending?.end(current.timings, error: error)
            stream.end(error)
            deliver(current)
            current.exchange.bodyEnded()
        } else {
            current.exchange.finish(.failed(error))
        }
    }

    /// Aborts an exchange whose result is not needed any more.
    func abort(_ exchange: Exchange) {
        guard let current, current.exchange === exchange else { return }  // It has ended by itself.
        self.current = nil
        machine.abandoned()
        stopUpload(of: current)
        retire()
        if let ending = current.ending {
            let error = withDetails(.cancelled(phase: .body), of: current)
            ending.end(current.timings, error: error)
        }
    }

    /// Closes the connection and notifies the pool.
    func retire() {
        guard !isDead else { return }
        isDead = true
        unread = nil
        headBuffer.wipe()
        phaseTimer.stop()
        timerWheel?.cancel(timerHandle)
        if let connection { connection.pool.closed(connection) }
        context?.close(promise: nil)
    }

    /// Handles the end or an error of the connection.
    private func lost(_ cause: (any Error)?) {
        let action = machine.lost()
        // With TLS 1.3 the server rejects a client certificate only after the handshake, so during the first exchange.
        if exchangeCount <= 1, let verification, let cause {
            tlsAlertError = TLSAlert.error(afterHandshake: cause, hasIdentity: verification.options.identity != nil)
        }
        guard let current else {
            retire()
            return
        }
        self.current = nil
        stopUpload(of: current)
        retire()
        if let tlsAlertError { return report(tlsAlertError, to: current) }
        switch action {
        case .none: report(.lost(.head, sent: true, cause: cause), to: current)
        case .stale:
            let error = withDetails(.lost(.head, sent: true, cause: cause), of: current)
            current.exchange.finish(current.exchange.plan.isReplayable ? .stale(error) : .failed(error))
        case .withoutHead: report(.lost(.head, sent: true, cause: cause), to: current)
        case .truncated: report(.truncated(cause), to: current)
        }
    }

    // MARK: The channel

    func channelReadComplete(context: ChannelHandlerContext) {
        if let stream = current?.stream { wakeReader(of: stream, on: context.eventLoop) }
        context.fireChannelReadComplete()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        channelInactive(context: context)
        self.context = nil
        connection = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        if current != nil, parser.isUntilClose { responseEnded(isAlone: true) }
        lost(nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown: machine.tlsTruncated()  // The end of the channel follows.
        default: lost(error)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if pendingUpload != nil, context.channel.isWritable { pumpUpload(context) }
        context.fireChannelWritabilityChanged()
    }
}
