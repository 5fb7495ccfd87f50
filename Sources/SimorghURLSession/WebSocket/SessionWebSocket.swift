// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
package import SimorghRealtime
package import SimorghSupport
import Synchronization

/// One WebSocket over a session: passes events to its state machine, and performs the actions after releasing the lock.
///
/// The session's delegate reports ``opened(subprotocol:)``, ``closed(_:reason:)`` and ``completed(_:)``.
package final class SessionWebSocket: RequestMember {
    package typealias Opening = Result<WebSocketOpenResult, TransportError>
    package typealias Reading = Result<WebSocketMessage?, WebSocketError>
    package typealias Pinging = Result<Duration, WebSocketError>

    private enum Caller {
        case reader(CheckedContinuation<Reading, Never>)
        case sender(CheckedContinuation<WebSocketError?, Never>)
        case pinger(CheckedContinuation<Pinging, Never>)
    }

    private struct State {
        var machine: SessionWebSocketStateMachine
        var task: (any SessionWebSocketTask)?
        var opener: CheckedContinuation<Opening, Never>?
        /// A result that arrived before its caller waited for it.
        var earlyOpening: Opening?
        var callers: [Int: Caller] = [:]
        var closers: [CheckedContinuation<WebSocketCloseInfo, Never>] = []
        var lastID = 0
        /// The actions to perform, in order.
        var pending: [SessionWebSocketStateMachine.Action] = []
        /// True if a thread performs the pending actions.
        var isPerforming = false
        var timer: Task<Void, Never>?
        var timerDeadline: Duration?
        var timerNumber = 0
        /// Called once when the task is not needed anymore.
        var onEnd: (@Sendable () -> Void)?

        /// True if the task is not needed anymore, and was not released yet.
        var canRelease: Bool { machine.isFinished && task != nil }
    }

    package let carried: TransportRequest
    package let options: WebSocketChannelOptions
    private let time: TimeSource
    private let stopwatch: Stopwatch
    private let state: Mutex<State>

    /// Creates a WebSocket that is not open yet; its time starts now.
    ///
    /// - Parameters:
    ///   - upgrade: The upgrade request.
    ///   - options: The options of the connection.
    ///   - time: The source of time.
    package init(_ upgrade: SessionWebSocketUpgrade, options: WebSocketChannelOptions, time: TimeSource) {
        carried = upgrade.request
        self.options = options
        self.time = time
        stopwatch = time.stopwatch()
        state = Mutex(
            State(
                machine: SessionWebSocketStateMachine(
                    options, subprotocols: upgrade.subprotocols, timeouts: upgrade.request.options.timeouts,
                    isSecure: upgrade.request.head.scheme == "wss")))
    }

    // MARK: Opening

    /// Opens the connection.
    ///
    /// - Parameters:
    ///   - task: The task, which has not started and reports its events to this object.
    ///   - onEnd: Called once when the task is not needed anymore.
    /// - Returns: The open connection, or the response of a server that refused.
    /// - Throws: The error of the opening.
    package func open(
        over task: any SessionWebSocketTask, onEnd: @escaping @Sendable () -> Void = {}
    ) async throws(TransportError) -> WebSocketOpenResult {
        let wasDropped = state.withLock { state in
            (state.task, state.onEnd) = (task, onEnd)
            return state.machine.isOver
        }
        if wasDropped {
            task.cancel()
            // Releases the task.
            apply { _, _ in [] }
        }
        let scope = carried.options.scope
        let index = scope?.add(self)
        if scope != nil, index == nil { cancel() }
        defer { scope?.remove(self, from: index) }
        let result: Opening = await withTaskCancellationHandler {
            await withCheckedContinuation { opener in
                let early = state.withLock { state in
                    if state.earlyOpening == nil { state.opener = opener }
                    return state.earlyOpening.take()
                }
                if let early { return opener.resume(returning: early) }
                apply { machine, _ in machine.begin() }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Cancels the opening; has no effect on an open connection.
    package func cancel() { apply { machine, _ in machine.openingCancelled() } }

    // MARK: The delegate

    /// The server has accepted the upgrade.
    package func opened(subprotocol: String?) {
        apply { $0.taskOpened(subprotocol: subprotocol, at: $1) }
    }

    /// The server has sent a close frame.
    package func closed(_ code: WebSocketCloseCode?, reason: String) {
        apply { $0.taskClosed(code, reason: reason, at: $1) }
    }

    /// The server is not trusted, or the identity cannot be used; the task ends as cancelled.
    package func securityFailed(_ error: TransportError) {
        apply { machine, _ in
            machine.securityFailed(error)
            return []
        }
    }

    /// The session waits for the network before it opens the connection.
    package func waitsForConnectivity() { apply { machine, _ in machine.waitsForConnectivity() } }

    /// The session has measured the task, which completes next.
    package func measured(_ transactions: [TransactionSnapshot]) {
        apply { machine, _ in
            machine.measured(transactions)
            return []
        }
    }

    /// The task has completed.
    package func completed(_ error: (any Error)?) {
        let task = state.withLock { $0.task }
        let (response, code, reason) = (task?.response, task?.closeCode, task?.closeReason ?? "")
        apply { $0.taskCompleted(error, response: response, code: code, reason: reason, at: $1) }
    }

    // MARK: The callers

    /// The end of the connection; `nil` while it is open.
    package var closure: WebSocketCloseInfo? { state.withLock { $0.machine.closure } }

    /// Waits for the next message.
    package func receive() async throws(WebSocketError) -> WebSocketMessage? {
        let id = nextID()
        let result: Reading = await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                wait(id, as: .reader(reader)) { machine, now in
                    Task.isCancelled
                        ? [.completeRead(id: id, .failure(.cancelledCall))] : machine.readRequested(id: id, at: now)
                }
            }
        } onCancel: {
            apply { machine, _ in machine.readCancelled(id: id) }
        }
        return try result.get()
    }

    /// Sends a message as soon as there is room for it.
    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        let id = nextID()
        let error: WebSocketError? = await withTaskCancellationHandler {
            await withCheckedContinuation { sender in
                wait(id, as: .sender(sender)) { machine, _ in
                    Task.isCancelled
                        ? [.completeSend(id: id, .cancelledCall)] : machine.sendRequested(message, id: id)
                }
            }
        } onCancel: {
            apply { machine, _ in machine.sendCancelled(id: id) }
        }
        if let error { throw error }
    }

    /// Sends a ping and waits for the pong, at most for the pong timeout.
    package func ping() async throws(WebSocketError) -> Duration {
        let id = nextID()
        let result: Pinging = await withTaskCancellationHandler {
            await withCheckedContinuation { pinger in
                wait(id, as: .pinger(pinger)) { machine, now in
                    Task.isCancelled
                        ? [.completePing(id: id, .failure(.cancelledCall))] : machine.pingRequested(id: id, at: now)
                }
            }
        } onCancel: {
            apply { machine, _ in machine.pingCancelled(id: id) }
        }
        return try result.get()
    }

    /// Performs the close handshake, at most for the close timeout; a cancelled task drops the connection.
    package func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        apply { $0.closeRequested(code, reason: reason, at: $1) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { closer in
                let closure = state.withLock { state in
                    if state.machine.closure == nil { state.closers.append(closer) }
                    return state.machine.closure
                }
                if let closure { closer.resume(returning: closure) }
            }
        } onCancel: {
            drop()
        }
    }

    /// Ends the connection immediately.
    package func drop() { apply { machine, _ in machine.dropped() } }

    private func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func wait(_ id: Int, as caller: Caller, event: Event) {
        apply(first: { $0.callers[id] = caller }, event)
    }

    // MARK: Events

    private typealias Event = (inout SessionWebSocketStateMachine, Duration) -> [SessionWebSocketStateMachine.Action]

    /// Applies an event, and performs the actions of the state machine.
    ///
    /// They are performed in order and outside of the lock, even if several threads apply events.
    private func apply(first prepare: (inout State) -> Void = { _ in }, _ event: Event) {
        let now = stopwatch.elapsed
        let performs = state.withLock { state in
            prepare(&state)
            state.pending += event(&state.machine, now)
            arm(&state, at: now)
            guard !state.isPerforming, !state.pending.isEmpty || state.canRelease else { return false }
            state.isPerforming = true
            return true
        }
        while performs, let effect = nextEffect() { effect() }
    }

    /// Sets the timer, unless it fires early enough.
    private func arm(_ state: inout State, at now: Duration) {
        guard let deadline = state.machine.deadline else {
            state.timer?.cancel()
            (state.timer, state.timerDeadline) = (nil, nil)
            return
        }
        if let set = state.timerDeadline, set <= deadline { return }
        state.timer?.cancel()
        state.timerNumber += 1
        state.timerDeadline = deadline
        state.timer = Task { [weak self, time, number = state.timerNumber] in
            do { try await time.sleep(for: max(.zero, deadline - now)) } catch { return }
            self?.timerFired(number)
        }
    }

    private func timerFired(_ number: Int) {
        apply(
            first: { state in
                guard state.timerNumber == number else { return }
                (state.timer, state.timerDeadline) = (nil, nil)
            },
            { $0.timeAdvanced(to: $1) })
    }

    private func nextEffect() -> (() -> Void)? {
        state.withLock { state in
            while !state.pending.isEmpty {
                if let effect = effect(of: state.pending.removeFirst(), state: &state) { return effect }
            }
            if state.canRelease {
                state.task = nil
                if let onEnd = state.onEnd.take() { return onEnd }
            }
            state.isPerforming = false
            return nil
        }
    }

    /// Returns the side effect of an action; takes its continuation out of the state, so that it is resumed only once.
    private func effect(of action: SessionWebSocketStateMachine.Action, state: inout State) -> (() -> Void)? {
        switch action {
        case .opened(let subprotocol):
            let channel = SessionWebSocketChannel(self, subprotocol: subprotocol, response: response(state.task))
            return settle(.success(.opened(channel)), state: &state)
        case .refused(let head):
            return settle(.success(.refused(TransportResponse(head: head, timings: timings))), state: &state)
        case .failOpening(let error): return settle(.failure(detailed(error, state.machine.facts)), state: &state)
        case .completeRead(let id, let result):
            guard case .reader(let reader)? = state.callers.removeValue(forKey: id) else { return nil }
            return { reader.resume(returning: result) }
        case .completeSend(let id, let error):
            guard case .sender(let sender)? = state.callers.removeValue(forKey: id) else { return nil }
            return { sender.resume(returning: error) }
        case .completePing(let id, let result):
            guard case .pinger(let pinger)? = state.callers.removeValue(forKey: id) else { return nil }
            return { pinger.resume(returning: result) }
        case .notifyPong: return options.onPong.map { onPong in { onPong(Data()) } }
        case .ended(let closure):
            let closers = state.closers
            state.closers = []
            return { for closer in closers { closer.resume(returning: closure) } }
        case .resumeTask, .send, .receive, .sendPing, .sendClose, .cancelTask:
            return state.task.map { task in { self.perform(action, on: task) } }
        }
    }

    private func settle(_ result: Opening, state: inout State) -> (() -> Void)? {
        guard let opener = state.opener.take() else {
            state.earlyOpening = result
            return nil
        }
        return { opener.resume(returning: result) }
    }

    private func perform(_ action: SessionWebSocketStateMachine.Action, on task: any SessionWebSocketTask) {
        switch action {
        case .resumeTask: task.resume()
        case .send(let message, let number):
            task.send(message) { error in self.apply { $0.sendCompleted(number, error: error, at: $1) } }
        case .receive:
            task.receive { result in
                switch result {
                case .success(let message): self.apply { $0.messageReceived(message, at: $1) }
                case .failure(let error): self.apply { $0.receiveFailed(error, at: $1) }
                }
            }
        case .sendPing(let number):
            task.sendPing { error in self.apply { $0.pongReceived(number, error: error, at: $1) } }
        case .sendClose(let code, let reason): task.cancel(with: code, reason: Data(reason.utf8))
        case .cancelTask: task.cancel()
        case .opened, .refused, .failOpening, .completeRead, .completeSend, .completePing, .notifyPong, .ended: break
        }
    }

    /// Returns an error with the measurements of the session.
    private func detailed(_ error: TransportError, _ facts: SessionFacts?) -> TransportError {
        guard let facts else { return error }
        var error = error
        error.facts = AttemptDetails(timings: facts.timings(over: timings), connection: facts.connection(to: carried))
        return error
    }

    private var timings: ExchangeTimings {
        var timings = ExchangeTimings()
        timings.firstByte = stopwatch.elapsed
        timings.total = timings.firstByte ?? .zero
        return timings
    }

    private func response(_ task: (any SessionWebSocketTask)?) -> TransportResponse {
        TransportResponse(head: task?.response ?? HTTPResponse(status: .switchingProtocols), timings: timings)
    }
}
