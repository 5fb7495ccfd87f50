// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport

/// Bodies that go out: as fast as the windows and the socket take them, in turns.
extension HTTP2ConnectionHandler {
    /// So much of one body is written at a time.
    private static let slice = 64 * 1024
    /// So much is written before the loop may look at other things, such as an answer that came meanwhile.
    private static let turn = 512 * 1024

    /// Sends the body, whose head is out, or about to go.
    func beginUpload(of stream: HTTP2Stream, _ now: NIODeadline) {
        guard let connection else { return }
        switch stream.exchange.plan.request.body.content {
        case .bytes(let bytes) where stream.exchange.upload == nil:
            stream.rest = .bytes(bytes, sent: 0)
            startPhase(of: stream, .request, stream.exchange.timeouts.idle, from: now)
            queue(stream)
            pump()
        case .bytes, .chunks:
            stream.rest = .reading
            // The time is that of whoever makes the chunks.
            stream.clock.phase = .none
            stream.clock.deadline = nil
            arm(stream.clock.next)
            armKeepAlive()
            flush()
            stream.exchange.upload?.begin(on: connection)
        case .empty, .encodable, .pieces: break
        }
    }

    /// The body need not wait any longer: the server asked for it, or said nothing in time.
    func endHolding(of stream: HTTP2Stream, _ now: NIODeadline) {
        guard case .held = stream.rest else { return }
        beginUpload(of: stream, now)
    }

    /// A stream has something to send: it gets in line, where it may.
    func queue(_ stream: HTTP2Stream) {
        guard !stream.isQueued else { return }
        switch stream.rest {
        case .none, .held, .reading: return
        case .bytes, .chunk:
            guard session.sendable(stream.id) > 0 else { return arm(session.waits(stream.id, now: .now())) }
        case .end: break
        }
        stream.isQueued = true
        ready.append(stream.id)
    }

    func queueAll() {
        for stream in session.payloads { queue(stream) }
    }

    /// Sends what the socket takes.
    func pump() {
        guard let context, !isDead else { return }
        var left = Self.turn
        while left > 0, context.channel.isWritable, let id = ready.popFirst() {
            guard let stream = session[id] else { continue }
            stream.isQueued = false
            left -= send(stream)
            flush()
            guard !isDead else { return }
        }
        flush()
        if !isDead, !ready.isEmpty, context.channel.isWritable, !isPumpScheduled {
            isPumpScheduled = true
            context.eventLoop.assumeIsolated().execute {
                self.isPumpScheduled = false
                self.pump()
            }
        }
    }

    /// Sends a slice of one body.
    ///
    /// - Returns: How much that was.
    private func send(_ stream: HTTP2Stream) -> Int {
        switch stream.rest {
        case .none, .held, .reading: return 0
        case .end(let trailers):
            let before = session.output.readableBytes
            do {
                if trailers.isEmpty {
                    _ = session.send(stream.id, Data(), ends: true)
                } else {
                    session.sendTrailers(stream.id, try writer.write(trailers: trailers))
                }
            } catch let error as RequestFieldsTooLarge {
                fail(stream, .fieldsTooLarge(error, sent: true))
                return 0
            } catch let error as InvalidRequest {
                var failure = TransportError.invalid(error.reason, error.message)
                failure.requestMayHaveBeenSent = true
                fail(stream, failure)
                return 0
            } catch {
                fail(HTTP2Fault(.compressionError, "the table of fields is out of step"))
                return 0
            }
            stream.timings.sentBytes += Int64(session.output.readableBytes - before)
            uploaded(stream)
            return 0
        case .bytes(let bytes, let sent):
            let count = send(bytes, from: sent, of: stream, ends: true)
            stream.rest = .bytes(bytes, sent: sent + count)
            if sent + count == bytes.count {
                uploaded(stream)
            } else {
                goOn(stream)
            }
            return count
        case .chunk(let bytes, let sent):
            let count = send(bytes, from: sent, of: stream, ends: false)
            stream.rest = .chunk(bytes, sent: sent + count)
            if sent + count == bytes.count {
                stream.rest = .reading
                wantMore(of: stream)
            } else {
                goOn(stream)
            }
            return count
        }
    }

    private func send(_ bytes: Data, from sent: Int, of stream: HTTP2Stream, ends: Bool) -> Int {
        let end = min(bytes.count, sent + Self.slice)
        let part = bytes[(bytes.startIndex + sent)..<(bytes.startIndex + end)]
        let before = session.output.readableBytes
        defer { stream.timings.sentBytes += Int64(session.output.readableBytes - before) }
        return session.send(stream.id, part, ends: ends && end == bytes.count)
    }

    private func goOn(_ stream: HTTP2Stream) {
        startMoving(stream, from: .now())
        queue(stream)
    }

    /// A body moves, in either direction: from here the server has its time for the next part.
    func startMoving(_ stream: HTTP2Stream, from now: NIODeadline) {
        // While nobody takes the response's body, or makes the request's, the server is not late.
        if stream.isPaused || stream.isWaitingForSource {
            stream.clock.phase = .none
            stream.clock.deadline = nil
            arm(stream.clock.next)
        } else {
            startPhase(of: stream, stream.headCame == nil ? .request : .body, stream.exchange.timeouts.idle, from: now)
        }
    }

    private func wantMore(of stream: HTTP2Stream) {
        guard context?.channel.isWritable == true else {
            stream.isThirsty = true
            thirsty.append(stream.id)
            return startMoving(stream, from: .now())
        }
        stream.isThirsty = false
        // From here the time is that of whoever makes the chunks.
        startMoving(stream, from: .now())
        stream.exchange.upload?.wantMore()
    }

    /// The socket takes more.
    func wantMoreUploads() {
        let wanting = thirsty
        thirsty = []
        for id in wanting { if let stream = session[id] { wantMore(of: stream) } }
        pump()
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        guard let stream = stream(of: exchange), case .reading = stream.rest else { return }
        stream.rest = .chunk(chunk, sent: 0)
        startMoving(stream, from: .now())
        queue(stream)
        pump()
    }

    func endUpload(of exchange: Exchange, _ trailers: HTTPFields) {
        guard let stream = stream(of: exchange), case .reading = stream.rest else { return }
        stream.rest = .end(trailers)
        // From here the time is the server's again, for as long as the socket is full as well.
        startMoving(stream, from: .now())
        queue(stream)
        pump()
    }

    func failUpload(of exchange: Exchange, with error: TransportError) {
        guard let stream = stream(of: exchange), case .reading = stream.rest else { return }
        fail(stream, error)
    }

    private func uploaded(_ stream: HTTP2Stream) {
        stream.rest = .none
        let now = NIODeadline.now()
        stream.requestEnded = now
        if stream.headCame == nil {
            startPhase(of: stream, .head, stream.exchange.timeouts.head, from: now)
        } else {
            startMoving(stream, from: now)
        }
    }

    /// The exchange is over, and no more of the body is sent.
    func stopUpload(of stream: HTTP2Stream) {
        stream.isOver = true
        endUpload(of: stream)
    }

    /// No more of the body is sent, while the response still comes.
    func endUpload(of stream: HTTP2Stream) {
        stream.rest = .none
        stream.exchange.upload?.stop()
    }
}
