// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import Synchronization

/// One request on its way through the engine: what the sending task, the pool and a connection's loop share of it.
///
/// It ends once: with a response, with an error, or cancelled, whichever comes first; what comes later finds it over.
final class Exchange: RequestCarrier, TimedWaiter, Sendable {
    enum Outcome: Sendable {
        /// The response; where its body is collected, with the codings that are still to be undone.
        case response(TransportResponse, codings: [String])
        case failed(TransportError)
        /// The connection was found dead before the server can have acted on the request: it may be sent once more.
        case stale(TransportError)
        /// The server did not look at the request: it may be sent again, whatever it is.
        case unprocessed(TransportError)
        /// It never left, since the connection could not take it any more.
        case unsent(TransportError)
        /// The same of a connection that had idled and carries one exchange at a time: others like it may well be alive.
        case idleEnded(TransportError)
        /// The server refused to be asked whether it wants the body (417): the request may be sent without asking.
        case unexpected
        /// The server takes the request over HTTP/1.1 alone; where `again`, it may be sent there at once.
        case needsHTTP1(TransportError, again: Bool)

        /// What went wrong, where something did that has a name.
        var error: TransportError? {
            switch self {
            case .response, .unexpected: nil
            case .failed(let error), .stale(let error), .unprocessed(let error), .unsent(let error),
                .idleEnded(let error), .needsHTTP1(let error, _):
                error
            }
        }

        /// How it ended, where the request may go out again as it is; `nil` where it may not.
        var end: ResendRule.End? {
            switch self {
            case .idleEnded: return .idleEnded
            case .stale(let error): return error.requestMayHaveBeenSent ? .unanswered : .newEnded
            case .unprocessed: return .unprocessed
            case .unsent: return .unsent
            case .response, .failed, .unexpected, .needsHTTP1: return nil
            }
        }

        /// The same, its error with what is known of the exchange.
        func with(_ facts: AttemptFacts) -> Outcome {
            switch self {
            case .response, .unexpected: return self
            case .failed(var error):
                error.facts = facts
                return .failed(error)
            case .stale(var error):
                error.facts = facts
                return .stale(error)
            case .unprocessed(var error):
                error.facts = facts
                return .unprocessed(error)
            case .unsent(var error):
                error.facts = facts
                return .unsent(error)
            case .idleEnded(var error):
                error.facts = facts
                return .idleEnded(error)
            case .needsHTTP1(var error, let again):
                error.facts = facts
                return .needsHTTP1(error, again: again)
            }
        }
    }

    private enum Place: Sendable {
        case nowhere
        case waiting(ConnectionPool.Machine.Ticket)
        case connected(WireConnection)
        /// The head has been handed over, and the body arrives.
        case streaming(WireConnection, BodyStream)
        case over
    }

    private struct State: Sendable {
        var place = Place.nowhere
        var outcome: Outcome?
        var continuation: UnsafeContinuation<Outcome, Never>?
        /// Where the pool's clock watches over the wait.
        var timing: WaitClock.Place?
    }

    /// How long after its time in the queue is up somebody is looked after for whom a connection is being opened.
    private static let secondLook = TimeAmount.milliseconds(250)

    let plan: RequestPlan
    /// How often the transport has sent the request with this.
    let attempt: Int
    /// Whether only a connection that has carried nothing will do.
    let needsFresh: Bool
    let started: NIODeadline
    let totalDeadline: NIODeadline?
    /// When this attempt began.
    let waitingSince: NIODeadline
    /// The way of a body that is read as it is sent.
    let upload: Upload?
    /// The event loop that its task stays on.
    let lane: Int?
    /// Its stream, where the connection carries many; written and read on the connection's loop.
    let streamID = Atomic<UInt32>(0)
    /// Its place in the scope; one that was cancelled before this was written has no place left to leave.
    private let scopePlace = Atomic<Int>(-1)
    private let pool: ConnectionPool
    private let state = Mutex(State())

    /// What its body is read on, where its task stays on an event loop.
    var executor: LoopExecutor? { pool.executor(inLane: lane) }

