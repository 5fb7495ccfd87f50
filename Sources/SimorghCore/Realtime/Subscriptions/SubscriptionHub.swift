// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Does what a ``SubscriptionHubMachine`` decides: connects, reads, writes, waits, and hands over.
///
/// Whatever happens goes through one queue. Whoever finds nobody at work on it works it off, so that actions are performed
/// in order, one thread at a time, and outside of the lock.
package final class SubscriptionHub<Wire: SubscriptionProtocol>: Sendable {
    package typealias Machine = SubscriptionHubMachine<Wire.Session>
    /// Opens a connection.
    package typealias Dial = @Sendable (any WebSocketRouter, WebSocketOptions) async throws -> any WebSocketLink

    private enum Input: Sendable {
        case subscribe(SubscriptionID, Wire.Operation, isOneShot: Bool)
        case unsubscribe(SubscriptionID)
        case connect, disconnect, reconnect
        case linked(Int)
        case opened(Int, Wire.Session, String?)
        case received(Int, WebSocketMessage)
        case prepared(Int, SubscriptionID, Result<Wire.Operation, any Error>)
        case lost(Int, HubLoss)
        case elapsed(HubTimer, token: Int)
    }

    private struct Connection {
        let outbox: HubOutbox
        var task: Task<Void, Never>?
        var link: (any WebSocketLink)?
        /// The last of those that complete operations.
        var preparing: Task<Void, Never>?
        /// Drops the connection where its goodbye takes too long.
        var reaper: Task<Void, Never>?
    }

    private struct State {
        var machine: Machine
        var inputs = ItemQueue<Input>()
        var isBusy = false
        var status = SubscriptionState.idle
        var lastID = 0
        var sinks: [SubscriptionID: any SubscriptionSink] = [:]
        /// Those whom the reader of the connection waits for.
        var full: [any SubscriptionSink] = []
        /// The connections that are not ended yet: that of now, and those that say goodbye.
        var connections: [Int: Connection] = [:]
        var current: Int?
        var timers: [HubTimer: (token: Int, task: Task<Void, Never>)] = [:]
        var lastToken = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let wire: Wire
    private let options: SubscriptionOptions
    private let time: TimeSource
    private let watch: Stopwatch
    private let dial: Dial
    private let state: Mutex<State>

    package init(
        _ wire: Wire, options: SubscriptionOptions, time: TimeSource, random: RandomSource, dial: @escaping Dial
    ) {
        self.wire = wire
        self.options = options
        self.time = time
        self.dial = dial
        watch = time.stopwatch()
        state = Mutex(State(machine: Machine(options, prepares: wire.preparesOperations, random: random)))
    }

    /// What the connection is doing.
    package var status: SubscriptionState { state.withLock { $0.status } }

    /// How many connections, timers and subscribers there are.
    package var load: (connections: Int, timers: Int, sinks: Int) {
        state.withLock { ($0.connections.count, $0.timers.count, $0.sinks.count) }
    }

    /// Subscribes; the sink is told everything from here on.
    package func subscribe(
        _ operation: Wire.Operation, isOneShot: Bool = false, _ sink: any SubscriptionSink
    ) -> SubscriptionID {
        let id = state.withLock { state in
            state.lastID += 1
            let id = SubscriptionID(state.lastID)
            state.sinks[id] = sink
            state.inputs.append(.subscribe(id, operation, isOneShot: isOneShot))
            return id
        }
        work()
        return id
    }

    package func unsubscribe(_ id: SubscriptionID) { put(.unsubscribe(id)) }
    package func connect() { put(.connect) }
    package func reconnect() { put(.reconnect) }
    /// Begins to end everything; ``ended()`` waits for it.
    package func disconnect() { put(.disconnect) }

    /// Waits until no connection is left, or the task is cancelled.
    package func ended() async {
        let id = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.connections.isEmpty, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    // MARK: The queue

    private func put(_ input: Input) {
        state.withLock { $0.inputs.append(input) }
        work()
    }

    private func work() {
        while let actions = state.withLock({ state -> [HubAction]? in
            guard !state.isBusy, let input = state.inputs.popFirst() else { return nil }
            state.isBusy = true
            return handle(input, &state)
        }) {
            for action in actions { perform(action) }
            state.withLock { $0.isBusy = false }
        }
    }

    private func handle(_ input: Input, _ state: inout State) -> [HubAction] {
        let now = watch.elapsed
        switch input {
        case .subscribe(let id, let operation, let isOneShot):
            return state.machine.subscribe(operation, id: id, isOneShot: isOneShot)
        case .unsubscribe(let id): return state.machine.unsubscribe(id)
        case .connect: return state.machine.connect()
        case .disconnect: return state.machine.disconnect()
        case .reconnect: return state.machine.reconnect()
        case .linked(let number): return state.machine.linked(number)
        case .opened(let number, let session, let subprotocol):
            return state.machine.opened(number, session, subprotocol: subprotocol, now: now)
        case .received(let number, let message): return state.machine.received(number, message, now: now)
        case .prepared(let number, let id, let outcome): return state.machine.prepared(number, id, outcome)
        case .lost(let number, let loss): return state.machine.lost(number, loss, now: now)
        case .elapsed(let timer, let token):
            // One that was stopped, or started anew, when it had just run down.
            guard state.timers[timer]?.token == token else { return [] }
            state.timers[timer] = nil
            return state.machine.elapsed(timer, now: now)
        }
    }

    private func perform(_ action: HubAction) {
        switch action {
        case .open(let number, let attempt): open(number, attempt: attempt)
        case .prepare(let number, let id): prepare(number, id)
        case .send(let message):
            let (number, outbox) = state.withLock { state in
                (state.current ?? 0, state.current.flatMap { state.connections[$0]?.outbox })
            }
            guard let outbox, !outbox.put(message) else { return }
            put(.lost(number, HubLoss(SubscriptionError(.connectionLost, "the server does not read what is sent"))))
            drop(number)
        case .startTimer(let timer, let duration): start(timer, duration)
        case .stopTimer(let timer): state.withLock { $0.timers.removeValue(forKey: timer) }?.task.cancel()
        case .stopTimers:
            let timers = state.withLock { state in
                defer { state.timers = [:] }
                return state.timers.values.map(\.task)
            }
            for timer in timers { timer.cancel() }
        case .deliver(let id, let payload):
            guard let sink = state.withLock({ $0.sinks[id] }), !sink.deliver(payload) else { return }
            state.withLock { $0.full.append(sink) }
        case .tell(let id, let notice): state.withLock { $0.sinks[id] }?.tell(notice)
        case .end(let id, let error): state.withLock { $0.sinks.removeValue(forKey: id) }?.end(error)
        case .close(let number, let code): close(number, code)
        case .drop(let number): drop(number)
        case .state(let status):
            state.withLock { $0.status = status }
            options.onState?(status)
        }
    }

    private func prepare(_ number: Int, _ id: SubscriptionID) {
        let last = state.withLock { $0.connections[number]?.preparing }
        let task = Task { [self] in
            await last?.value
            guard let (operation, session) = state.withLock({ $0.machine.preparation(number, id) }) else { return }
            do {
                put(.prepared(number, id, .success(try await wire.prepared(operation, for: session))))
            } catch {
                put(.prepared(number, id, .failure(error)))
            }
        }
        state.withLock { $0.connections[number]?.preparing = task }
    }

    private func start(_ timer: HubTimer, _ duration: Duration) {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        let task = Task { [self, time, options] in
            let path = timer == .reconnect ? options.webSocket.pathReturned : nil
            guard await time.sleep(for: duration, orUntil: path) else { return }
            put(.elapsed(timer, token: token))
        }
        state.withLock { state in
            defer { state.timers[timer] = (token, task) }
            return state.timers[timer]?.task
        }?.cancel()
    }

    // MARK: Connections

    private func open(_ number: Int, attempt: Int) {
        let outbox = HubOutbox()
        state.withLock { state in
            state.current = number
            state.connections[number] = Connection(outbox: outbox)
        }
        let task = Task { [self] in
            await run(number, attempt: attempt, outbox)
            let (reaper, waiters) = state.withLock { state in
                let reaper = state.connections.removeValue(forKey: number)?.reaper
                if state.current == number { state.current = nil }
                guard state.connections.isEmpty else { return (reaper, [CheckedContinuation<Void, Never>]()) }
                defer { state.waiters = [:] }
                return (reaper, Array(state.waiters.values))
            }
            reaper?.cancel()
            for waiter in waiters { waiter.resume() }
        }
        state.withLock { $0.connections[number]?.task = task }
    }

    /// Opens a connection and reads it to its end.
    private func run(_ number: Int, attempt: Int, _ outbox: HubOutbox) async {
        let opening: SubscriptionOpening<Wire.Session>
        let link: any WebSocketLink
        do {
            opening = try await wire.opening(attempt: attempt)
        } catch {
            let error = SubscriptionError(.invalidRequest, causedBy: error, "the connection could not be described")
            return put(.lost(number, HubLoss(error, verdict: .giveUp)))
        }
        do {
            link = try await dial(opening.router, options.webSocket)
        } catch {
            return put(.lost(number, HubLoss(dialing: error, now: time.now)))
        }
        let isWanted = state.withLock { state in
            guard state.current == number, !Task.isCancelled else { return false }
            state.connections[number]?.link = link
            return true
        }
        guard isWanted else { return link.drop() }
        put(.linked(number))
        do {
            if opening.requiresSubprotocol, link.subprotocol == nil {
                throw SubscriptionError(
                    .negotiationFailed,
                    "the server chose none of the subprotocols \(opening.router.protocols.joined(separator: ", "))")
            }
            try await opening.negotiate?(LinkTransport(link: link))
        } catch {
            let failure = SubscriptionError(.negotiationFailed, causedBy: error, "the negotiation failed")
            put(.lost(number, HubLoss(failure, verdict: verdict(failure, error))))
            return link.drop()
        }
        await withTaskGroup(of: Void.self) { [self] group in
            group.addTask { await self.write(number, outbox, link) }
            put(.opened(number, opening.session, link.subprotocol))
            await read(number, link)
            group.cancelAll()
        }
    }

    /// A dialogue that the network cut off may fare better another time; one that failed by what was said will not.
    private func verdict(_ failure: SubscriptionError, _ error: any Error) -> SubscriptionVerdict? {
        if let closure = failure.closure { return wire.verdict(on: closure) }
        return error is WebSocketError ? nil : .giveUp
    }

    private func read(_ number: Int, _ link: any WebSocketLink) async {
        do throws(WebSocketError) {
            while let message = try await link.receive() {
                put(.received(number, message))
                while let sink = state.withLock({ $0.full.popLast() }) { await sink.room() }
            }
            lost(number, link, nil)
        } catch {
            lost(number, link, error)
        }
    }

    private func lost(_ number: Int, _ link: any WebSocketLink, _ error: WebSocketError?) {
        let closure =
            link.closure
            ?? WebSocketClosure(code: .abnormalClosure, isClean: false, initiator: .remote, failure: error)
        let reason = closure.reason.isEmpty ? "" : ": \(closure.reason)"
        let failure = SubscriptionError(
            .connectionLost,
            closure.isClean
                ? "the server closed the connection with \(closure.code)\(reason)"
                : "the connection broke off\(error.map { ": \($0)" } ?? "")",
            underlying: error, closure: closure)
        put(.lost(number, HubLoss(failure, verdict: wire.verdict(on: closure))))
    }

    private func write(_ number: Int, _ outbox: HubOutbox, _ link: any WebSocketLink) async {
        var pacer = wire.pacing.map { Pacer($0) }
        while let item = await outbox.next() {
            switch item {
            case .message(let message):
                let wait = pacer?.delay(now: watch.elapsed) ?? .zero
                if wait > .zero { guard (try? await time.sleep(for: wait)) != nil else { return } }
                // Whoever reads hears of it, too, with the reason.
                guard (try? await link.send(message)) != nil else { return }
            case .close(let code):
                _ = await link.close(code: code, reason: "")
                return
            }
        }
    }

    private func close(_ number: Int, _ code: WebSocketCloseCode) {
        let outbox = state.withLock { state in
            if state.current == number { state.current = nil }
            return state.connections[number]?.outbox
        }
        guard let outbox else { return }
        outbox.close(code)
        let limit = options.unsubscribeTimeout + Duration(clampingSeconds: options.webSocket.closeTimeout)
        let reaper = Task { [self, time] in
            guard (try? await time.sleep(for: limit)) != nil else { return }
            drop(number)
        }
        let isLate = state.withLock { state in
            state.connections[number]?.reaper = reaper
            return state.connections[number] == nil
        }
        if isLate { reaper.cancel() }
    }

    private func drop(_ number: Int) {
        let connection = state.withLock { state in
            if state.current == number { state.current = nil }
            return state.connections[number]
        }
        connection?.task?.cancel()
        connection?.preparing?.cancel()
        connection?.link?.drop()
    }
}

extension TimeSource {
    /// Waits, but no longer than until something happens; `false` when the task is cancelled.
    fileprivate func sleep(for duration: Duration, orUntil event: (@Sendable () async -> Void)?) async -> Bool {
        guard let event else { return (try? await sleep(for: duration)) != nil }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.sleep(for: duration) }
            group.addTask { await event() }
            await group.next()
            group.cancelAll()
        }
        return !Task.isCancelled
    }
}
