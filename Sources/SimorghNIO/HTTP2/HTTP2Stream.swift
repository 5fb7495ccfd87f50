// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport

/// What is going on for one exchange on a connection that carries many, besides the session's own state.
final class HTTP2Stream {
    /// What is left of a request's body.
    enum Rest {
        case none
        /// All of it: the server has not said yet that it wants it.
        case held
        /// Bytes in memory, and how many of them were sent.
        case bytes(Data, sent: Int)
        /// One of the chunks that a task reads, and how many of its bytes were sent.
        case chunk(Data, sent: Int)
        /// The next chunk is being read.
        case reading
        /// All chunks were sent; what is left is to say so, with the fields behind them.
        case end(HTTPFields)
    }

    let exchange: Exchange
    let began: NIODeadline
    /// Whether the connection was opened for this and carried nothing before.
    let isFresh: Bool
    /// How many frames the connection had brought before.
    let framesBefore: UInt64
    var id: UInt32 = 0

    var requestEnded: NIODeadline?
    var headCame: NIODeadline?
    var timings: ExchangeTimings
    var response: HTTPResponse?
    var codings: [String] = []
    var body = CollectedBody()
    var stream: BodyStream?
    /// The response whose body streams, until all has been looked at that came with its head.
    var undelivered: TransportResponse?
    /// Where is put what only the end of a body tells.
    var ending: ResponseEnding?
    /// Bytes that lie before a slow reader, and are not asked for again until it has taken them.
    var held = 0
    var isPaused = false
    /// Whether the exchange has its answer, or its error.
    var isOver = false

    var rest = Rest.none
    /// Whether its next chunk is wanted once the socket takes more.
    var isThirsty = false
    /// Whether it stands in line to send.
    var isQueued = false
    var clock = PhaseClock()

    init(
        _ exchange: Exchange, began: NIODeadline, isFresh: Bool, framesBefore: UInt64, timings: ExchangeTimings
    ) {
        self.exchange = exchange
        self.began = began
        self.isFresh = isFresh
        self.framesBefore = framesBefore
        self.timings = timings
        clock.total = exchange.totalDeadline
    }

    /// Whether the request has a body of any length.
    var hasBody: Bool {
        guard exchange.upload == nil else { return true }
        return switch exchange.plan.request.body.content {
        case .bytes(let bytes): !bytes.isEmpty
        case .chunks: true
        case .empty, .encodable, .pieces: false
        }
    }

    /// True if the request asks for a stream of events, which is slow and has no end.
    var isForEvents: Bool { exchange.plan.request.head.headerFields[.accept] == "text/event-stream" }

    /// True if bytes of the request's body are at hand that were not sent.
    var hasBytesToSend: Bool {
        switch rest {
        case .bytes, .chunk: true
        case .none, .held, .reading, .end: false
        }
    }

    /// Whether the next chunk of the request's body is being made, which is nobody's time but its maker's.
    var isWaitingForSource: Bool {
        guard case .reading = rest else { return false }
        return !isThirsty
    }

    /// The exchange is over, well or not: its times are whole.
    func ended(_ now: NIODeadline) {
        if let headCame { timings.body = now.since(headCame) }
        timings.total = now.since(exchange.started)
    }

    /// How far the exchange has come, for an error that ends it.
    var phase: TransportError.Phase { headCame == nil ? .head : .body }

    /// Whether the request can be sent again, given that the server did not look at it.
    var canSendAgain: Bool {
        guard headCame == nil else { return false }
        return exchange.upload == nil || exchange.plan.request.body.replayability > .once
    }
}

extension HTTP2Stream {
    /// Returns the facts about an exchange that fails.
    func facts(_ connection: ConnectionInfo?) -> AttemptFacts {
        let tellsBody = exchange.plan.request.options.wire?.isDetailed == true && codings.isEmpty && response != nil
        return AttemptFacts(timings, connection, response: response, body: tellsBody ? body.data : nil)
    }
}
