// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
package import SimorghSupport
import Synchronization

/// One exchange of a scripted transport.
///
/// It stops at once when its task or its cancellation scope is cancelled.
package final class ScriptedExchange: CancellationScope.Member {
    private struct State {
        var isCancelled = false
        /// True if the exchange was cancelled while an operation ran.
        var isAbandoned = false
        /// The index in the cancellation scope.
        var scopeIndex: Int?
        /// Stops the running operation; there is at most one.
        var stop: (@Sendable () -> Void)?
        /// Called if the exchange is cancelled, also between two operations.
        var onCancel: (@Sendable () -> Void)?
        /// Measures the time since the request and its body were sent.
        var sent: Stopwatch?
    }

    private let state = Mutex(State())
    private let scope: CancellationScope?
    private let time: TimeSource
    private let timeouts: Timeouts?
    private let totalStopwatch: Stopwatch
    private let running: (exchanges: RunningExchanges, id: Int)?

    package init(
        scope: CancellationScope?, time: TimeSource = .system, timeouts: Timeouts? = nil,
        running: (exchanges: RunningExchanges, id: Int)? = nil
    ) {
        self.scope = scope
        self.time = time
        self.timeouts = timeouts
        totalStopwatch = time.stopwatch()
        self.running = running
        guard let scope else { return }
        let scopeIndex = scope.add(self)
        state.withLock { $0.scopeIndex = scopeIndex }
        if scopeIndex == nil { cancel() }
    }

    /// Records a request and returns its response.
    package static func run(
        _ request: TransportRequest, recorder: RequestRecorder, exchanges: RunningExchanges, time: TimeSource,
        answer: @escaping @Sendable (RecordedRequest) async throws -> StubResponse
    ) async throws(TransportError) -> TransportResponse {
        try await perform(request, exchanges: exchanges, time: time) { exchange throws(TransportError) in
            try await exchange.run(.head) {
                let body = try await ScriptedBody.collect(request.body)
                exchange.bodyWasSent()
                let recorded = try exchange.unlessCancelled { recorder.record(request, body: body) }
                return try await exchange.respond(with: try await answer(recorded), to: request)
            }
        }
    }

    /// Performs one exchange, which ends if the operation throws.
    package static func perform(
        _ request: TransportRequest, exchanges: RunningExchanges, time: TimeSource,
        operation: (ScriptedExchange) async throws(TransportError) -> TransportResponse
    ) async throws(TransportError) -> TransportResponse {
        let exchange = ScriptedExchange(
            scope: request.options.scope, time: time, timeouts: request.options.timeouts,
            running: (exchanges, exchanges.begin(request.head)))
        do {
            return try await operation(exchange)
        } catch {
            exchange.end()
            var error = error
            error.method = request.head.method.rawValue
            error.url = request.head.urlString
            throw error
        }
    }

    package func cancel() {
        let (stop, onCancel) = state.withLock { state in
            state.isCancelled = true
            return (state.stop, state.onCancel)
        }
        stop?()
        onCancel?()
    }

    /// Sets a function that is called if the exchange is cancelled, also between two operations.
    package func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.onCancel = handler
            return state.isCancelled
        }
        if isCancelled { handler() }
    }

    /// Does something, such as recording the request, unless the exchange was already cancelled: a cancelled call must
    /// have no effect later.
    package func unlessCancelled<Value: Sendable>(_ body: () -> Value) throws -> Value {
        try state.withLock { state in
            guard !state.isAbandoned, !state.isCancelled else { throw CancellationError() }
            return body()
        }
    }

    /// Starts the time limit of the response's head, because the request's body was sent.
    package func bodyWasSent() {
        state.withLock { $0.sent = time.stopwatch() }
    }

    /// Leaves the cancellation scope.
    ///
    /// No operation runs afterwards.
    package func end() {
        scope?.remove(self, from: state.withLock { $0.scopeIndex })
        if let running { running.exchanges.end(running.id) }
    }

    /// Runs an operation.
    ///
    /// Once the exchange is cancelled, it does not wait for the operation, which may be the user's code.
    package func run<Value: Sendable>(
        _ phase: TransportError.Phase, operation: @escaping @Sendable () async throws -> Value
    ) async throws(TransportError) -> Value {
        // If the task is cancelled before it begins, note that now: the operation may run before it can be stopped.
        if Task.isCancelled { state.withLock { $0.isAbandoned = true } }
        let outcome = Waiter<Value, TransportError>()
        let task = Task {
            do {
                outcome.settle(.success(try await operation()))
            } catch let error as TransportError {
                outcome.settle(.failure(error))
            } catch is CancellationError {
                outcome.settle(.failure(.cancelled(phase: phase)))
            } catch {
                outcome.settle(
                    .failure(TransportError(.unknown, phase: phase, message: "\(error)", underlying: error)))
            }
        }
        let stop: @Sendable () -> Void = { [self] in
            state.withLock { $0.isAbandoned = true }
            outcome.settle(.failure(.cancelled(phase: phase)))
            task.cancel()
        }
        let isCancelled = state.withLock { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop() }
        defer { state.withLock { $0.stop = nil } }
        return try await withTaskCancellationHandler {
            await outcome.outcome()
        } onCancel: {
            stop()
        }.get()
    }

    /// Returns the response to a request, delivered as its options demand.
    package func respond(
        with answer: StubResponse, to request: TransportRequest
    ) async throws -> TransportResponse {
        let plan = WirePlan(answer, method: request.head.method)
        for (index, step) in plan.steps.enumerated() {
            switch step {
            case .interim(let response): request.options.informational?(response)
            case .head(let head, let length):
                return try await respond(
                    head, length: length, steps: plan.steps[(index + 1)...], by: answer.wire, to: request)
            case .webSocket:
                end()
                return TransportResponse(head: HTTPResponse(status: .upgradeRequired))
            case .wait, .gate, .fault, .fail: try await perform(step, phase: .head, isMeasured: false)
            case .bytes, .end: continue
            }
        }
        throw TransportError(.networkConnectionLost, phase: .head, message: "the stub has no response")
    }

    private func respond(
        _ head: HTTPResponse, length: Int?, steps: ArraySlice<WirePlan.Step>, by wire: ResponseDelivery,
        to request: TransportRequest
    ) async throws -> TransportResponse {
        let ending = ResponseCompletion()
        let options = request.options
        // Behaves like a real transport, except that a body which is available at once is collected even if it is not
        // wanted.
        switch Self.isShort(steps) ? options.delivery : options.delivery(of: head.status.code, hasBody: !steps.isEmpty)
        {
        case .streamed:
            let chunks = ScriptedChunks(
                steps, ending: ending, isMeasured: length != nil, exchange: self, timings: wire.timings)
            return TransportResponse(
                head: head, body: ResponseBody(chunks), timings: wire.timings, connection: wire.connection,
                ending: ending)
        case .collected(let limit):
            let body: Data
            do {
                body = try await collect(steps, upTo: limit, ending: ending, isMeasured: length != nil)
            } catch var error as TransportError {
                // Like the engine: the head remains valid if the body breaks off.
                error.facts = AttemptDetails(timings: wire.timings, connection: wire.connection, response: head)
                throw error
            }
            end()
            return TransportResponse(
                head: head, body: ResponseBody(body), timings: wire.timings, connection: wire.connection,
                ending: ending)
        }
    }

    /// Returns true if a body needs no waiting and has few bytes.
    private static func isShort(_ steps: ArraySlice<WirePlan.Step>) -> Bool {
        var count = 0
        for step in steps {
            switch step {
            case .bytes(let bytes): count += bytes.count
            case .interim, .head, .end: continue
            case .wait, .gate, .fault, .fail, .webSocket: return false
            }
        }
        return count <= ResponseBody.drainLimit.bytes
    }

    private func collect(
        _ steps: ArraySlice<WirePlan.Step>, upTo limit: Int, ending: ResponseCompletion, isMeasured: Bool
    ) async throws -> Data {
        var body = Data()
        for step in steps {
            switch step {
            case .wait, .gate, .fault, .fail: try await perform(step, phase: .body, isMeasured: isMeasured)
            case .end(let fields): ending.set(fields)
            case .interim, .head, .webSocket: continue
            case .bytes(let bytes):
                body.append(bytes)
                guard body.count <= limit else {
                    throw TransportError(
                        .dataLengthExceedsMaximum, phase: .body,
                        message: "the response body is larger than the limit of \(limit) bytes",
                        requestMayHaveBeenSent: true)
                }
            }
        }
        return body
    }

    /// Performs a step that waits, or fails as a real transport does.
    package func perform(
        _ step: WirePlan.Step, phase: TransportError.Phase, isMeasured: Bool
    ) async throws {
        switch step {
        case .wait(let duration): try await pause(for: duration, phase: phase)
        case .gate(let gate): try await gate.wait()
        case .fail(let error): throw error
        case .fault(.stall): try await pause(for: nil, phase: phase)
        // A transport cannot see GOAWAY after the head, or a chunked body that ends too early.
        case .fault(.goAway) where phase == .body: return
        case .fault(.truncate) where phase == .body && !isMeasured: return
        case .fault(let fault): throw TransportError(fault, phase: phase)
        case .interim, .head, .bytes, .end, .webSocket: return
        }
    }

    /// Waits, but at most as long as the request's timeouts allow.
    ///
    /// Gates are exempt: they belong to the test.
    ///
    /// - Parameters:
    ///   - duration: The duration; `nil` waits forever.
    ///   - phase: The awaited part: the head, or more of the body.
    /// - Throws: `TransportError` if a timeout passes; `CancellationError`.
    private func pause(for duration: Duration?, phase: TransportError.Phase) async throws {
        if let nearest = nearestTimeout(of: phase), duration.map({ nearest.remaining < $0 }) ?? true {
            try await time.sleep(for: nearest.remaining)
            throw TransportError.timedOut(nearest.phase, after: nearest.limit, requestMayHaveBeenSent: true)
        }
        if let duration { try await time.sleep(for: duration) } else { try await Gate().wait() }
    }

    /// Throws if the total time limit has passed.
    package func checkTotalTimeout() throws(TransportError) {
        guard let limit = timeouts?.total, totalStopwatch.elapsed >= limit else { return }
        throw TransportError.timedOut(.total, after: limit, requestMayHaveBeenSent: true)
    }

    /// Returns the timeout that passes first, if nothing happens; `nil` if none applies.
    private func nearestTimeout(
        of phase: TransportError.Phase
    ) -> (remaining: Duration, phase: TransportError.Phase, limit: Duration)? {
        var nearest: (remaining: Duration, phase: TransportError.Phase, limit: Duration)?
        if phase != .head {
            if let limit = timeouts?.idle { nearest = (limit, phase, limit) }
        } else if let limit = timeouts?.head {
            let sent = state.withLock { $0.sent }
            nearest = (limit - (sent?.elapsed ?? .zero), .head, limit)
        }
        if let limit = timeouts?.total {
            let remaining = limit - totalStopwatch.elapsed
            if nearest.map({ remaining < $0.remaining }) ?? true { nearest = (remaining, .total, limit) }
        }
        return nearest
    }

    /// Waits until a timeout passes before the response's head arrives.
    ///
    /// While the request's body is read, each piece of it restarts the time limit for an idle connection.
    ///
    /// - Parameters:
    ///   - progress: Signaled for each piece of the body, and at its end.
    ///   - isSent: Returns true once the body was read to its end.
    /// - Throws: `TransportError` if a timeout passes; `CancellationError`.
    package func headTimeout(progress: AsyncSignal, isSent: @Sendable () -> Bool) async throws {
        while true {
            let count = progress.count
            if isSent() { break }
            guard let nearest = nearestTimeout(of: .request) else {
                try await progress.wait(after: count)
                continue
            }
            _ = await time.sleep(for: nearest.remaining, orUntil: { try? await progress.wait(after: count) })
            try Task.checkCancellation()
            guard progress.count != count else {
                throw TransportError.timedOut(nearest.phase, after: nearest.limit, requestMayHaveBeenSent: true)
            }
        }
        try await pause(for: nil, phase: .head)
    }
}

extension TransportError {
    /// Creates the error that a client sees after a fault on the wire.
    package init(_ fault: WireFault, phase: Phase) {
        // REFUSED_STREAM (7), and a GOAWAY that excludes the request, mean that it was not processed.
        let isUnprocessed = fault == .resetStream(7) || { if case .goAway = fault { true } else { false } }()
        switch fault {
        case .garbage where phase != .body:
            self.init(.badServerResponse, phase: phase, message: "the response is not valid HTTP")
        default:
            self.init(
                .networkConnectionLost, phase: phase, message: "the stub broke the connection: \(fault)",
                requestMayHaveBeenSent: phase == .body || !isUnprocessed)
        }
    }
}
