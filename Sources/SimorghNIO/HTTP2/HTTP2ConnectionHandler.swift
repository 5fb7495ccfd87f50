// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import Synchronization

/// The one handler of a connection that speaks HTTP/2: it moves bytes between the channel, the session and the exchanges,
/// on the connection's loop.
///
/// What follows from what is decided by ``HTTP2Session``; there is no channel for each stream, which would cost more than
/// all the rest. The time limits are in `HTTP2ConnectionHandler+Time`, bodies that go out in
/// `HTTP2ConnectionHandler+Upload`, what comes in `HTTP2ConnectionHandler+Reading`.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The head of the last response, and what it was read for.
    struct KnownHead {
        let head: ResponseHead
        let isHead: Bool
        let isEnd: Bool
        let limits: ResponseLimits
    }

    var context: ChannelHandlerContext?
    var connection: WireConnection?
    var session: HTTP2Session<HTTP2Stream>
    /// How many exchanges were begun.
    var carried = 0
    /// Nothing more goes over this connection.
    var isDead = false
    /// What was offered in the handshake; `nil` in the clear.
    let verification: PeerVerification?
    /// Why the server closed the connection, where it said so.
    var farewell: TransportError?

    // Reading
    var reader = HTTP2FrameReader()
    var blocks = HTTP2BlockMemory<KnownHead>()
    /// What the reader has left: the beginning of a frame.
    var unread: ByteBuffer?
    /// When something came last, or somebody began to wait for it.
    var heard = NIODeadline.uptimeNanoseconds(0)
    /// Those whose reader has to be told of what came.
    var touched: [HTTP2Stream] = []
    /// What the pool was told; nothing, until the server has told us.
    var toldCapacity: Int?

    // Sending
    var writer = HTTP2FieldWriter()
    /// The streams that have something to send and may, in their turns.
    var ready = CircularBuffer<UInt32>()
    /// Those whose next chunk is wanted once the socket takes more.
    var thirsty: [UInt32] = []
    var isPumpScheduled = false

    // Time
    let keepAlive: HTTP2KeepAlive
    var idleSince: NIODeadline?
    /// When it will be woken, and by whom.
    var wakesAt: NIODeadline?
    var alarm: LoopClock?
    var alarmPlace: LoopClock.Place?

    init(
        _ limits: HTTP2Session<HTTP2Stream>.Limits, _ keepAlive: HTTP2KeepAlive, _ verification: PeerVerification?
    ) {
        self.verification = verification
        session = HTTP2Session(limits: limits)
        self.keepAlive = keepAlive
    }

    /// The connection belongs to the pool now.
    func opened(_ connection: WireConnection) {
        self.connection = connection
        alarm = connection.pool.clock(of: connection.channel.eventLoop)
        let now = NIODeadline.now()
        session.opened(after: connection.roundTrip, now: now)
        startIdling(from: now)
    }

    /// Sends the connection preface, together with the first request if one waits: that begins in the loop's next turn.
    func sendPreface() {
        context?.eventLoop.assumeIsolated().execute { self.flush() }
    }

    // MARK: An exchange begins

    func begin(_ exchange: Exchange, isFresh: Bool) {
        guard let context, let connection, !isDead, context.channel.isActive, session.count < session.capacity else {
            return decline(exchange)
        }
        let now = NIODeadline.now()
        guard !exchange.isOver else { return release(now) }
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
                beginning: exchange, on: connection, isReused: carried > 0, hasWaited: isFresh && carried == 0, at: now)
        )
        let hasBody = stream.hasBody
        if !hasBody { stream.requestEnded = now }
        let before = session.output.readableBytes
        do {
            guard let id = session.open(stream, try writer.write(plan), ends: !hasBody, wantsMore: !stream.isForEvents)
            else {
                exchange.finish(.unsent(.lost(.request, sent: false)))
                return release(now)
            }
            stream.id = id
            stream.timings.sentBytes = Int64(session.output.readableBytes - before)
            session.widen(id)
            exchange.streamID.store(id, ordering: .relaxed)
        } catch let error as RequestFieldsTooLarge {
            release(now)
            return exchange.finish(.failed(.fieldsTooLarge(error, sent: false)))
        } catch let error as InvalidRequest {
            release(now)
            return exchange.finish(.failed(.invalid(error.reason, error.message)))
        } catch {
            exchange.finish(.failed(.badResponse("the server's table of fields cannot be used", .request, error)))
            return fail(HTTP2Fault(.compressionError, "the table of fields is out of step"))
        }
        carried += 1
        if idleSince != nil {
            idleSince = nil
            heard = now
        }
        if !hasBody {
            startPhase(of: stream, .head, exchange.timeouts.head, from: now)
            flush()
        } else if let patience = plan.continueTimeout {
            stream.rest = .held
            startPhase(of: stream, .consent, patience, from: now)
            flush()
        } else {
            beginUpload(of: stream, now)
        }
    }

    /// The connection cannot take an exchange: not a byte has left, so whatever the request is, it may go out elsewhere,
    /// unless it would fare the same there.
    private func decline(_ exchange: Exchange) {
        if let connection {
            if isDead || context?.channel.isActive != true {
                // It may have died while the pool took it to be opening.
                connection.pool.closed(connection)
            } else {
                connection.pool.giveBack(connection, now: .now())
            }
        }
        exchange.finish(farewell.map { .failed($0) } ?? .unsent(.lost(.request, sent: false)))
    }

    // MARK: An exchange ends

    /// The response is whole, and the session has forgotten the stream: its place is given back first, then the answer,
    /// so that the next request of the same task finds it.
    func complete(_ stream: HTTP2Stream, _ now: NIODeadline) {
        stopUpload(of: stream)
        session.keepsUnread(stream.id, stream.held)
        release(now)
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

    /// Gives an exchange up with an error; the connection goes on.
    func fail(_ stream: HTTP2Stream, _ error: TransportError, _ code: HTTP2ErrorCode = .cancel) {
        session.cancel(stream.id, code)
        ended(stream, .failed(error))
        flush()
    }

    /// An exchange has ended without a whole response.
    func ended(_ stream: HTTP2Stream, _ outcome: Exchange.Outcome) {
        stopUpload(of: stream)
        release(.now())
        report(outcome, to: stream)
    }

    private func report(_ outcome: Exchange.Outcome, to stream: HTTP2Stream) {
        stream.ended(.now())
        let outcome = outcome.with(stream.facts(connection?.info))
        if !isDead { session.keepsUnread(stream.id, stream.held) }
        if let body = stream.stream {
            var error = outcome.error
            error?.attempts = stream.exchange.attempt
            stream.ending?.end(stream.timings, error)
            body.end(error)
            deliver(stream)
            stream.exchange.bodyEnded()
        } else {
            stream.exchange.finish(outcome)
        }
    }

    /// Stops an exchange that nobody waits for.
    func abort(_ exchange: Exchange) {
        guard let stream = stream(of: exchange) else { return }  // It ended by itself meanwhile.
        session.cancel(stream.id, .cancel)
        stopUpload(of: stream)
        release(.now())
        flush()
        if let ending = stream.ending {
            stream.ended(.now())
            var error = TransportError.cancelled(phase: .body)
            error.attempts = exchange.attempt
            error.facts = stream.facts(connection?.info)
            ending.end(stream.timings, error)
        }
    }

    /// The stream of an exchange, as long as it goes on.
    func stream(of exchange: Exchange) -> HTTP2Stream? {
        guard let stream = session[exchange.streamID.load(ordering: .relaxed)], stream.exchange === exchange else {
            return nil
        }
        return stream
    }

    /// A stream's place is free.
    func release(_ now: NIODeadline) {
        guard !isDead, let connection else { return }
        if session.count == 0 {
            if session.isDraining || session.isStalled { return retire() }
            startIdling(from: now)
        }
        connection.pool.giveBack(connection, now: now)
    }

    /// Tells the pool how many streams there may be, where that has changed.
    func tellCapacity() {
        guard !isDead, let connection, session.capacity != toldCapacity else { return }
        toldCapacity = session.capacity
        connection.pool.capacityChanged(connection, session.capacity)
    }

    // MARK: The connection ends

    /// The peer broke the rules.
    func fail(_ fault: HTTP2Fault) {
        guard !isDead else { return }
        session.goAway(fault.code)
        end { .failed(.badResponse("the server broke the rules of HTTP/2: \(fault.reason)", $0.phase, fault)) }
    }

    /// The connection is gone, or as good as.
    func lost(_ cause: (any Error)?) {
        guard !isDead else { return }
        let frames = session.frames
        if let verification, let cause {
            // With TLS 1.3 a server looks at the client's certificate when the handshake is over for the client.
            farewell = TLSAlert.error(afterHandshake: cause, hasIdentity: verification.options.identity != nil)
        }
        let (farewell, code) = (farewell, session.goAwayCode)
        let cause = cause ?? code.map { HTTP2Ended($0, isConnection: true) }
        end { stream in
            guard stream.headCame == nil else { return .failed(.truncated(cause)) }
            if let farewell { return .failed(farewell) }
            let error = TransportError.lost(.head, sent: true, cause)
            if code == .http11Required { return .needsHTTP1(error, again: stream.exchange.plan.isReplayable) }
            // Nothing came on a connection that had idled: the server most likely closed it before it saw the request.
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

    /// Closes the connection and tells the pool.
    func retire() {
        guard !isDead else { return }
        session.goAway(.noError)
        flush()
        isDead = true
        unread = nil
        ready.removeAll()
        alarm?.forget(alarmPlace)
        if let connection { connection.pool.closed(connection) }
        context?.close(promise: nil)
    }

    /// Closes the connection with a word to the peer, once nothing is going on any more.
    func goodbye() {
        guard !isDead else { return }
        session.drain()
        if session.count == 0 { retire() }
    }

    // MARK: The channel

    func channelReadComplete(context: ChannelHandlerContext) {
        tellReaders()
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
        if context.channel.isWritable { wantMoreUploads() }
        context.fireChannelWritabilityChanged()
    }
}
