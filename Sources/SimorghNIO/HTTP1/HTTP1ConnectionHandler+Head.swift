// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghRealtime

/// Handling of response heads: decides whether the upload continues, and how the body is delivered.
extension HTTP1ConnectionHandler {
    /// Fails the exchange because the received bytes are not a valid response.
    func refuse(_ fault: ResponseParser.ParseError) {
        switch fault {
        case .malformed(let reason): fail(.badResponse(reason, phase: machine.isWaitingForHead ? .head : .body))
        case .headTooLarge(let limit): fail(.headTooLarge(limit))
        case .tooManyFields(let limit): fail(.tooManyFields(limit))
        }
    }

    /// Handles the head of an interim or final response.
    func received(_ head: ResponseHead) {
        guard let exchange = current?.exchange, let connection else { return }
        let stopsUpload: Bool
        switch machine.received(head: head.shape) {
        case .skip:
            exchange.plan.request.options.informational?(head.response)
            if head.shape.status == 100 { stopWaitingForContinue() }
            return
        case .refuse(let reason): return fail(.badResponse(reason, phase: .head))
        case .deliver(let stops): stopsUpload = stops
        }
        if head.shape.status == 417, isWaitingForContinue { return refuseExpectation() }
        if isWaitingForContinue {
            // The final response arrived before the body was sent, which is now not needed.
            stopUpload()
        } else if stopsUpload {
            stopUpload()
        }
        let now = NIODeadline.now()
        exchange.plan.request.options.wire?.received(head.response)
        current?.response = head.response
        current?.headReceivedAt = now
        if let began = current?.began {
            let ended = current?.requestSentAt ?? now
            current?.timings.request = ended.since(began)
            current?.timings.firstByte = now.since(ended)
        }
        switch exchange.plan.request.options.delivery(of: head.shape.status, hasBody: head.hasBody) {
        case .collected(let limit):
            let limit = CollectedBody.effectiveLimit(limit)
            if let length = head.contentLength, length > limit { return fail(.bodyTooLarge(limit)) }
            current?.codings = head.codings
            current?.body.expected = head.contentLength
        case .streamed:
            var response = head.response
            let decoding: ContentDecoding?
            do {
                decoding = try ContentDecoding.needed(
                    for: &response, codings: head.codings, by: exchange.plan,
                    endsWithConnection: head.shape.isUntilClose)
            } catch {
                return fail(error)
            }
            let stream = BodyStream()
            let reader = BodyChunks.Reader(stream: stream, exchange: exchange, connection: connection)
            current?.stream = stream
            current?.timings.total = now.since(exchange.started)
            let chunks = BodyChunks(reader)
            let ending = ResponseCompletion()
            current?.ending = ending
            current?.undelivered = TransportResponse(
                head: response,
                body: decoding.map { ResponseBody(DecodedChunks(base: chunks, decoding: $0)) } ?? ResponseBody(chunks),
                timings: current?.timings ?? ExchangeTimings(),
                connection: connection.info,
                ending: ending
            )
        }
    }

    /// Delivers a streamed response together with the body bytes that arrived with its head, so that its reader is
    /// woken once.
    func deliver(_ current: Current) {
        guard current.undelivered != nil, let stream = current.stream, let connection,
            let answer = current.undelivered.take()
        else { return }
        _ = current.exchange.deliver(answer, stream: stream, on: connection)
    }

    /// Handles a 417 response: the server does not support `100-continue`, and no byte of the body was sent.
    private func refuseExpectation() {
        guard let exchange = current?.exchange else { return }
        abort(exchange)
        exchange.finish(.unexpected)
    }
}

extension HTTP1ConnectionHandler.Current {
    /// Returns the details of a failed exchange.
    func facts(_ connection: ConnectionInfo?) -> AttemptDetails {
        let tellsBody = exchange.plan.request.options.wire?.isDetailed == true && codings.isEmpty && response != nil
        return AttemptDetails(
            timings: timings, connection: connection, response: response, body: tellsBody ? body.data : nil)
    }
}
