// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport

/// The state of one exchange on an HTTP/2 connection, besides the session's own state.
final class HTTP2Stream {
    /// The unsent rest of a request's body.
    enum Rest {
        case none
        /// The whole body: it waits for `100 Continue`.
        case held
        /// Bytes in memory, and how many of them were sent.
        case bytes(Data, sent: Int)
        /// A chunk that a task has read, and how many of its bytes were sent.
        case chunk(Data, sent: Int)
        /// The next chunk is being read.
        case reading
        /// All chunks were sent; the end of the stream and the trailers are not.
        case end(HTTPFields)
    }

    let exchange: Exchange
    let began: NIODeadline
    /// True if the connection was opened for this exchange and has carried no other.
    let isFresh: Bool
    /// The number of frames received on the connection before this stream.
    let framesBefore: UInt64
    var id: UInt32 = 0

    /// The time at which the whole request was written.
    var requestSentAt: NIODeadline?
    /// The time at which the head of the response arrived.
    var headReceivedAt: NIODeadline?
    var timings: ExchangeTimings
    var response: HTTPResponse?
    var codings: [String] = []
    var body = CollectedBody()
    var stream: BodyStream?
    /// The response whose body streams, until all bytes that arrived with its head were processed.
    var undelivered: TransportResponse?
    /// Receives the trailers and the final timings when the body ends.
    var ending: ResponseCompletion?
    /// Unread bytes of a slow reader that are not returned to the window until it has taken them.
    var held = 0
    var isPaused = false
    /// True once the exchange has its response or its error.
    var isOver = false

    var rest = Rest.none
    /// True if the next chunk is requested once the socket is writable.
    var isAwaitingWritability = false
    /// True if the stream is queued to send.
    var isQueued = false
    var phaseTimer = PhaseTimer()

    init(
        _ exchange: Exchange, began: NIODeadline, isFresh: Bool, framesBefore: UInt64, timings: ExchangeTimings
    ) {
        self.exchange = exchange
        self.began = began
        self.isFresh = isFresh
        self.framesBefore = framesBefore
        self.timings = timings
        phaseTimer.total = exchange.totalDeadline
    }

    /// True if the request has a body.
    var hasBody: Bool {
        guard exchange.upload == nil else { return true }
        return switch exchange.plan.request.body.content {
        case .bytes(let bytes): !bytes.isEmpty
        case .chunks: true
        case .empty, .encodable, .pieces: false
        }
    }

    /// True if the request accepts a stream of server-sent events, which is slow and has no end.
    var isForEvents: Bool { exchange.plan.request.head.headerFields[.accept] == "text/event-stream" }

    /// True if bytes of the request's body are in memory and unsent.
    var hasBytesToSend: Bool {
        switch rest {
        case .bytes, .chunk: true
        case .none, .held, .reading, .end: false
        }
    }

    /// True while the caller produces the next chunk of the request's body; the time limits do not apply then.
    var isWaitingForSource: Bool {
        guard case .reading = rest else { return false }
        return !isAwaitingWritability
    }

    /// Sets the final timings of an exchange, successful or not.
    func ended(_ now: NIODeadline) {
        if let headReceivedAt { timings.body = now.since(headReceivedAt) }
        timings.total = now.since(exchange.started)
    }

    /// The phase of the exchange, for an error that ends it.
    var phase: TransportError.Phase { headReceivedAt == nil ? .head : .body }

    /// True if the request can be sent again after the server did not process it.
    var canSendAgain: Bool {
        guard headReceivedAt == nil else { return false }
        return exchange.upload == nil || exchange.plan.request.body.replayability > .once
    }
}

extension HTTP2Stream {
    /// Returns the details of an attempt that fails.
    func facts(_ connection: ConnectionInfo?) -> AttemptDetails {
        let tellsBody = exchange.plan.request.options.wire?.isDetailed == true && codings.isEmpty && response != nil
        return AttemptDetails(
            timings: timings, connection: connection, response: response, body: tellsBody ? body.data : nil)
    }
}
