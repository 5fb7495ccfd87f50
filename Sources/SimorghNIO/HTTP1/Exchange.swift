// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import Synchronization

/// One attempt of a request in the engine: the state that the sending task, the pool and a connection's loop share.
///
/// It ends exactly once: with a response, with an error, or cancelled. Later events are ignored.
final class Exchange: RequestMember, DeadlineTarget, Sendable {
    enum Outcome: Sendable {
        /// The response; a collected body still has to be decoded with `codings`.
        case response(TransportResponse, codings: [String])
        case failed(TransportError)
        /// The connection was found dead before the server can have processed the request: it may be sent once more.
        case stale(TransportError)
        /// The server did not process the request: it may be sent again, whatever its method.
        case unprocessed(TransportError)
        /// The request was not sent, because the connection could no longer take it.
        case unsent(TransportError)
        /// The same for an idle connection that carries one exchange at a time: others like it may still be alive.
        case idleEnded(TransportError)
        /// The server rejected `Expect: 100-continue` with 417: the request may be sent without it.
        case unexpected
        /// The server requires HTTP/1.1 for the request; if `again`, the request may be sent there at once.
        case needsHTTP1(TransportError, again: Bool)

        /// The error, if the outcome has one.
        var error: TransportError? {
            switch self {
            case .response, .unexpected: nil
            case .failed(let error), .stale(let error), .unprocessed(let error), .unsent(let error),
                .idleEnded(let error), .needsHTTP1(let error, _):
                error
            }
        }

        /// The end of the attempt, if the unchanged request may be sent again; otherwise `nil`.
        var end: ResendPolicy.End? {
            switch self {
            case .idleEnded: return .idleEnded
            case .stale(let error): return error.requestMayHaveBeenSent ? .unanswered : .newEnded
            case .unprocessed: return .unprocessed
            case .unsent: return .unsent
            case .response, .failed, .unexpected, .needsHTTP1: return nil
            }
        }

