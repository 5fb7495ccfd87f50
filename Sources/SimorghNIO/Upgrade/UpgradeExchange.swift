// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import Synchronization

/// An upgrade request in progress: the state shared by the requesting task and the connection's event loop.
///
/// Like an ``Exchange``, it ends once. A connection that is established afterwards is closed.
final class UpgradeExchange<Value: Sendable>: RequestMember, DeadlineTarget, Sendable {
    typealias Outcome = Result<UpgradeResult<Value>, TransportError>

    private struct State: Sendable {
        var channel: (any Channel)?
        var isOver = false
        var outcome: Outcome?
        var continuation: CheckedContinuation<Outcome, Never>?
        /// The timer of the total timeout in the pool's clock.
        var timing: SharedTimerWheel.Handle?
    }

    let plan: RequestPlan
    let started = NIODeadline.now()
    private let dialer: Dialer
    private let pool: ConnectionPool
    private let takeOver: @Sendable (HTTPResponse, any Channel) throws -> Value
    private let state = Mutex(State())

    init(
        _ plan: RequestPlan, dialer: Dialer, pool: ConnectionPool,
        takeOver: @escaping @Sendable (HTTPResponse, any Channel) throws -> Value
    ) {
        self.plan = plan
        self.dialer = dialer
        self.pool = pool
        self.takeOver = takeOver
    }

    var carried: TransportRequest { plan.request }

    private var options: TransportOptions { plan.request.options }

    /// Dials, sends the request, and waits for the response.
    func outcome() async -> Outcome {
        let scope = options.scope
        let index = scope?.add(self)
        if scope != nil, index == nil { cancel() }
        defer { scope?.remove(self, from: index) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome
                }
                if let early { continuation.resume(returning: early) } else { dial() }
            }
        } onCancel: {
            cancel()
        }
    }

    private func dial() {
        if let limit = options.timeouts.total {
            let timing = pool.clock.add(self, until: NIODeadline.now().after(limit))
            let isLate = state.withLock { state in
                if !state.isOver { state.timing = timing }
                return state.isOver
            }
            if isLate { pool.clock.remove(timing) }
        }
        let loop = pool.loop()
        dialer.dial(
            plan.origin, key: .none, timeouts: options.timeouts, monitor: options.monitor, for: pool, on: loop
        ) { result in
            switch result {
            case .failure(let error): self.finish(.failure(error))
            case .success(let connection): self.sendRequest(on: connection)
            }
        }
    }

    /// Fails the exchange because the total timeout has passed.
    func deadlinePassed() {
        guard let limit = options.timeouts.total else { return }
        let channel = finish { .failure(.timedOut(.total, after: limit, requestMayHaveBeenSent: $0)) }
        channel?.close(promise: nil)
    }

    /// Sends the request on a new connection.
    ///
    /// Called on its event loop.
    private func sendRequest(on connection: PooledConnection) {
        let channel = connection.channel
        pool.upgraded.add(channel, request: plan.request.head)
        let isOver = state.withLock { state in
            if !state.isOver { state.channel = channel }
            return state.isOver
        }
        guard !isOver, let http1 = connection.http1 else {
            channel.close(promise: nil)
            finish(.failure(.lost(.request, sent: false)))
            return
        }
        do {
            let pipeline = channel.pipeline.syncOperations
            let handler = UpgradeHandler(
                connection, plan: plan,
                owner: .init(
                    failed: { self.finish(.failure($0)) },
                    refused: { self.finish(.success(.refused($0))) },
                    agreed: { try self.agreed($0, on: channel) }))
            try pipeline.addHandler(handler, position: .after(http1))
            // If the server sent bytes before the request, the connection was closed; treat it as lost here.
            let early = http1.prepareReplacement()
            pipeline.removeHandler(http1, promise: nil)
            guard early == nil, channel.isActive else { throw TransportError.lost(.request, sent: false) }
            // The option is also the number of receive buffers that the channel keeps. It is set before the response:
            // once the channel keeps several, after a response in parts, it reuses none of them with the
            // ``GrowingReceiveAllocator`` of a WebSocket, even after the number is lowered to 1.
            try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            handler.begin(from: started)
        } catch {
            channel.close(promise: nil)
            finish(.failure(error as? TransportError ?? .lost(.request, sent: false, cause: error)))
        }
    }

    /// Completes the upgrade.
    ///
    /// - Returns: True if a caller still waits for the connection.
    /// - Throws: The error of `takeOver`.
    private func agreed(_ response: TransportResponse, on channel: any Channel) throws -> Bool {
        guard !state.withLock({ $0.isOver }) else { return false }
        let value = try takeOver(response.head, channel)
        // The handler closes a connection without a waiting caller.
        return finish(.success(.upgraded(value, response))) != nil
    }

    func cancel() { finish { .failure(.cancelled(phase: $0 ? .head : .connect)) }?.close(promise: nil) }

    @discardableResult
    private func finish(_ outcome: Outcome) -> (any Channel)? { finish { _ in outcome } }

    /// Ends the exchange, unless it has ended.
    ///
    /// - Parameter makeOutcome: Returns the outcome. Its argument is true if the request may have been sent. It is
    ///   called under the lock, so that the request cannot be sent meanwhile.
    /// - Returns: The channel, if there is one and this call ended the exchange.
    private func finish(_ makeOutcome: (_ mayHaveBeenSent: Bool) -> Outcome) -> (any Channel)? {
        let (channel, timing, resume) = state.withLock {
            state -> ((any Channel)?, SharedTimerWheel.Handle?, (@Sendable () -> Void)?) in
            guard !state.isOver else { return (nil, nil, nil) }
            state.isOver = true
            let outcome = makeOutcome(state.channel != nil)
            let continuation = state.continuation.take()
            if continuation == nil { state.outcome = outcome }
            return (state.channel.take(), state.timing.take(), { continuation?.resume(returning: outcome) })
        }
        if let timing { pool.clock.remove(timing) }
        resume?()
        return channel
    }
}
