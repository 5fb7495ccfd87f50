// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
package import SimorghSupport
import Synchronization

/// The engine of a ``WebSocketConnection``: reports events to the state machine and performs its actions.
///
/// Its tasks hold a reference to it, and it holds none to its users, so that releasing the connection ends it.
package final class WebSocketSession: Sendable {
    private struct State {
        var machine: ReconnectingStateMachine
        var link: (any WebSocketChannel)?
        /// The link as a ``EventLoopWebSocketChannel``.
        ///
        /// Performance: stored, because casting for each message is slow.
        var loopLink: (any EventLoopWebSocketChannel)?
        /// The time since the link was opened.
        var watch: Stopwatch?
        /// The reason of the last lost connection or failed attempt.
        var failure: WebSocketError?
        /// The end of the last link.
        var closure: WebSocketCloseInfo?
        /// The number of links that were opened.
        var links = 0
        /// True if a connection was lost since the start.
        var hasLost = false
        /// The executor that keeps links, and the tasks that open and read them, on the caller's event loop.
        var executor: (any TaskExecutor)?
        var tasks: [Work: Task<Void, Never>] = [:]
        /// The number of close handshakes in progress.
        var closeHandshakes = 0
        /// The actions to perform, in order, each with the last failure at that time.
        var pending: [(ReconnectingStateMachine.Action, WebSocketError?)] = []
        /// True if a task is performing the pending actions.
        var isPerforming = false
        /// True from the beginning of a drain of the client on.
        var isDraining = false
    }

    /// A running task, with the number of its opening, link or wait.
    private enum Work: Hashable {
        case opening(Int)
        case reading(Int)
        case waiting(Int)
    }

    /// The availability of a link for sending.
    private enum Availability {
        case open(any WebSocketChannel)
        case wait(atMost: Duration?)
        case none(WebSocketError?)
    }

    package let hub: WebSocketEventBroadcaster
    let settings: Settings
    private let openLink: Opening
    private let state: Mutex<State>
    private let reconnection: ReconnectWait
    /// Signals that the phase has changed or that a task has ended.
    let changes = AsyncSignal()

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - hub: The broadcaster of events to the observers.
    ///   - open: Opens a link.
    package init(_ settings: Settings, hub: WebSocketEventBroadcaster, open: @escaping Opening) {
        self.settings = settings
        self.hub = hub
        openLink = open
        reconnection = ReconnectWait(settings.paths, time: settings.time)
        state = Mutex(State(machine: ReconnectingStateMachine(settings.policy)))
    }

    /// The queue for messages in parts, if they are enabled.
    package var fragmentQueue: FragmentQueue? { settings.fragmentQueue }

    package var phase: ReconnectingStateMachine.Phase { state.withLock { $0.machine.phase } }
    package var failure: WebSocketError? { state.withLock { $0.failure } }
    /// True once the client of the session drains.
    package var isDraining: Bool { state.withLock { $0.isDraining } }
    package var link: (any WebSocketChannel)? { state.withLock { $0.link } }
    /// The open link, if it is a ``EventLoopWebSocketChannel``.
    var loopLink: (any EventLoopWebSocketChannel)? { state.withLock { $0.machine.phase == .open ? $0.loopLink : nil } }

    package func connect() { requestLink { $0.machine.connect() } }
    package func reconnect() { requestLink { $0.machine.reconnect() } }

    package func close(code: WebSocketCloseCode, reason: String) {
        apply { $0.machine.close(code: code, reason: reason) }
    }

    /// Closes the connection with 1001, because the client drains.
    func drain() {
        state.withLock { $0.isDraining = true }
        close(code: .goingAway, reason: "")
    }

    /// Ends the connection without a close handshake.
    package func abort() {
        close(code: .goingAway, reason: "")
        link?.drop()
    }

    // MARK: Events

    /// Applies a caller's request for a link.
    private func requestLink(_ change: (inout State) -> [ReconnectingStateMachine.Action]) {
        let executor = settings.executor?()
        apply { state in
            let actions = change(&state)
            if !actions.isEmpty { state.executor = executor }
            return actions
        }
    }

    /// Applies an event, and performs the actions of the state machine.
    ///
    /// The actions are performed in order and outside of the lock, even if several tasks apply events.
    private func apply(_ change: (inout State) -> [ReconnectingStateMachine.Action]) {
        let performs = state.withLock { state in
            let actions = change(&state)
            for action in actions {
                switch action {
                case .begin: (state.hasLost, state.failure, state.closure) = (false, nil, nil)
                case .notifyReconnecting: state.hasLost = true
                case .close, .replace: state.closeHandshakes += 1
                case .open, .wait, .stop, .notifyConnected, .notifyPong, .end: break
                }
            }
            state.pending += actions.map { ($0, state.failure) }
            guard !state.isPerforming, !state.pending.isEmpty else { return false }
            state.isPerforming = true
            return true
        }
        while performs, let (action, failure) = nextAction() { perform(action, failure: failure) }
        changes.ring()
    }

    private func nextAction() -> (ReconnectingStateMachine.Action, WebSocketError?)? {
        state.withLock { state in
            guard state.pending.isEmpty else { return state.pending.removeFirst() }
            state.isPerforming = false
            return nil
        }
    }

    private func perform(_ action: ReconnectingStateMachine.Action, failure: WebSocketError?) {
        switch action {
        case .begin:
            hub.begin()
            fragmentQueue?.begin()
        case .open(let number):
            settings.report?(.connecting, nil)
            reconnection.attempt()
            start(.opening(number), staysOnLoop: true) { session in await session.open(number) }
        case .wait(let number, let delay, let minimum):
            reconnection.lost()
            start(.waiting(number)) { session in
                guard let time = await session.reconnection.sleep(for: delay, atLeast: minimum) else { return }
                session.apply { $0.machine.waitEnded(number, after: time) }
            }
        case .stop(let number):
            state.withLock { $0.tasks[.opening(number)] ?? $0.tasks[.waiting(number)] }?.cancel()
        case .close(_, let code, let reason): closeLink(code: code, reason: reason)
        case .replace: closeLink(code: .goingAway, reason: "", within: ReconnectingStateMachine.replacementTimeout)
        case .notifyConnected(let number):
            reconnection.forget()
            settings.report?(.connected, nil)
            hub.notify(.connected)
            fragmentQueue?.resume()
            // Not earlier, so that no message precedes the event.
            start(.reading(number), staysOnLoop: true) { session in await session.read(number) }
        case .notifyPong: hub.notify(.pong)
        case .notifyReconnecting(let attempt, let delay):
            let reason = attempt > 0 ? failure : nil
            settings.report?(.reconnecting(attempt: attempt, after: delay), reason)
            hub.notify(.reconnecting(attempt: attempt, delay: delay.secondsAsDouble), because: reason)
        case .end(let code, let reason, let isFailure):
            reconnection.forget()
            let failure = isFailure ? failure ?? WebSocketError(.closed, message: reason, closeCode: code) : nil
            settings.report?(.ended(code: Int(code.rawValue), reason: reason), failure)
            hub.finish(.disconnected(code: code, reason: reason), failure: failure)
            fragmentQueue?.finish(failure)
        }
    }

    /// Performs the close handshake, and drops the link if it takes longer than a limit.
    private func closeLink(code: WebSocketCloseCode, reason: String, within limit: Duration? = nil) {
        hub.stopWaiting()
        fragmentQueue?.stopWaiting()
        let link = state.withLock { $0.link }
        Task { [time = settings.time] in
            if let link {
                let timer = limit.map { limit in
                    Task { if (try? await time.sleep(for: limit)) != nil { link.drop() } }
                }
                _ = await link.close(code: code, reason: reason)
                timer?.cancel()
            }
            self.state.withLock { $0.closeHandshakes -= 1 }
            self.changes.ring()
        }
    }

    /// Starts a task; if `staysOnLoop` is true, on the event loop of the caller that wanted the link.
    private func start(
        _ name: Work, staysOnLoop: Bool = false, work: @escaping @Sendable (WebSocketSession) async -> Void
    ) {
        state.withLock { state in
            let executor = staysOnLoop ? state.executor : nil
            state.tasks[name] = Task(executorPreference: executor) {
                await work(self)
                self.state.withLock { $0.tasks[name] = nil }
                self.changes.ring()
            }
        }
    }

    // MARK: One link

    private func open(_ number: Int) async {
        do throws(NetworkError) {
            let link = try await openLink { [weak self] in self?.apply { $0.machine.didReceivePong(number) } }
            if !opened(number, link: link) { link.drop() }
        } catch {
            await failed(number, error: error)
        }
    }

    private func read(_ number: Int) async {
        guard let link else { return }
        await deliverMessages(from: link, on: state.withLock { $0.executor })
        lost(number, link: link)
    }

    private func opened(_ number: Int, link: any WebSocketChannel) -> Bool {
        var isWanted = false
        let loopLink = link as? any EventLoopWebSocketChannel
        apply { state in
            guard let actions = state.machine.opened(number) else { return [] }
            isWanted = true
            (state.link, state.loopLink) = (link, loopLink)
            state.links += 1
            state.watch = settings.time.stopwatch()
            return actions
        }
        return isWanted
    }

    private func failed(_ number: Int, error: NetworkError) async {
        // Confirming takes a while, in which the caller may ask to connect again.
        state.withLock { $0.machine.failing(number) }
        let ending = await reconnection.confirmed(
            ReconnectBackoff.Ending(opening: error, now: settings.time.now))
        let failure = WebSocketError(opening: error)
        let fraction = settings.random.fraction()
        apply { state in
            let actions = state.machine.failed(number, ending: ending, reason: failure.message, fraction: fraction)
            if !actions.isEmpty { state.failure = failure }
            return actions
        }
    }

    private func lost(_ number: Int, link: any WebSocketChannel) {
        if link.closure == nil { link.drop() }
        let closure =
            link.closure ?? WebSocketCloseInfo(code: .abnormalClosure, isClean: false, initiator: .local)
        let fraction = settings.random.fraction()
        apply { state in
            let loss = ReconnectingStateMachine.Loss(
                code: closure.code,
                reason: closure.reason.isEmpty ? closure.failure?.message ?? "" : closure.reason,
                isClean: closure.isClean,
                uptime: state.watch?.elapsed ?? .zero)
            let actions = state.machine.lost(number, loss: loss, fraction: fraction)
            guard state.link === link else { return actions }
            (state.link, state.loopLink, state.watch, state.closure) = (nil, nil, nil, closure)
            state.failure = closure.failure ?? Self.failure(of: closure)
            return actions
        }
    }

    /// The failure of a link that has ended; `nil` if this side closed it properly.
    private static func failure(of closure: WebSocketCloseInfo) -> WebSocketError? {
        guard !closure.isClean || closure.initiator == .remote else { return nil }
        return WebSocketError(
            .closed, message: "the server closed the connection: \(closure.code) \(closure.reason)",
            closeCode: closure.code)
    }

    // MARK: Waiting

    /// Returns the link, after waiting for it if the settings allow that.
    ///
    /// - Parameter deadline: The deadline for a reconnection; by default the limit of the settings.
    /// - Returns: The link.
    /// - Throws: ``WebSocketError``.
    package func currentLink(by deadline: Deadline? = nil) async throws(WebSocketError) -> any WebSocketChannel {
        // Usually the link is open.
        if case .open(let link) = state.withLock({ availability(in: $0) }) { return link }
        var deadline = deadline
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        while true {
            let count = changes.count
            switch state.withLock({ availability(in: $0) }) {
            case .open(let link): return link
            case .none(let cause): throw notConnected(cause)
            case .wait(let limit):
                if let limit {
                    let end = deadline ?? settings.time.deadline(after: limit)
                    deadline = end
                    let rest = end.remaining
                    guard rest > .zero else { throw notConnected(failure) }
                    if timer == nil { timer = wakeTimer(after: rest) }
                }
                try await wait(after: count)
            }
        }
    }

    private func availability(in state: State) -> Availability {
        switch state.machine.phase {
        case .open: state.link.map(Availability.open) ?? .none(state.failure)
        case .idle, .closing, .over: .none(state.failure)
        case .opening where !state.hasLost: .wait(atMost: nil)
        case .opening, .waiting, .restarting:
            switch settings.sendWhileReconnecting {
            case .fail: .none(state.failure)
            case .wait(let limit): .wait(atMost: limit)
            }
        }
    }

    private func notConnected(_ cause: WebSocketError?) -> WebSocketError {
        if isDraining {
            let error = ClientDrainedError()
            return WebSocketError(.notConnected, message: "there is no open connection: \(error)", underlying: error)
        }
        return WebSocketError(
            .notConnected, message: "there is no open connection\(cause.map { ": \($0.message)" } ?? "")",
            closeCode: cause?.closeCode, underlying: cause?.underlying ?? cause)
    }

    /// The number of links that were opened so far.
    package var links: Int { state.withLock { $0.links } }

    /// Waits until the connection is open or has been open, because a server may close it quickly.
    ///
    /// - Parameter count: The number of links before.
    /// - Throws: ``WebSocketError`` with the reason of the end.
    package func connected(after count: Int) async throws(WebSocketError) {
        while true {
            let seen = changes.count
            let (phase, failure, links) = state.withLock { ($0.machine.phase, $0.failure, $0.links) }
            if links > count { return }
            switch phase {
            case .open: return
            case .over: throw failure ?? notConnected(nil)
            case .idle, .opening, .waiting, .closing, .restarting: try await wait(after: seen)
            }
        }
    }

    /// Waits until the connection has ended and all its tasks have finished.
    ///
    /// - Returns: The end of the last link; `nil` if none was opened.
    /// - Throws: ``WebSocketError`` if the task is cancelled.
    package func ended() async throws(WebSocketError) -> WebSocketCloseInfo? {
        while true {
            let count = changes.count
            let (isOver, closure) = state.withLock { state in
                let isIdle = state.closeHandshakes == 0 && state.tasks.isEmpty && !state.isPerforming
                return (state.machine.phase == .over && isIdle, state.closure)
            }
            if isOver { return closure }
            try await wait(after: count)
        }
    }

    func wait(after count: Int) async throws(WebSocketError) {
        do {
            try await changes.wait(after: count)
        } catch {
            throw .taskCancelled
        }
    }
}
