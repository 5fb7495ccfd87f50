// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
import SimorghCore
import SimorghRealtime
import Synchronization

/// Receives frames from the server.
extension HTTP2ConnectionHandler {
    /// The size up to which a head is decoded even if its request allows less, so that only its own stream fails.
    private static let maximumHeadSize = 256 * 1024

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        read(unwrapInboundIn(data))
    }

    func read(_ bytes: ByteBuffer) {
        guard !isDead else { return }
        var bytes = bytes
        if var unread = unread.take() {
            unread.writeBuffer(&bytes)
            bytes = unread
        }
        let now = NIODeadline.now()
        lastReceived = now
        do {
            while !isDead, let frame = try reader.next(&bytes) { try take(frame, at: now) }
        } catch {
            return fail(error)
        }
        guard !isDead else { return }
        if bytes.readableBytes > 0 { unread = bytes.slice() }
        if ready.isEmpty { flush() } else { pump() }
    }

    private func take(_ frame: HTTP2Frame, at now: NIODeadline) throws(HTTP2ProtocolError) {
        try session.receivedFrame(frame)
        switch frame {
        case .data(let id, let part, let flow, let endsStream, let isEmpty):
            let event = try session.receivedData(
                id, count: part.readableBytes, flow: flow, endsStream: endsStream, isEmpty: isEmpty, now: now)
            if case .data(let stream, _) = event { stream.timings.receivedBytes += Int64(reader.size) }
            take(event, part: part, at: now)
        case .headers(let id, let block, let endsStream):
            session[id]?.timings.receivedBytes += Int64(reader.size)
            try take(block, of: id, endsStream: endsStream, at: now)
        case .reset(let id, let code):
            take(try session.receivedReset(id, code: code, now: now), part: ByteBuffer(), at: now)
        case .settings(let settings):
            if let table = try session.received(settings: settings, now: now) {
                do { try writer.resize(to: table) } catch {
                    throw HTTP2ProtocolError(.internalError, reason: "\(error)")
                }
            }
            writer.limit = session.peerFields
            reportCapacity()
            queueAll()
        case .settingsAcknowledged: try session.receivedSettingsAcknowledgement(now: now)
        case .ping(let data, let isAnswer): try session.received(ping: data, isAnswer: isAnswer, now: now)
        case .goAway(let last, let code):
            let refused = try session.receivedGoAway(last: last, code: code, now: now)
            reportCapacity()
            let cause = HTTP2ClosedByPeerError(code, isConnection: true)
            for stream in refused {
                if code == .http11Required {
                    needsHTTP1(stream, cause: cause, sent: false)
                } else {
                    unprocessed(stream, cause: cause)
                }
            }
            if session.count == 0 { retire() }
        case .windowUpdate(let id, let increment):
            take(try session.receivedWindowUpdate(id, increment: Int(increment), now: now), part: ByteBuffer(), at: now)
        case .other: try session.receivedOther(now: now)
        }
    }

    /// Processes a field block: a head or trailers.
    private func take(_ block: ByteBuffer, of id: UInt32, endsStream: Bool, at now: NIODeadline)
        throws(HTTP2ProtocolError)
    {
        let expecting = session[id]
        let plan = expecting?.exchange.plan
        let limits = plan?.request.options.limits
        if let plan, expecting?.headReceivedAt == nil, let known = blocks.repetition(block),
            known.isHead == plan.isHead,
            known.isEnd == endsStream, known.limits == limits
        {
            blocks.usedRepetition()
            guard case .head(let stream, _) = try session.receivedFields(id, endsStream: endsStream, now: now) else {
                return
            }
            return received(known.head, of: stream, endsStream: endsStream, at: now)
        }
        blocks.maximumFieldListSize = max(Self.maximumHeadSize, 2 * min(max(0, limits?.headBytes ?? 0), .max / 8))
        let fields: HPACKHeaders
        do {
            fields = try blocks.decode(block)
        } catch {
            throw HTTP2ProtocolError(.compressionError, reason: "the field block cannot be decoded: \(error)")
        }
        switch try session.receivedFields(id, endsStream: endsStream, now: now) {
        case .head(let stream, let endsStream):
            guard let plan, let limits else { return }
            do {
                let head = try HTTP2HeadReader.head(of: fields, isHead: plan.isHead, isEnd: endsStream, limits: limits)
                if head.shape.status >= 200 {
                    blocks.store(
                        CachedResponseHead(head: head, isHead: plan.isHead, isEnd: endsStream, limits: limits),
                        of: block)
                }
                received(head, of: stream, endsStream: endsStream, at: now)
            } catch {
                refuse(stream, fault: error)
            }
        case .trailers(let stream): received(trailers: fields, of: stream, at: now)
        case let event: take(event, part: ByteBuffer(), at: now)
        }
    }

    /// Processes a stream event of the session.
    private func take(_ event: HTTP2ConnectionStateMachine<HTTP2Stream>.Event, part: ByteBuffer, at now: NIODeadline) {
        switch event {
        case .none, .head, .trailers: break
        case .data(let stream, let endsStream):
            if part.readableBytes > 0 {
                received(part, of: stream, at: now)
            } else if !endsStream {
                // Padding counts against the window, too.
                session.consumed(stream.id, count: 0, now: now)
            }
            if endsStream { completeUnlessOver(stream, at: now) }
        case .broken(let stream, let reason): ended(stream, with: .failed(.badResponse(reason, phase: stream.phase)))
        case .reset(let stream, let code): reset(stream, with: code)
        case .sendable(let stream): queue(stream)
        case .allSendable:
            reportCapacity()
            queueAll()
        }
    }

    /// Completes the stream, unless its last part made the body too large and the stream has already failed.
    private func completeUnlessOver(_ stream: HTTP2Stream, at now: NIODeadline) {
        if !stream.isOver { complete(stream, at: now) }
    }

    /// Handles RST_STREAM from the server.
    private func reset(_ stream: HTTP2Stream, with code: HTTP2ErrorCode) {
        let cause = HTTP2ClosedByPeerError(code, isConnection: false)
        if code == .refusedStream, stream.headReceivedAt == nil { return unprocessed(stream, cause: cause) }
        if code == .http11Required, stream.headReceivedAt == nil { return needsHTTP1(stream, cause: cause, sent: true) }
        let error =
            stream.headReceivedAt == nil
            ? TransportError(
                .networkConnectionLost, phase: .head, message: "the server reset the stream: \(code)",
                requestMayHaveBeenSent: true, underlying: cause)
            : .truncated(cause)
        ended(stream, with: .failed(error))
    }

    /// Ends a request that the server has not processed and will not process.
    private func unprocessed(_ stream: HTTP2Stream, cause: HTTP2ClosedByPeerError) {
        let error = TransportError(
            .networkConnectionLost, phase: .head, message: "the server refused the request: \(cause.code)",
            requestMayHaveBeenSent: false, underlying: cause)
        ended(stream, with: stream.canSendAgain ? .unprocessed(error) : .failed(error))
    }

    /// Ends a request that the server accepts only over HTTP/1.1 (RFC 9113, section 7).
    ///
    /// It may have been processed partly.
    private func needsHTTP1(_ stream: HTTP2Stream, cause: HTTP2ClosedByPeerError, sent: Bool) {
        let error = TransportError(
            .networkConnectionLost, phase: .head, message: "the server requires HTTP/1.1 for the request",
            requestMayHaveBeenSent: sent, underlying: cause)
        let again = sent ? stream.exchange.plan.isReplayable : stream.canSendAgain
        ended(stream, with: .needsHTTP1(error, again: again))
    }

    private func refuse(_ stream: HTTP2Stream, fault: ResponseParser.ParseError) {
        switch fault {
        case .malformed(let reason): fail(stream, with: .badResponse(reason, phase: stream.phase), code: .protocolError)
        case .headTooLarge(let limit): fail(stream, with: .headTooLarge(limit))
        case .tooManyFields(let limit): fail(stream, with: .tooManyFields(limit))
        }
    }

    // MARK: A response comes

    private func received(_ head: ResponseHead, of stream: HTTP2Stream, endsStream: Bool, at now: NIODeadline) {
        let plan = stream.exchange.plan
        guard head.shape.status >= 200 else {
            guard session.wasInterim(stream.id) else {
                return refuse(stream, fault: .malformed("the server sent too many interim responses"))
            }
            plan.request.options.informational?(head.response)
            if head.shape.status == 100 { stopWaitingForContinue(of: stream, at: now) }
            return
        }
        if case .held = stream.rest {
            if head.shape.status == 417 { return refuseExpectation(stream) }
            // The response arrived without the body, so the body is not sent.
            endUpload(of: stream)
        } else if head.shape.status >= 300 {
            // An error or redirect is final. A success may be streamed while the server reads, so the upload continues.
            endUpload(of: stream)
        }
        let isBodiless = plan.isHead || head.shape.status == 204 || head.shape.status == 304
        session.wasHead(stream.id, length: isBodiless ? 0 : head.contentLength)
        deliver(head, to: stream, at: now)
        if endsStream { completeUnlessOver(stream, at: now) }
    }

    /// Ends a request after 417: the server does not support `100-continue`.
    ///
    /// Nothing of the body was sent.
    private func refuseExpectation(_ stream: HTTP2Stream) {
        session.cancel(stream.id, code: .cancel)
        ended(stream, with: .unexpected)
    }

    private func deliver(_ head: ResponseHead, to stream: HTTP2Stream, at now: NIODeadline) {
        guard let connection else { return }
        let ended = stream.requestSentAt ?? now
        // A request without a body ended when it began, so this is at least a round trip.
        if ended == stream.began { session.roundTrip.recordUpperBound(now - ended, now: now) }
        stream.exchange.plan.request.options.wire?.received(head.response)
        stream.response = head.response
        stream.headReceivedAt = now
        stream.timings.request = ended.since(stream.began)
        stream.timings.firstByte = now.since(ended)
        restartIdleTimeout(stream, from: now)
        switch stream.exchange.plan.request.options.delivery(of: head.shape.status, hasBody: head.hasBody) {
        case .collected(let limit):
            let limit = CollectedBody.effectiveLimit(limit)
            if let length = head.contentLength, length > limit { return fail(stream, with: .bodyTooLarge(limit)) }
            stream.codings = head.codings
            stream.body.expected = head.contentLength
        case .streamed:
            var response = head.response
            let decoding: ContentDecoding?
            do {
                decoding = try ContentDecoding.needed(
                    for: &response, codings: head.codings, by: stream.exchange.plan, endsWithConnection: false)
            } catch {
                return fail(stream, with: error)
            }
            let body = BodyStream()
            let reader = BodyChunks.Reader(stream: body, exchange: stream.exchange, connection: connection)
            stream.stream = body
            stream.timings.total = now.since(stream.exchange.started)
            let chunks = BodyChunks(reader)
            let ending = ResponseCompletion()
            stream.ending = ending
            stream.undelivered = TransportResponse(
                head: response,
                body: decoding.map { ResponseBody(DecodedChunks(base: chunks, decoding: $0)) } ?? ResponseBody(chunks),
                timings: stream.timings,
                connection: connection.info,
                ending: ending
            )
            streamsToNotify.append(stream)
        }
    }

    /// Delivers a streamed response together with the bytes that have already arrived, so that its reader is woken
    /// once.
    func deliver(_ stream: HTTP2Stream) {
        guard stream.undelivered != nil, let body = stream.stream, let connection,
            let answer = stream.undelivered.take()
        else { return }
        _ = stream.exchange.deliver(answer, stream: body, on: connection)
    }

    /// Notifies the readers of bodies, once for all bytes of a read.
    func notifyReaders() {
        guard !streamsToNotify.isEmpty else { return }
        for stream in streamsToNotify {
            deliver(stream)
            stream.stream?.wake()
        }
        streamsToNotify.removeAll(keepingCapacity: true)
    }

    private func received(trailers fields: HPACKHeaders, of stream: HTTP2Stream, at now: NIODeadline) {
        let trailers: HTTPFields
        do {
            trailers = try HTTP2HeadReader.trailers(of: fields, limits: stream.exchange.plan.request.options.limits)
        } catch {
            return refuse(stream, fault: error)
        }
        if let known = stream.ending {
            known.set(trailers)
        } else if !trailers.isEmpty {
            stream.ending = ResponseCompletion(trailers)
        }
        complete(stream, at: now)
    }

    private func received(_ part: ByteBuffer, of stream: HTTP2Stream, at now: NIODeadline) {
        let count = part.readableBytes
        var keepsUp = true
        if let body = stream.stream {
            if streamsToNotify.last !== stream { streamsToNotify.append(stream) }
            switch body.push(part) {
            case .ample: break
            case .little: keepsUp = false
            case .none:
                // The server is not late while the caller does not read the body.
                stream.held += count
                stream.isPaused = true
                stream.phaseTimer.phase = .none
                stream.phaseTimer.deadline = nil
                return
            }
        } else if case .collected(let limit) = stream.exchange.plan.request.options.delivery {
            guard stream.body.append(part, upTo: limit) else {
                return fail(stream, with: .bodyTooLarge(CollectedBody.effectiveLimit(limit)))
            }
        }
        session.consumed(stream.id, count: count, byReader: keepsUp, now: now)
        restartIdleTimeout(stream, from: now)
    }

    /// Returns window to the server after the reader of a body has consumed some of it.
    func resumeReading(for exchange: Exchange, body: BodyStream) {
        // The unread bytes beyond those that every reader may have in its buffer.
        let rest = max(0, body.buffered - BodyStream.capacity)
        guard let stream = stream(of: exchange) else {
            return session.keepsUnread(exchange.streamID.load(ordering: .relaxed), count: rest)
        }
        let now = NIODeadline.now()
        let held = min(stream.held, rest)
        session.consumed(stream.id, count: stream.held - held, byReader: true, now: now)
        stream.held = held
        stream.isPaused = held > 0
        restartIdleTimeout(stream, from: now)
        flush()
    }

    /// Discards the unread bytes of a body without a reader.
    ///
    /// If its stream is still open, the stream is ended next.
    func discardUnread(of exchange: Exchange) {
        // The stream may end before its exchange is ended by the reader.
        stream(of: exchange)?.held = 0
        session.keepsUnread(exchange.streamID.load(ordering: .relaxed), count: 0)
    }
}