    var timeouts: Timeouts { plan.request.options.timeouts }

    var carried: TransportRequest { plan.request }

    init(_ plan: RequestPlan, pool: ConnectionPool, started: NIODeadline, attempt: Int, needsFresh: Bool) {
        self.plan = plan
        self.attempt = attempt
        self.pool = pool
        self.started = started
        self.needsFresh = needsFresh
        lane = pool.currentLane
        waitingSince = attempt > 1 ? .now() : started
        totalDeadline = plan.request.options.timeouts.total.map { started.after($0) }
        if case .chunks(let makeIterator, let length) = plan.upload {
            upload = Upload(makeIterator, length: length, trailers: plan.request.body.trailers)
        } else {
            upload = nil
        }
    }

    /// Carries the request as far as the response, or its head.
    func outcome() async -> Outcome {
        if let scope = plan.request.options.scope {
            if let place = scope.add(self) { scopePlace.store(place, ordering: .relaxed) } else { cancel() }
        }
        upload?.start(for: self)
        return await response()
    }

    private func response() async -> Outcome {
        await withTaskCancellationHandler {
            // Not a checked one, which costs two allocations a request: `finish` resumes it exactly once, since it takes
            // it out of the state under the lock.
            await withUnsafeContinuation { continuation in
                let early = state.withLock { state in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome
                }
                if let early { continuation.resume(returning: early) } else { pool.lease(self) }
            }
        } onCancel: {
            cancel()
        }
    }

    // MARK: In the pool

    /// The request has a place in the queue.
    func waits(_ ticket: ConnectionPool.Machine.Ticket) {
        let isOver = state.withLock { state in
            switch state.place {
            case .nowhere:
                state.place = .waiting(ticket)
                return false
            case .over: return true
            case .waiting, .connected, .streaming: return false  // A connection was quicker than this call.
            }
        }
        if isOver { pool.withdraw(ticket) } else { startWaitTimer(at: firstWaitDeadline) }
    }

    private var queueDeadline: NIODeadline? { timeouts.queue.map { waitingSince.after($0) } }

    private var firstWaitDeadline: NIODeadline? {
        guard let queue = queueDeadline else { return totalDeadline }
        return totalDeadline.map { min($0, queue) } ?? queue
    }

    private func startWaitTimer(at deadline: NIODeadline?) {
        guard let deadline else { return }
        let timing = pool.clock.add(self, until: deadline)
        let isLate = state.withLock { state in
            guard case .waiting = state.place else { return true }
            state.timing = timing
            return false
        }
        if isLate { pool.clock.remove(timing) }
    }

    /// The time to wait is up.
    func waitTimePassed() {
        let ticket = state.withLock { state -> ConnectionPool.Machine.Ticket? in
            guard case .waiting(let ticket) = state.place else { return nil }
            state.timing = nil
            return ticket
        }
        guard let ticket else { return }
        let now = NIODeadline.now()
        if let deadline = totalDeadline, deadline <= now, let limit = timeouts.total {
            pool.withdraw(ticket)
            finish(.failed(.timedOut(.total, after: limit, requestMayHaveBeenSent: false)))
        } else if let limit = timeouts.queue, pool.queueTimePassed(ticket) {
            finish(.failed(.timedOut(.queue, after: limit, requestMayHaveBeenSent: false)))
        } else {
            // A connection is being opened for it, which is no wait in the queue; but that may fail, and it then wait for
            // one that is there.
            let again = now + Self.secondLook
            startWaitTimer(at: totalDeadline.map { min($0, again) } ?? again)
        }
    }

    /// A connection is there.
    ///
    /// - Returns: `false` if the exchange is over: the connection is for somebody else.
    func leased(_ connection: WireConnection) -> Bool {
        let (isWanted, timing) = state.withLock { state -> (Bool, WaitClock.Place?) in
            switch state.place {
            case .nowhere, .waiting:
                state.place = .connected(connection)
                return (true, state.timing.take())
            case .connected, .streaming, .over: return (false, nil)
            }
        }
        if let timing { pool.clock.remove(timing) }
        if isWanted, let wire = plan.request.options.wire {
            wire.began(
                over: connection.info, wire.isDetailed ? plan.sentHead(isHTTP2: connection.isShared) : nil)
        }
        return isWanted
    }

