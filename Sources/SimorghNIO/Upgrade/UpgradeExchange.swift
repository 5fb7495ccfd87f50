// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import Synchronization

/// A request for another protocol on its way: what the asking task and the connection's loop share of it.
///
/// It ends once, as an ``Exchange`` does; a connection that comes about afterwards is closed.
final class UpgradeExchange<Value: Sendable>: RequestCarrier, TimedWaiter, Sendable {
    typealias Outcome = Result<UpgradeAnswer<Value>, TransportError>

    private struct State: Sendable {
        var channel: (any Channel)?
        var isOver = false
        var outcome: Outcome?
        var continuation: CheckedContinuation<Outcome, Never>?
        /// Where the pool's clock watches over the whole.
        var timing: WaitClock.Place?
    }

    let plan: RequestPlan
    let started = NIODeadline.now()
    private let dialler: Dialler
    private let pool: ConnectionPool
    private let takeOver: @Sendable (HTTPResponse, any Channel) throws -> Value
    private let state = Mutex(State())

    init(
        _ plan: RequestPlan, dialler: Dialler, pool: ConnectionPool,
        _ takeOver: @escaping @Sendable (HTTPResponse, any Channel) throws -> Value
    ) {
        self.plan = plan
        self.dialler = dialler
        self.pool = pool
        self.takeOver = takeOver
    }

    var carried: TransportRequest { plan.request }

    private var options: TransportOptions { plan.request.options }

    /// Dials, asks, and waits for the answer.
    func outcome() async -> Outcome {
        let scope = options.scope
        let place = scope?.add(self)
        if scope != nil, place == nil { cancel() }
        defer { scope?.remove(self, from: place) }
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
        dialler.dial(
            plan.origin, key: .none, timeouts: options.timeouts, monitor: options.monitor, for: pool, on: loop
        ) { result in
            switch result {
            case .failure(let error): self.finish(.failure(error))
            case .success(let connection): self.ask(connection)
            }
        }
    }

    /// The time for the whole is up.
    func waitTimePassed() {
        guard let limit = options.timeouts.total else { return }
        let isSent = state.withLock { $0.channel != nil }
        finish(.failure(.timedOut(.total, after: limit, requestMayHaveBeenSent: isSent)))?.close(promise: nil)
    }

    /// The connection stands, and this is its loop.
    private func ask(_ connection: WireConnection) {
        let channel = connection.channel
        pool.upgraded.add(channel, asking: plan.request.head)
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
                connection, plan,
                .init(
                    failed: { self.finish(.failure($0)) },
                    refused: { self.finish(.success(.refused($0))) },
                    agreed: { try self.agreed($0, channel) }))
            try pipeline.addHandler(handler, position: .after(http1))
            // A server that spoke before it was asked has had its connection closed, and so do we here.
            let early = http1.stepAside()
            pipeline.removeHandler(http1, promise: nil)
            guard early == nil, channel.isActive else { throw TransportError.lost(.request, sent: false) }
            // So that the channel keeps one buffer to read into: of several, as an answer in parts makes them, it reads into
            // none again once it is told to keep one.
            try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            handler.begin(from: started)
        } catch {
            channel.close(promise: nil)
            finish(.failure(error as? TransportError ?? .lost(.request, sent: false, error)))
        }
    }

    /// The server speaks the other protocol from here on.
    ///
    /// - Returns: Whether somebody still wants it to.
    /// - Throws: What the taker of the connection says.
    private func agreed(_ response: TransportResponse, _ channel: any Channel) throws -> Bool {
        guard !state.withLock({ $0.isOver }) else { return false }
        let value = try takeOver(response.head, channel)
        // One that nobody waits for any more is closed by the handler.
        return finish(.success(.upgraded(value, response))) != nil
    }

    func cancel() { finish(.failure(.cancelled(phase: .connect)))?.close(promise: nil) }

    /// Ends it, unless it is over.
    ///
    /// - Returns: The channel, where there is one and this was the end.
    @discardableResult
    private func finish(_ outcome: Outcome) -> (any Channel)? {
        let (channel, continuation, timing) = state.withLock {
            state -> ((any Channel)?, CheckedContinuation<Outcome, Never>?, WaitClock.Place?) in
            guard !state.isOver else { return (nil, nil, nil) }
            state.isOver = true
            let continuation = state.continuation.take()
            if continuation == nil { state.outcome = outcome }
            return (state.channel.take(), continuation, state.timing.take())
        }
        if let timing { pool.clock.remove(timing) }
        continuation?.resume(returning: outcome)
        return channel
    }
}