        /// Returns the outcome with the details of the exchange in its error.
        func with(_ facts: AttemptDetails) -> Outcome {
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

    private enum Phase: Sendable {
        case idle
        case waiting(ConnectionPool.Machine.Ticket)
        case connected(PooledConnection)
        /// The head was delivered, and the body is arriving.
        case streaming(PooledConnection, BodyStream)
        case over
    }

    private struct State: Sendable {
        var phase = Phase.idle
        var outcome: Outcome?
        var continuation: UnsafeContinuation<Outcome, Never>?
        /// The entry of the wait in the pool's clock.
        var timing: SharedTimerWheel.Handle?
    }

    /// The delay of a second check, if a connection is being opened for the exchange when its queue timeout passes.
    private static let recheckDelay = TimeAmount.milliseconds(250)

    let plan: RequestPlan
    /// The number of this attempt of the request.
    let attempt: Int
    /// True if the connection must not have carried a request.
    let needsFresh: Bool
    let started: NIODeadline
    let totalDeadline: NIODeadline?
    /// The time at which this attempt began.
    let waitingSince: NIODeadline
    /// The upload of a body that is read while it is sent.
    let upload: Upload?
    /// The index of the event loop on which its task runs.
    let eventLoopIndex: Int?
    /// The stream on a shared connection; used on the connection's loop.
    let streamID = Atomic<UInt32>(0)
    /// The index in the call scope; -1 for an exchange that was not added, because the scope was cancelled before.
    private let scopeIndex = Atomic<Int>(-1)
    private let pool: ConnectionPool
    private let state = Mutex(State())

    /// The executor on which the body is read, if the task runs on an event loop.
    var executor: EventLoopTaskExecutor? { pool.executor(onEventLoop: eventLoopIndex) }

    var timeouts: Timeouts { plan.request.options.timeouts }

    var carried: TransportRequest { plan.request }

    init(_ plan: RequestPlan, pool: ConnectionPool, started: NIODeadline, attempt: Int, needsFresh: Bool) {
        self.plan = plan
        self.attempt = attempt
        self.pool = pool
        self.started = started
        self.needsFresh = needsFresh
        eventLoopIndex = pool.currentEventLoopIndex
        waitingSince = attempt > 1 ? .now() : started
        totalDeadline = plan.request.options.timeouts.total.map { started.after($0) }
        if case .chunks(let makeIterator, let length) = plan.upload {
            upload = Upload(makeIterator, length: length, trailers: plan.request.body.trailers)
        } else {
            upload = nil
        }
    }

    /// Runs the exchange up to the response, or up to its head if the body is streamed.
    func outcome() async -> Outcome {
        if let scope = plan.request.options.scope {
            if let index = scope.add(self) { scopeIndex.store(index, ordering: .relaxed) } else { cancel() }
        }
        upload?.start(for: self)
        return await response()
    }

    private func response() async -> Outcome {
        await withTaskCancellationHandler {
            // An unsafe continuation, because a checked one costs two allocations per request: `finish` resumes it
            // exactly once, because it takes it out of the state under the lock.
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

    /// Records that the exchange has a ticket for the queue.
    func waits(_ ticket: ConnectionPool.Machine.Ticket) {
        let isOver = state.withLock { state in
            switch state.phase {
            case .idle:
                state.phase = .waiting(ticket)
                return false
            case .over: return true
            case .waiting, .connected, .streaming: return false  // A connection was assigned before this call.
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
            guard case .waiting = state.phase else { return true }
            state.timing = timing
            return false
        }
        if isLate { pool.clock.remove(timing) }
    }

    /// Handles the timeout of the wait for a connection.
    func deadlinePassed() {
        let ticket = state.withLock { state -> ConnectionPool.Machine.Ticket? in
            guard case .waiting(let ticket) = state.phase else { return nil }
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
            // A connection is being opened for the exchange, so it is not waiting in the queue. But that may fail, and
            // the exchange may then have to wait for an existing connection.
            let again = now + Self.recheckDelay
            startWaitTimer(at: totalDeadline.map { min($0, again) } ?? again)
        }
    }

    /// Assigns a connection.
    ///
    /// - Returns: False if the exchange has ended, and the connection has to be returned.
    func leased(_ connection: PooledConnection) -> Bool {
        let (isWanted, timing) = state.withLock { state -> (Bool, SharedTimerWheel.Handle?) in
            switch state.phase {
            case .idle, .waiting:
                state.phase = .connected(connection)
                return (true, state.timing.take())
            case .connected, .streaming, .over: return (false, nil)
            }
        }
        if let timing { pool.clock.remove(timing) }
        if isWanted, let wire = plan.request.options.wire {
            wire.began(
                over: connection.info, sent: wire.isDetailed ? plan.sentHead(isHTTP2: connection.isShared) : nil)
        }
        return isWanted
    }

    // MARK: On a connection

    /// True if the exchange has ended.
    var isOver: Bool {
        state.withLock { state in
            if case .over = state.phase { return true }
            return false
        }
    }

    /// Delivers a response whose body is still arriving.
    ///
    /// - Returns: False if the exchange has ended.
    func deliver(_ response: TransportResponse, stream: BodyStream, on connection: PooledConnection) -> Bool {
        let (isWanted, continuation) = state.withLock { state -> (Bool, UnsafeContinuation<Outcome, Never>?) in
            guard case .connected = state.phase else { return (false, nil) }
            state.phase = .streaming(connection, stream)
            if state.continuation == nil { state.outcome = .response(response, codings: []) }
            return (true, state.continuation.take())
        }
        continuation?.resume(returning: .response(response, codings: []))
        return isWanted
    }

    /// Ends the exchange, unless it has ended.
    func finish(_ outcome: consuming Outcome) {
        // Moved, not copied, because a response is large.
        var outcome = Optional(outcome)
        guard let (_, continuation) = leave({ _ in outcome.take() }), let continuation, let outcome = outcome.take()
        else { return }
        continuation.resume(returning: outcome)
    }

    /// Ends the exchange after the body has ended, successfully or not; its reader learns that from the stream.
    func bodyEnded() { _ = leave { _ in nil } }

    /// Cancels the exchange in any state; called from any thread.
    func cancel() {
        guard let (phase, continuation) = leave({ cancelled(at: $0) }) else { return }
        continuation?.resume(returning: cancelled(at: phase))
        switch phase {
        case .waiting(let ticket): pool.withdraw(ticket)
        case .connected(let connection): connection.abort(self)
        case .streaming(let connection, let stream):
            stream.end(.cancelled(phase: .body))
            connection.abort(self)
        case .idle, .over: break
        }
    }

    /// Drains a body that no caller reads any more, on the connection's loop, if it ends soon.
    func linger() {
        let connection = state.withLock { state -> PooledConnection? in
            guard case .streaming(let connection, _) = state.phase else { return nil }
            return connection
        }
        connection?.linger(self)
    }

    private func cancelled(at phase: Phase) -> Outcome {
        let outcome: Outcome =
            switch phase {
            case .idle, .waiting: .failed(.cancelled(phase: .queue))
            case .connected: .failed(.cancelled(phase: .head))
            case .streaming, .over: .failed(.cancelled(phase: .body))
            }
        // The timings are not fetched from the connection: its loop may be busy, and cancelling must not wait.
        guard let wire = plan.request.options.wire else { return outcome }
        var timings = ExchangeTimings()
        timings.total = NIODeadline.now().since(started)
        return wire.facts(timings).map { outcome.with($0) } ?? outcome
    }

    /// Ends the exchange, once.
    ///
    /// - Parameter early: Returns the outcome for a task that does not wait yet; called only in that case.
    /// - Returns: The previous state, and the continuation to resume; `nil` if the exchange had ended already.
    private func leave(
        _ early: (Phase) -> Outcome?
    ) -> (phase: Phase, continuation: UnsafeContinuation<Outcome, Never>?)? {
        var timing: SharedTimerWheel.Handle?
        let left = state.withLock { state -> (phase: Phase, continuation: UnsafeContinuation<Outcome, Never>?)? in
            let phase = state.phase
            if case .over = phase { return nil }
            state.phase = .over
            // The task that got the head already has its outcome.
            if case .streaming = phase { return (phase, nil) }
            let continuation = state.continuation.take()
            if continuation == nil { state.outcome = early(phase) }
            timing = state.timing.take()
            return (phase, continuation)
        }
        guard let left else { return nil }
        if let timing { pool.clock.remove(timing) }
        upload?.stop()
        plan.request.options.scope?.remove(self, from: scopeIndex.load(ordering: .relaxed))
        return left
    }
}