    // MARK: On a connection

    /// Whether somebody still wants the answer.
    var isOver: Bool {
        state.withLock { state in
            if case .over = state.place { return true }
            return false
        }
    }

    /// Hands over a response whose body arrives behind it.
    ///
    /// - Returns: `false` if the exchange is over.
    func deliver(_ response: TransportResponse, _ stream: BodyStream, on connection: WireConnection) -> Bool {
        let (isWanted, continuation) = state.withLock { state -> (Bool, UnsafeContinuation<Outcome, Never>?) in
            guard case .connected = state.place else { return (false, nil) }
            state.place = .streaming(connection, stream)
            if state.continuation == nil { state.outcome = .response(response, codings: []) }
            return (true, state.continuation.take())
        }
        continuation?.resume(returning: .response(response, codings: []))
        return isWanted
    }

    /// Ends the exchange, unless it is over.
    func finish(_ outcome: consuming Outcome) {
        // Handed on and not copied, since a response is large.
        var outcome = Optional(outcome)
        guard let (_, continuation) = leave({ _ in outcome.take() }), let continuation, let outcome = outcome.take()
        else { return }
        continuation.resume(returning: outcome)
    }

    /// The body that was arriving has ended, well or not; its reader hears that from the stream.
    func bodyEnded() { _ = leave { _ in nil } }

    /// Stops the exchange wherever it is; called from any thread.
    func cancel() {
        guard let (place, continuation) = leave({ cancelled(at: $0) }) else { return }
        continuation?.resume(returning: cancelled(at: place))
        switch place {
        case .waiting(let ticket): pool.withdraw(ticket)
        case .connected(let connection): connection.abort(self)
        case .streaming(let connection, let stream):
            stream.end(.cancelled(phase: .body))
            connection.abort(self)
        case .nowhere, .over: break
        }
    }

    /// Nobody reads the body any more; its end, if that is near, is waited for on the connection's loop.
    func linger() {
        let connection = state.withLock { state -> WireConnection? in
            guard case .streaming(let connection, _) = state.place else { return nil }
            return connection
        }
        connection?.linger(self)
    }

    private func cancelled(at place: Place) -> Outcome {
        let outcome: Outcome =
            switch place {
            case .nowhere, .waiting: .failed(.cancelled(phase: .queue))
            case .connected: .failed(.cancelled(phase: .head))
            case .streaming, .over: .failed(.cancelled(phase: .body))
            }
        // The connection is not asked: its loop may be busy, and who cancels does not wait.
        guard let wire = plan.request.options.wire else { return outcome }
        var timings = ExchangeTimings()
        timings.total = NIODeadline.now().since(started)
        return wire.facts(timings).map { outcome.with($0) } ?? outcome
    }

    /// Makes the exchange over, once.
    ///
    /// - Parameter early: The outcome for a task that does not wait yet; asked for only then.
    /// - Returns: Where it was, and who is to be told the outcome; `nil` if it was over already.
    private func leave(
        _ early: (Place) -> Outcome?
    ) -> (place: Place, continuation: UnsafeContinuation<Outcome, Never>?)? {
        var timing: WaitClock.Place?
        let left = state.withLock { state -> (place: Place, continuation: UnsafeContinuation<Outcome, Never>?)? in
            let place = state.place
            if case .over = place { return nil }
            state.place = .over
            // Whoever got the head already has what it waited for.
            if case .streaming = place { return (place, nil) }
            let continuation = state.continuation.take()
            if continuation == nil { state.outcome = early(place) }
            timing = state.timing.take()
            return (place, continuation)
        }
        guard let left else { return nil }
        if let timing { pool.clock.remove(timing) }
        upload?.stop()
        plan.request.options.scope?.remove(self, from: scopePlace.load(ordering: .relaxed))
        return left
    }
}
