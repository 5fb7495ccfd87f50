// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// Sends request bodies round-robin, as fast as the windows and the socket allow.
extension HTTP2ConnectionHandler {
    /// The most bytes of one body that are written at a time.
    private static let slice = 64 * 1024
    /// The most bytes that are written before the event loop can process other events, such as a response.
    private static let turn = 512 * 1024

    /// Starts to send the body; the head was sent or is about to be.
    func beginUpload(of stream: HTTP2Stream, at now: NIODeadline) {
        guard let connection else { return }
        switch stream.exchange.plan.request.body.content {
        case .bytes(let bytes) where stream.exchange.upload == nil:
            stream.rest = .bytes(bytes, sent: 0)
            startPhase(.request, of: stream, limit: stream.exchange.timeouts.idle, from: now)
            queue(stream)
            pump()
        case .bytes, .chunks:
            stream.rest = .reading
            // The time limit does not apply while the caller produces the chunks.
            stream.phaseTimer.phase = .none
            stream.phaseTimer.deadline = nil
            arm(stream.phaseTimer.next)
            armKeepAlive()
            flush()
            stream.exchange.upload?.begin(on: connection)
        case .empty, .encodable, .pieces: break
        }
    }

    /// Sends a body that waited for `100 Continue`, because the server sent it or the wait timed out.
    func stopWaitingForContinue(of stream: HTTP2Stream, at now: NIODeadline) {
        guard case .held = stream.rest else { return }
        beginUpload(of: stream, at: now)
    }

    /// Queues a stream that has something to send, if its window allows.
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

    /// Writes queued bodies until the socket is full.
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
    /// - Returns: The bytes sent.
    private func send(_ stream: HTTP2Stream) -> Int {
        switch stream.rest {
        case .none, .held, .reading: return 0
        case .end(let trailers):
            let before = session.output.readableBytes
            do {
                if trailers.isEmpty {
                    _ = session.send(stream.id, bytes: Data(), endsStream: true)
                } else {
                    session.sendTrailers(stream.id, block: try writer.write(trailers: trailers))
                }
            } catch let error as RequestFieldsTooLargeError {
                fail(stream, with: .fieldsTooLarge(error, sent: true))
                return 0
            } catch let error as InvalidRequestError {
                var failure = TransportError.invalid(error.reason, message: error.message)
                failure.requestMayHaveBeenSent = true
                fail(stream, with: failure)
                return 0
            } catch {
                fail(HTTP2ProtocolError(.compressionError, reason: "the HPACK table is out of sync"))
                return 0
            }
            stream.timings.sentBytes += Int64(session.output.readableBytes - before)
            uploaded(stream)
            return 0
        case .bytes(let bytes, let sent):
            let count = send(bytes, from: sent, of: stream, endsStream: true)
            stream.rest = .bytes(bytes, sent: sent + count)
            if sent + count == bytes.count {
                uploaded(stream)
            } else {
                continueUpload(stream)
            }
            return count
        case .chunk(let bytes, let sent):
            let count = send(bytes, from: sent, of: stream, endsStream: false)
            stream.rest = .chunk(bytes, sent: sent + count)
            if sent + count == bytes.count {
                stream.rest = .reading
                wantMore(of: stream)
            } else {
                continueUpload(stream)
            }
            return count
        }
    }

    private func send(_ bytes: Data, from sent: Int, of stream: HTTP2Stream, endsStream: Bool) -> Int {
        let end = min(bytes.count, sent + Self.slice)
        let part = bytes[(bytes.startIndex + sent)..<(bytes.startIndex + end)]
        let before = session.output.readableBytes
        defer { stream.timings.sentBytes += Int64(session.output.readableBytes - before) }
        return session.send(stream.id, bytes: part, endsStream: endsStream && end == bytes.count)
    }

    private func continueUpload(_ stream: HTTP2Stream) {
        restartIdleTimeout(stream, from: .now())
        queue(stream)
    }

    /// Restarts the time limit after a body has moved in either direction.
    func restartIdleTimeout(_ stream: HTTP2Stream, from now: NIODeadline) {
        // The server is not late while the caller does not read the response's body or produces the request's.
        if stream.isPaused || stream.isWaitingForSource {
            stream.phaseTimer.phase = .none
            stream.phaseTimer.deadline = nil
            arm(stream.phaseTimer.next)
        } else {
            startPhase(
                stream.headReceivedAt == nil ? .request : .body, of: stream, limit: stream.exchange.timeouts.idle,
                from: now)
        }
    }

    private func wantMore(of stream: HTTP2Stream) {
        guard context?.channel.isWritable == true else {
            stream.isAwaitingWritability = true
            awaitingWritability.append(stream.id)
            return restartIdleTimeout(stream, from: .now())
        }
        stream.isAwaitingWritability = false
        // The time limit does not apply while the caller produces the next chunk.
        restartIdleTimeout(stream, from: .now())
        stream.exchange.upload?.wantMore()
    }

    /// Requests the next chunks, because the socket is writable again.
    func requestMoreUploadChunks() {
        let wanting = awaitingWritability
        awaitingWritability = []
        for id in wanting { if let stream = session[id] { wantMore(of: stream) } }
        pump()
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        guard let stream = stream(of: exchange), case .reading = stream.rest else { return }
        stream.rest = .chunk(chunk, sent: 0)
        restartIdleTimeout(stream, from: .now())
        queue(stream)
        pump()
    }

    func endUpload(of exchange: Exchange, trailers: HTTPFields) {
        guard let stream = stream(of: exchange), case .reading = stream.rest else { return }
        stream.rest = .end(trailers)
        // The time limit applies to the server again, even while the socket is full.
        restartIdleTimeout(stream, from: .now())
        queue(stream)
        pump()
    }

    func failUpload(of exchange: Exchange, with error: TransportError) {
        guard let stream = stream(of: exchange), case .reading = stream.rest else { return }
        fail(stream, with: error)
    }

    private func uploaded(_ stream: HTTP2Stream) {
        stream.rest = .none
        let now = NIODeadline.now()
        stream.requestSentAt = now
        if stream.headReceivedAt == nil {
            startPhase(.head, of: stream, limit: stream.exchange.timeouts.head, from: now)
        } else {
            restartIdleTimeout(stream, from: now)
        }
    }

    /// Stops the upload, because the exchange has ended.
    func stopUpload(of stream: HTTP2Stream) {
        stream.isOver = true
        endUpload(of: stream)
    }

    /// Stops the upload; the response continues.
    func endUpload(of stream: HTTP2Stream) {
        stream.rest = .none
        stream.exchange.upload?.stop()
    }
}
