// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghRealtime
import Synchronization

/// The only channel handler of an HTTP/2 connection: moves bytes between the channel, the session and the exchanges, on
/// the connection's event loop.
///
/// ``HTTP2ConnectionStateMachine`` makes the protocol decisions. Streams have no channel of their own, which would
/// cost more than everything else together. The time limits are in `HTTP2ConnectionHandler+Time`, request bodies in
/// `HTTP2ConnectionHandler+Upload`, received frames in `HTTP2ConnectionHandler+Reading`.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The head of the last response, and the conditions that it was decoded under.
    struct CachedResponseHead {
        let head: ResponseHead
        let isHead: Bool
        let isEnd: Bool
        let limits: ResponseLimits
    }

    var context: ChannelHandlerContext?
    var connection: PooledConnection?
    var session: HTTP2ConnectionStateMachine<HTTP2Stream>
    /// The number of exchanges begun on the connection.
    var exchangeCount = 0
    /// True once the connection accepts nothing more.
    var isDead = false
    /// The TLS settings of the handshake; `nil` for a cleartext connection.
    let verification: PeerVerification?
    /// The TLS error with which the server closed the connection, if it sent one.
    var tlsAlertError: TransportError?

    // Reading
    var reader = HTTP2FrameReader()
    var blocks = HeaderBlockCache<CachedResponseHead>()
    /// The unread beginning of a frame.
    var unread: ByteBuffer?
    /// The time at which bytes last arrived, or at which the first exchange began to wait for some.
    var lastReceived = NIODeadline.uptimeNanoseconds(0)
    /// The streams whose readers have to be notified of new bytes.
    var streamsToNotify: [HTTP2Stream] = []
    /// The capacity that the pool was last notified of; `nil` before the server's first SETTINGS.
    var reportedCapacity: Int?

    // Sending
    var writer = HTTP2FieldWriter()
    /// The IDs of the streams that have something to send and window to send it, in round-robin order.
    var ready = CircularBuffer<UInt32>()
    /// The IDs of the streams whose next chunk is requested once the socket is writable.
    var awaitingWritability: [UInt32] = []
    var isPumpScheduled = false

    // Time
    let keepAlive: HTTP2KeepAlive
    var idleSince: NIODeadline?
    /// The time for which the timer is set.
    var wakesAt: NIODeadline?
    var timerWheel: EventLoopTimerWheel?
    var timerHandle: EventLoopTimerWheel.Handle?

    init(
        _ limits: HTTP2ConnectionStateMachine<HTTP2Stream>.Limits, keepAlive: HTTP2KeepAlive,
        verification: PeerVerification?
    ) {
        self.verification = verification
        session = HTTP2ConnectionStateMachine(limits: limits)
        self.keepAlive = keepAlive
    }

    /// Notes that the connection now belongs to the pool.
    func opened(_ connection: PooledConnection) {
        self.connection = connection
        timerWheel = connection.pool.clock(of: connection.channel.eventLoop)
        let now = NIODeadline.now()
        session.opened(after: connection.roundTrip, now: now)
        startIdling(from: now)
    }

    /// Sends the connection preface in the event loop's next turn, together with the first request if one waits.
    func sendPreface() {
        context?.eventLoop.assumeIsolated().execute { self.flush() }
    }

    // MARK: An exchange begins

    func begin(_ exchange: Exchange, isFresh: Bool) {
        guard let context, let connection, !isDead, context.channel.isActive, session.count < session.capacity else {
            return decline(exchange)
        }
        let now = NIODeadline.now()
        guard !exchange.isOver else { return release(at: now) }
        let plan = exchange.plan
        if let idleSince, !isFresh, now - idleSince >= ConnectionHealth.trust || !plan.isReplayable,
            ConnectionHealth.isOver(context.channel)
        {
            retire()
            return decline(exchange)
        }
        let stream = HTTP2Stream(
            exchange, began: now, isFresh: isFresh, framesBefore: session.frames,
            timings: ExchangeTimings(
                beginning: exchange, on: connection, isReused: exchangeCount > 0,
                hasWaited: isFresh && exchangeCount == 0, at: now)
        )
        let hasBody = stream.hasBody
        if !hasBody { stream.requestSentAt = now }
        let before = session.output.readableBytes
        do {
            guard
                let id = session.open(
                    stream, block: try writer.write(plan), endsStream: !hasBody, wantsMore: !stream.isForEvents)
            else {
                exchange.finish(.unsent(.lost(.request, sent: false)))
                return release(at: now)
            }
            stream.id = id
            stream.timings.sentBytes = Int64(session.output.readableBytes - before)
            session.widen(id)
            exchange.streamID.store(id, ordering: .relaxed)
        } catch let error as RequestFieldsTooLargeError {
            release(at: now)
            return exchange.finish(.failed(.fieldsTooLarge(error, sent: false)))
        } catch let error as InvalidRequestError {
            release(at: now)
            return exchange.finish(.failed(.invalid(error.reason, message: error.message)))
        } catch {
            exchange.finish(
                .failed(.badResponse("the server's HPACK table cannot be used", phase: .request, cause: error)))
            return fail(HTTP2ProtocolError(.compressionError, reason: "the HPACK table is out of sync"))
        }
        exchangeCount += 1
        if idleSince != nil {
            idleSince = nil
            lastReceived = now
        }
        if !hasBody {
            startPhase(.head, of: stream, limit: exchange.timeouts.head, from: now)
            flush()
        } else if let patience = plan.continueTimeout {
            stream.rest = .held
            startPhase(.consent, of: stream, limit: patience, from: now)
            flush()
        } else {
            beginUpload(of: stream, at: now)
        }
    }

    /// Returns an exchange that the connection cannot take.
    ///
    /// Nothing was sent, so any request can go out on another connection, unless it would fail there in the same way.
    private func decline(_ exchange: Exchange) {
        if let connection {
            if isDead || context?.channel.isActive != true {
                // The connection may have died while the pool considered it to be opening.
                connection.pool.closed(connection)
            } else {
                connection.pool.returnConnection(connection, now: .now())
            }
        }
        exchange.finish(tlsAlertError.map { .failed($0) } ?? .unsent(.lost(.request, sent: false)))
    }

    // MARK: An exchange ends

    /// Completes an exchange whose response is complete and whose stream the session has removed.
    ///
    /// The stream's slot is returned to the pool before the response is delivered, so that the next request of the same
    /// task finds it.
    func complete(_ stream: HTTP2Stream, at now: NIODeadline) {
        stopUpload(of: stream)
        session.keepsUnread(stream.id, count: stream.held)
        release(at: now)
        stream.ended(now)
        if let body = stream.stream {
            stream.ending?.end(stream.timings)
            body.end()
            deliver(stream)
            stream.exchange.bodyEnded()
            return
        }
        guard let response = stream.response, let connection else { return }
        stream.exchange.finish(
            .response(
                TransportResponse(
                    head: response, body: ResponseBody(stream.body.data), timings: stream.timings,
                    connection: connection.info, ending: stream.ending),
                codings: stream.codings))
    }

    /// Fails an exchange; the connection stays open.
    func fail(_ stream: HTTP2Stream, with error: TransportError, code: HTTP2ErrorCode = .cancel) {
        session.cancel(stream.id, code: code)
        ended(stream, with: .failed(error))
        flush()
    }

    /// Ends an exchange that has no complete response.
    func ended(_ stream: HTTP2Stream, with outcome: Exchange.Outcome) {
        stopUpload(of: stream)
        release(at: .now())
        report(outcome, to: stream)
    }

    private func report(_ outcome: Exchange.Outcome, to stream: HTTP2Stream) {
        stream.ended(.now())
        let outcome = outcome.with(stream.facts(connection?.info))
        if !isDead { session.keepsUnread(stream.id, count: stream.held) }
        if let body = stream.stream {
            var error = outcome.error
            error?.attempts = stream.exchange.attempt
            stream.ending?.end(stream.timings, error: error)
            body.end(error)
            deliver(stream)
            stream.exchange.bodyEnded()
        } else {
            stream.exchange.finish(outcome)
        }
    }

    /// Stops an exchange whose caller is gone.
    func abort(_ exchange: Exchange) {
        guard let stream = stream(of: exchange) else { return }  // It ended by itself meanwhile.
        session.cancel(stream.id, code: .cancel)
        stopUpload(of: stream)
        release(at: .now())
        flush()
        if let ending = stream.ending {
            stream.ended(.now())
            var error = TransportError.cancelled(phase: .body)
            error.attempts = exchange.attempt
            error.facts = stream.facts(connection?.info)
            ending.end(stream.timings, error: error)
        }
    }

    /// Returns the stream of an exchange; `nil` once it has ended.
    func stream(of exchange: Exchange) -> HTTP2Stream? {
        guard let stream = session[exchange.streamID.load(ordering: .relaxed)], stream.exchange === exchange else {
            return nil
        }
        return stream
    }

    /// Returns a stream's slot to the pool.
    func release(at now: NIODeadline) {
        guard !isDead, let connection else { return }
        if session.count == 0 {
            if session.isDraining || session.isStalled { return retire() }
            startIdling(from: now)
        }
        connection.pool.returnConnection(connection, now: now)
    }

    /// Notifies the pool if the number of streams that may be open has changed.
    func reportCapacity() {
        guard !isDead, let connection, session.capacity != reportedCapacity else { return }
        reportedCapacity = session.capacity
        connection.pool.capacityChanged(connection, to: session.capacity)
    }

    // MARK: The connection ends

    /// Ends the connection after a protocol violation of the peer.
    func fail(_ fault: HTTP2ProtocolError) {
        guard !isDead else { return }
        session.goAway(fault.code)
        end {
            .failed(
                .badResponse("the server violated the HTTP/2 protocol: \(fault.reason)", phase: $0.phase, cause: fault))
        }
    }

    /// Ends all exchanges because the connection was lost.
    func lost(_ cause: (any Error)?) {
        guard !isDead else { return }
        let frames = session.frames
        if let verification, let cause {
            // With TLS 1.3 a server checks the client's certificate after the client has completed its handshake.
            tlsAlertError = TLSAlert.error(afterHandshake: cause, hasIdentity: verification.options.identity != nil)
        }
        let (tlsAlertError, code) = (tlsAlertError, session.goAwayCode)
        let cause = cause ?? code.map { HTTP2ClosedByPeerError($0, isConnection: true) }
        end { stream in
            guard stream.headReceivedAt == nil else { return .failed(.truncated(cause)) }
            if let tlsAlertError { return .failed(tlsAlertError) }
            let error = TransportError.lost(.head, sent: true, cause: cause)
            if code == .http11Required { return .needsHTTP1(error, again: stream.exchange.plan.isReplayable) }
            // Nothing arrived on a connection that had been idle: the server most likely closed it before the request
            // arrived.
            let isStale = !stream.isFresh && stream.framesBefore == frames && stream.exchange.plan.isReplayable
            return isStale ? .stale(error) : .failed(error)
        }
    }

    /// Ends the connection and all exchanges on it.
    func end(_ outcome: (HTTP2Stream) -> Exchange.Outcome) {
        let streams = session.removeAll()
        retire()
        for stream in streams {
            stopUpload(of: stream)
            report(outcome(stream), to: stream)
        }
    }

    /// Sends GOAWAY, closes the connection and notifies the pool.
    func retire() {
        guard !isDead else { return }
        session.goAway(.noError)
        flush()
        isDead = true
        unread = nil
        ready.removeAll()
        timerWheel?.cancel(timerHandle)
        if let connection { connection.pool.closed(connection) }
        context?.close(promise: nil)
    }

    /// Closes the connection with GOAWAY once its last stream has ended.
    func closeGracefully() {
        guard !isDead else { return }
        session.drain()
        if session.count == 0 { retire() }
    }

    // MARK: The channel

    func channelReadComplete(context: ChannelHandlerContext) {
        notifyReaders()
        context.fireChannelReadComplete()
    }

    func flush() {
        guard let context, let output = session.takeOutput() else { return }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        lost(nil)
        self.context = nil
        connection = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost(nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { lost(error) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { requestMoreUploadChunks() }
        context.fireChannelWritabilityChanged()
    }
}
