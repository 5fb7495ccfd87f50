// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghSupport
import Synchronization

/// The engine of subscriptions: performs the actions of a ``SubscriptionStateMachine``.
///
/// All events go through one queue. A thread that adds an event processes the queue unless another thread already
/// does, so actions are performed in order, one thread at a time. Application code, including sessions and routers,
/// runs outside of the lock that guards the state, so it may call this object.
package final class SubscriptionMultiplexer<Wire: SubscriptionProtocol>: Sendable {
    package typealias Machine = SubscriptionStateMachine<Wire.Session>
    /// A function that opens a connection.
    package typealias Dial = @Sendable (any WebSocketRouter, WebSocketOptions) async throws -> any WebSocketChannel

    enum Input: Sendable {
        case subscribe(SubscriptionID, Wire.Operation, isOneShot: Bool)
        case unsubscribe(SubscriptionID)
        case connect, disconnect
        case end(unsent: SubscriptionError, sent: SubscriptionError)
        case endWaiting(SubscriptionError)
        case disconnectAfter(SubscriptionID)
        case reconnect(holdsIfEmpty: Bool)
        case requestCreated(Int)
        case connectionOpened(Int)
        case sessionStarted(Int, Wire.Session, String?)
        case received(Int, WebSocketMessage)
        case suspended(Int)
        case resumed(Int)
        case written(Int, SubscriptionID)
        case prepared(Int, SubscriptionID, Result<Wire.Operation, any Error>)
        case lost(Int, ConnectionLoss)
        case elapsed(SubscriptionMachineTimer, token: Int)
        /// A task waits for the end of all current connections.
        case awaited(Int)
    }

    struct Connection {
        let outbox: SubscriptionSendQueue
        var task: Task<Void, Never>?
        var link: (any WebSocketChannel)?
        /// The tasks that prepare operations.
        var preparations: [SubscriptionID: (token: Int, task: Task<Void, Never>?)] = [:]
        /// Drops the connection if its close handshake takes too long.
        var closeTimeoutTask: Task<Void, Never>?
        /// True while application code works on the connection, which may ignore cancellation.
        var runsApplicationCode = true
        /// The full subscriber that the reader task waits for.
        var awaited: (any SubscriptionSink)?
    }

    struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        /// The connections that are waited for, once they are known.
        var numbers: Set<Int>?
    }

    struct State {
        var inputs = Deque<Input>()
        /// The number of events added, and how many of them have been processed.
        var lastInput = 0
        var lastHandled = 0
        /// The tasks that wait until an event that they added has been processed.
        var senders: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var isBusy = false
        var status = SubscriptionState.idle
        var lastID = 0
        var sinks: [SubscriptionID: any SubscriptionSink] = [:]
        /// The full subscribers that the reader task waits for.
        var full: [any SubscriptionSink] = []
        /// The pending one-shot requests.
        var pendingRequests: Set<SubscriptionID> = []
        /// The executor that keeps connections on the event loop of the first caller that wanted one.
        var executor: (any TaskExecutor)?
        /// The connections that have not ended: the current one, and those in a close handshake.
        var connections: [Int: Connection] = [:]
        var current: Int?
        var timers: [SubscriptionMachineTimer: (token: Int, task: Task<Void, Never>)] = [:]
        var lastToken = 0
        var waiters: [Int: Waiter] = [:]
        /// True from the beginning of a drain of the client on.
        var isDraining = false
    }

    let wire: Wire
    let options: SubscriptionOptions
    let time: TimeSource
    let watch: Stopwatch
    let dial: Dial
    /// The transport, which returns the executor that keeps a calling task on its event loop.
    private let loops: (any EventLoopTransport)?
    let state = Mutex(State())
    let reconnection: ReconnectWait
    /// Signals that a drain has no pending one-shot requests any more.
    let answers = AsyncSignal()
    /// The state machine, used only by the thread that processes the queue.
    private let machine: Mutex<Machine>

    package init(
        _ wire: Wire, options: SubscriptionOptions, time: TimeSource, random: RandomSource,
        loops: (any EventLoopTransport)? = nil, dial: @escaping Dial
    ) {
        self.wire = wire
        self.loops = loops
        self.options = options
        self.time = time
        self.dial = dial
        watch = time.stopwatch()
        reconnection = ReconnectWait(options.webSocket.paths, time: time)
        machine = Mutex(Machine(options, preparesOperations: wire.preparesOperations, random: random))
    }

    /// The state of the connection.
    package var status: SubscriptionState { state.withLock { $0.status } }

    /// The number of connections, timers and subscribers.
    package var load: (connections: Int, timers: Int, sinks: Int) {
        state.withLock { ($0.connections.count, $0.timers.count, $0.sinks.count) }
    }

    /// Subscribes; the sink receives everything from now on.
    package func subscribe(
        _ operation: Wire.Operation, isOneShot: Bool = false, sink: any SubscriptionSink
    ) -> SubscriptionID {
        let executor = loops?.callerExecutor
        let (id, awaited) = state.withLock { state -> (SubscriptionID, [any SubscriptionSink]?) in
            state.lastID += 1
            let id = SubscriptionID(state.lastID)
            guard !state.isDraining else { return (id, nil) }
            Self.setExecutor(executor, in: &state)
            state.sinks[id] = sink
            if isOneShot { state.pendingRequests.insert(id) }
            Self.append(.subscribe(id, operation, isOneShot: isOneShot), to: &state)
            return (id, isOneShot ? state.connections.values.compactMap(\.awaited) : [])
        }
        guard let awaited else {
            sink.end(Self.refusal)
            return id
        }
        // The caller may be the very task that must drain a full buffer; waiting for room would then deadlock.
        for sink in awaited { sink.stopWaiting() }
        processQueue()
        return id
    }

    private func putRequest(_ input: Input) {
        let executor = loops?.callerExecutor
        state.withLock { Self.setExecutor(executor, in: &$0) }
        put(input)
    }

    /// Sets the event loop of the connection if no connection or subscription exists yet.
    private static func setExecutor(_ executor: (any TaskExecutor)?, in state: inout State) {
        if state.sinks.isEmpty, state.current == nil { state.executor = executor }
    }

    package func unsubscribe(_ id: SubscriptionID) { put(.unsubscribe(id)) }
    package func connect() { putRequest(.connect) }
    package func reconnect(holdsIfEmpty: Bool = true) { putRequest(.reconnect(holdsIfEmpty: holdsIfEmpty)) }
    /// Starts to end everything; ``ended()`` waits for it.
    package func disconnect() { put(.disconnect) }
    /// Ends a subscription, and everything else if it was the only one.
    package func disconnect(after id: SubscriptionID) { put(.disconnectAfter(id)) }

    /// Waits until all current connections have ended, or the task is cancelled.
    ///
    /// Connections that are opened in the meantime are not waited for.
    package func ended() async {
        let id = token()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard !Task.isCancelled else { return false }
                    state.waiters[id] = Waiter(continuation: continuation)
                    Self.append(.awaited(id), to: &state)
                    return true
                }
                if isWaiting { processQueue() } else { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    func token() -> Int {
        state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
    }

    // MARK: The queue

    @discardableResult
    private static func append(_ input: Input, to state: inout State) -> Int {
        state.inputs.append(input)
        state.lastInput += 1
        return state.lastInput
    }

    func put(_ input: Input) {
        state.withLock { _ = Self.append(input, to: &$0) }
        processQueue()
    }

    /// Adds an event and waits until it has been processed, so that the reader task never runs ahead.
    func putAndWait(_ input: Input) async {
        let number = state.withLock { Self.append(input, to: &$0) }
        processQueue()
        guard state.withLock({ $0.lastHandled < number }) else { return }
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard state.lastHandled < number else { return true }
                state.senders.append((number, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    private func processQueue() {
        while let input = state.withLock({ state -> Input? in
            guard !state.isBusy, let input = state.inputs.takeFirst() else { return nil }
            state.isBusy = true
            return input
        }) {
            for action in handle(input) { perform(action) }
            let senders = state.withLock { state in
                state.isBusy = false
                state.lastHandled += 1
                guard !state.senders.isEmpty else { return [CheckedContinuation<Void, Never>]() }
                let done = state.senders.filter { $0.number <= state.lastHandled }
                state.senders.removeAll { $0.number <= state.lastHandled }
                return done.map(\.continuation)
            }
            for sender in senders { sender.resume() }
        }
    }

    private func handle(_ input: Input) -> [SubscriptionMachineAction] {
        switch input {
        case .elapsed(let timer, let token):
            let isCurrent = state.withLock { state in
                // The timer was stopped or restarted just after it had fired.
                guard let running = state.timers[timer], running.token == token else { return false }
                state.timers[timer] = nil
                return true
            }
            guard isCurrent else { return [] }
        case .awaited(let id):
            awaited(id)
            return []
        default: break
        }
        return machine.withLock { Self.apply(input, to: &$0, now: watch.elapsed) }
    }

    private static func apply(_ input: Input, to machine: inout Machine, now: Duration) -> [SubscriptionMachineAction] {
        machine.now = now
        switch input {
        case .subscribe(let id, let operation, let isOneShot):
            return machine.subscribe(operation, id: id, isOneShot: isOneShot)
        case .unsubscribe(let id): return machine.unsubscribe(id)
        case .connect: return machine.connect()
        case .disconnect: return machine.disconnect()
        case .end(let unsent, let sent): return machine.end(unsent: unsent, sent: sent)
        case .endWaiting(let error): return machine.endWaiting(error)
        case .disconnectAfter(let id): return machine.disconnect(after: id)
        case .reconnect(let holds): return machine.reconnect(holdsIfEmpty: holds)
        case .requestCreated(let number): return machine.requestCreated(number)
        case .connectionOpened(let number): return machine.connectionOpened(number)
        case .sessionStarted(let number, let session, let subprotocol):
            return machine.sessionStarted(number, session: session, subprotocol: subprotocol, now: now)
        case .received(let number, let message): return machine.received(number, message: message, now: now)
        case .suspended(let number): return machine.suspended(number)
        case .resumed(let number): return machine.resumed(number, now: now)
        case .written(let number, let id): return machine.written(number, id: id)
        case .prepared(let number, let id, let outcome): return machine.prepared(number, id: id, outcome: outcome)
        case .lost(let number, let loss): return machine.lost(number, loss: loss, now: now)
        case .elapsed(let timer, _): return machine.elapsed(timer, now: now)
        case .awaited: return []
        }
    }

    private func perform(_ action: SubscriptionMachineAction) {
        switch action {
        case .open(let number, let attempt): open(number, attempt: attempt)
        case .prepare(let number, let id):
            guard let (operation, session) = machine.withLock({ $0.preparation(number, of: id) }) else { return }
            prepare(number, id: id, operation: operation, session: session)
        case .cancelPreparation(let id): cancelPreparation(id)
        case .send(let message): send { $0.put(.message(message)) }
        case .sendLatest(let message): send { $0.putLatest(message) }
        case .mark(let id): send { $0.put(.mark(id)) }
        case .startTimer(let timer, let duration): start(timer, after: duration)
        case .stopTimer(let timer): state.withLock { $0.timers.removeValue(forKey: timer)?.task }?.cancel()
        case .stopTimers:
            let timers = state.withLock { state in
                defer { state.timers = [:] }
                return state.timers.values
            }
            for timer in timers { timer.task.cancel() }
        case .deliver(let id, let payload):
            guard let sink = state.withLock({ $0.sinks[id] }), !sink.deliver(payload) else { return }
            state.withLock { $0.full.append(sink) }
        case .notify(let id, let notice): state.withLock { $0.sinks[id] }?.notify(notice)
        case .end(let id, let error):
            let (sink, disconnects) = state.withLock { state in
                let wasLast = state.pendingRequests.remove(id) != nil && state.pendingRequests.isEmpty
                return (state.sinks.removeValue(forKey: id), state.isDraining && wasLast)
            }
            sink?.end(error)
            if disconnects {
                disconnect()
                answers.ring()
            }
        case .close(let number, let code): close(number, code: code)
        case .drop(let number): drop(number)
        case .state(let status):
            let isDraining = state.withLock { state in
                state.status = status
                return state.isDraining
            }
            switch status {
            case .connecting: reconnection.attempt()
            case .reconnecting:
                reconnection.lost()
                if isDraining { put(.endWaiting(Self.refusal)) }
            default: reconnection.forget()
            }
            options.onState?(status)
        case .reportUnknownID: options.onUnknownID?()
        }
    }

    private func start(_ timer: SubscriptionMachineTimer, after duration: Duration) {
        let token = token()
        // Network access that becomes available ends the wait for the next attempt early.
        let floor = timer == .reconnect ? machine.withLock { $0.reconnection.minimumWait } : duration
        let task = Task { [self, time] in
            let isOver =
                floor < duration
                ? await reconnection.sleep(for: duration, atLeast: floor) != nil
                : (try? await time.sleep(for: duration)) != nil
            if isOver { put(.elapsed(timer, token: token)) }
        }
        let former = state.withLock { state in
            defer { state.timers[timer] = (token, task) }
            return state.timers[timer]?.task
        }
        former?.cancel()
    }
}
