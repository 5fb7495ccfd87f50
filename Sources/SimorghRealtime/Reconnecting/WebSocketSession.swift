// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
package import SimorghSupport
import Synchronization

/// What a ``WebSocketConnection`` does: applies what happens to the machine, and performs what that says.
///
/// The tasks that run for it hold it, and it holds none of those who use it: so that letting go of the connection ends it.
package final class WebSocketSession: Sendable {
    private struct State {
        var machine: WebSocketConnectionMachine
        var link: (any WebSocketLink)?
        /// The same, where it takes small messages at once; not looked for at each message, as that takes long.
        var loopLink: (any LoopLink)?
        /// Since when the link stands.
        var watch: Stopwatch?
        /// Why it was lost last, or could not be made.
        var failure: WebSocketError?
        /// How the last life ended.
        var closure: WebSocketClosure?
        /// How many links there were.
        var links = 0
        /// Whether this life has seen a loss.
        var hasLost = false
        /// What keeps links, and who opens and reads them, on the event loop of who wanted them.
        var executor: (any TaskExecutor)?
        var tasks: [Work: Task<Void, Never>] = [:]
        /// How many goodbyes are under way.
        var goodbyes = 0
        /// What is to be done, in order, each with why the connection was lost last.
        var pending: [(WebSocketConnectionMachine.Action, WebSocketError?)] = []
        /// Whether somebody is doing it.
        var isPerforming = false
    }

    /// What runs for a number.
    private enum Work: Hashable {
        case opening(Int)
        case reading(Int)
        case waiting(Int)
    }

    /// Where somebody who wants to send finds the connection.
    private enum Standing {
        case open(any WebSocketLink)
        case wait(atMost: Duration?)
        case none(WebSocketError?)
    }

    package let hub: WebSocketHub
    let settings: Settings
    private let openLink: Opening
    private let state: Mutex<State>
    private let reconnection: ReconnectWait
    /// Rung when the phase changes, or a task ends.
    let bell = Bell()

    /// - Parameters:
    ///   - settings: How it behaves.
    ///   - hub: Who is told.
    ///   - open: Opens a link.
    package init(_ settings: Settings, hub: WebSocketHub, open: @escaping Opening) {
        self.settings = settings
        self.hub = hub
        openLink = open
        reconnection = ReconnectWait(settings.paths, time: settings.time)
        state = Mutex(State(machine: WebSocketConnectionMachine(settings.policy)))
    }

    /// Where messages in parts are to be had, where they are.
    package var desk: WebSocketPartsDesk? { settings.desk }

    package var phase: WebSocketConnectionMachine.Phase { state.withLock { $0.machine.phase } }
    package var failure: WebSocketError? { state.withLock { $0.failure } }
    package var link: (any WebSocketLink)? { state.withLock { $0.link } }
    /// The link that stands, where it takes small messages at once.
    var loopLink: (any LoopLink)? { state.withLock { $0.machine.phase == .open ? $0.loopLink : nil } }

    package func connect() { want { $0.machine.connect() } }
    package func reconnect() { want { $0.machine.reconnect() } }

    package func close(code: WebSocketCloseCode, reason: String) {
        apply { $0.machine.close(code: code, reason: reason) }
    }

    /// Ends it without waiting for anybody's goodbye.
    package func abort() {
        close(code: .goingAway, reason: "")
        link?.drop()
    }

    // MARK: What happens

    /// Applies that somebody wants a link.
    private func want(_ change: (inout State) -> [WebSocketConnectionMachine.Action]) {
        let executor = settings.executor?()
        apply { state in
            let actions = change(&state)
            if !actions.isEmpty { state.executor = executor }
            return actions
        }
    }

    /// Applies what happened, and performs what the machine says: in order, whoever does it, and not under the lock.
    private func apply(_ change: (inout State) -> [WebSocketConnectionMachine.Action]) {
        let performs = state.withLock { state in
            let actions = change(&state)
            for action in actions {
                switch action {
                case .begin: (state.hasLost, state.failure, state.closure) = (false, nil, nil)
                case .tellReconnecting: state.hasLost = true
                case .close: state.goodbyes += 1
                case .open, .wait, .stop, .tellConnected, .tellPong, .end: break
                }
            }
            state.pending += actions.map { ($0, state.failure) }
            guard !state.isPerforming, !state.pending.isEmpty else { return false }
            state.isPerforming = true
            return true
        }
        while performs, let (action, failure) = nextAction() { perform(action, failure) }
        bell.ring()
    }

    private func nextAction() -> (WebSocketConnectionMachine.Action, WebSocketError?)? {
        state.withLock { state in
            guard state.pending.isEmpty else { return state.pending.removeFirst() }
            state.isPerforming = false
            return nil
        }
    }

    private func perform(_ action: WebSocketConnectionMachine.Action, _ failure: WebSocketError?) {
        switch action {
        case .begin:
            hub.begin()
            desk?.begin()
        case .open(let number):
            settings.report?(.connecting, nil)
            reconnection.attempt()
            start(.opening(number), stays: true) { session in await session.open(number) }
        case .wait(let number, let delay, let shortest):
            reconnection.lost()
            start(.waiting(number)) { session in
                guard await session.reconnection.sleep(for: delay, atLeast: shortest) else { return }
                session.apply { $0.machine.waited(number) }
            }
        case .stop(let number):
            state.withLock { $0.tasks[.opening(number)] ?? $0.tasks[.waiting(number)] }?.cancel()
        case .close(_, let code, let reason):
            hub.hurry()
            desk?.hurry()
            let link = state.withLock { $0.link }
            Task {
                if let link { _ = await link.close(code: code, reason: reason) }
                self.state.withLock { $0.goodbyes -= 1 }
                self.bell.ring()
            }
        case .tellConnected(let number):
            reconnection.forget()
            settings.report?(.connected, nil)
            hub.tell(.connected)
            desk?.resume()
            // Not before, so that no message comes first.
            start(.reading(number), stays: true) { session in await session.read(number) }
        case .tellPong: hub.tell(.pong)
        case .tellReconnecting(let attempt, let delay):
            let reason = attempt > 0 ? failure : nil
            settings.report?(.reconnecting(attempt: attempt, after: delay), reason)
            hub.tell(.reconnecting(attempt: attempt, delay: delay.inSeconds), because: reason)
        case .end(let code, let reason, let isFailure):
            reconnection.forget()
            let failure = isFailure ? failure ?? WebSocketError(.closed, message: reason, closeCode: code) : nil
            settings.report?(.ended(code: Int(code.rawValue), reason: reason), failure)
            hub.finish(.disconnected(code: code, reason: reason), failure)
            desk?.finish(failure)
        }
    }

    /// Runs something, and where it `stays`, on the event loop of who wanted the link.
    private func start(
        _ name: Work, stays: Bool = false, _ work: @escaping @Sendable (WebSocketSession) async -> Void
    ) {
        state.withLock { state in
            let executor = stays ? state.executor : nil
            state.tasks[name] = Task(executorPreference: executor) {
                await work(self)
                self.state.withLock { $0.tasks[name] = nil }
                self.bell.ring()
            }
        }
    }

    // MARK: One link

    private func open(_ number: Int) async {
        do throws(NetworkError) {
            let link = try await openLink { [weak self] in self?.apply { $0.machine.answered(number) } }
            if !opened(number, link) { link.drop() }
        } catch {
            failed(number, error)
        }
    }

    private func read(_ number: Int) async {
        guard let link else { return }
        await bring(from: link, on: state.withLock { $0.executor })
        lost(number, link)
    }

    private func opened(_ number: Int, _ link: any WebSocketLink) -> Bool {
        var isWanted = false
        let loopLink = link as? any LoopLink
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

    private func failed(_ number: Int, _ error: NetworkError) {
        let ending = ReconnectMachine.Ending(opening: error, now: settings.time.now)
        let failure = WebSocketError(opening: error)
        let fraction = settings.random.fraction()
        apply { state in
            let actions = state.machine.failed(number, ending, reason: failure.message, fraction: fraction)
            if !actions.isEmpty { state.failure = failure }
            return actions
        }
    }

    private func lost(_ number: Int, _ link: any WebSocketLink) {
        if link.closure == nil { link.drop() }
        let closure =
            link.closure ?? WebSocketClosure(code: .abnormalClosure, isClean: false, initiator: .local)
        let fraction = settings.random.fraction()
        apply { state in
            let loss = WebSocketConnectionMachine.Loss(
                code: closure.code,
                reason: closure.reason.isEmpty ? closure.failure?.message ?? "" : closure.reason,
                isClean: closure.isClean,
                uptime: state.watch?.elapsed ?? .zero)
            let actions = state.machine.lost(number, loss, fraction: fraction)
            guard state.link === link else { return actions }
            (state.link, state.loopLink, state.watch, state.closure) = (nil, nil, nil, closure)
            state.failure =
                closure.failure
                ?? WebSocketError(
                    .closed, message: "the server closed the connection: \(closure.code) \(closure.reason)",
                    closeCode: closure.code)
            return actions
        }
    }

    // MARK: Those who wait

    /// The link, as soon as there is one, if that is to be waited for.
    ///
    /// - Parameter deadline: How long to wait for one that comes back; what the settings say by default.
    /// - Returns: The link.
    /// - Throws: ``WebSocketError``.
    package func standing(by deadline: Deadline? = nil) async throws(WebSocketError) -> any WebSocketLink {
        // Mostly there is one.
        if case .open(let link) = state.withLock({ place(in: $0) }) { return link }
        var deadline = deadline
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        while true {
            let heard = bell.count
            switch state.withLock({ place(in: $0) }) {
            case .open(let link): return link
            case .none(let cause): throw notConnected(cause)
            case .wait(let limit):
                if let limit {
                    let end = deadline ?? settings.time.deadline(after: limit)
                    deadline = end
                    let rest = end.remaining
                    guard rest > .zero else { throw notConnected(failure) }
                    if timer == nil { timer = ringing(after: rest) }
                }
                try await wait(after: heard)
            }
        }
    }

    private func place(in state: State) -> Standing {
        switch state.machine.phase {
        case .open: state.link.map(Standing.open) ?? .none(state.failure)
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
        WebSocketError(
            .notConnected, message: "there is no connection\(cause.map { ": \($0.message)" } ?? "")",
            closeCode: cause?.closeCode, underlying: cause?.underlying ?? cause)
    }

    /// How many links there were so far.
    package var links: Int { state.withLock { $0.links } }

    /// Waits until the connection stands, or has stood: a server may be quick to close it.
    ///
    /// - Parameter count: How many links there were before.
    /// - Throws: ``WebSocketError``: why it is over.
    package func connected(after count: Int) async throws(WebSocketError) {
        while true {
            let heard = bell.count
            let (phase, failure, links) = state.withLock { ($0.machine.phase, $0.failure, $0.links) }
            if links > count { return }
            switch phase {
            case .open: return
            case .over: throw failure ?? notConnected(nil)
            case .idle, .opening, .waiting, .closing, .restarting: try await wait(after: heard)
            }
        }
    }

    /// Waits until it is over and nothing runs for it any more.
    ///
    /// - Returns: How the last link ended; `nil` where there was none.
    /// - Throws: ``WebSocketError`` when the task is cancelled.
    package func ended() async throws(WebSocketError) -> WebSocketClosure? {
        while true {
            let heard = bell.count
            let (isOver, closure) = state.withLock { state in
                let isIdle = state.goodbyes == 0 && state.tasks.isEmpty && !state.isPerforming
                return (state.machine.phase == .over && isIdle, state.closure)
            }
            if isOver { return closure }
            try await wait(after: heard)
        }
    }

    func wait(after heard: Int) async throws(WebSocketError) {
        do {
            try await bell.wait(after: heard)
        } catch {
            throw .taskCancelled
        }
    }
}
