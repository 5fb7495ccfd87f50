// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import SimorghSupport
import Synchronization

/// What a ``NetworkMonitor`` does: watches a source while somebody wants it to, and tells all who listen.
package final class NetworkHub: Sendable {
    /// Who listens: to the connectivity alone, or to all.
    private enum Observer {
        case connectivity(AsyncStream<Connectivity>.Continuation, last: Connectivity)
        case status(AsyncStream<NetworkStatus>.Continuation)
    }

    private struct State {
        var isStarted = false
        /// How many wait for something, for whom it watches, too.
        var leases = 0
        var isClosed = false
        /// Whether somebody starts or stops the source now.
        var isPerforming = false
        /// Signalled when whoever stops it now has done so.
        var stopped: DispatchSemaphore?
        /// Ends the watch that goes on.
        var stop: (@Sendable () -> Void)?
        /// The number of the watch, so that an earlier one's last words are not heard.
        var watch = 0
        var hasHeard = false
        /// What was so before the watch, for those who wait since then: told by the watch before, or known otherwise.
        var gap: NetworkGap?
        var status: NetworkStatus?
        /// The number of the last question that was asked without a watch, and of the last that was answered.
        var (asked, answered) = (0, 0)
        /// How often there was a way where there was none, or another, while it was watched.
        var arrivals = 0
        /// The number of the way, by which an answer of the probe is known to be about it.
        var way = 0
        var probing: Task<Void, Never>?
        var nextID = 0
        var observers: [Int: Observer] = [:]

        var wantsWatch: Bool { !isClosed && (isStarted || leases > 0) }
    }

    private enum Step {
        case start(Int)
        case startElsewhere
        case stop(@Sendable () -> Void)
    }

    /// How many changes are kept for an observer who is slow; the oldest go first.
    package static let backlog = 64

    private let source: any NetworkSource
    private let detectsVPN: Bool
    private let probe: NetworkProbe?
    let time: TimeSource
    private let state = Mutex(State())
    /// Rung at each change.
    let bell = Bell()
    /// Where the source is asked by those who may not be held up, and begins to watch for them: a system that is silent is
    /// waited for, and whoever asks may be on an event loop.
    private let queue: DispatchQueue
    private let statusQuestions: NetworkQuestions
    private let glanceQuestions: NetworkQuestions
    private let freshQuestions: NetworkQuestions

    package init(_ source: any NetworkSource, detectsVPN: Bool, probe: NetworkProbe?, time: TimeSource) {
        self.source = source
        self.detectsVPN = detectsVPN
        self.probe = probe
        self.time = time
        queue = DispatchQueue(label: "simorgh.network.hub")
        statusQuestions = NetworkQuestions(on: queue)
        glanceQuestions = NetworkQuestions(on: queue)
        freshQuestions = NetworkQuestions(on: queue)
    }

    // MARK: Watching

    package var isStarted: Bool { state.withLock { $0.isStarted } }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Starts to watch; when it returns, the source has told what is so, unless somebody stops it again meanwhile.
    package func start() {
        state.withLock { $0.isStarted = true }
        settleAfterOthers()
    }

    /// Stops to watch, unless somebody leases it; when it returns, nothing goes on that nobody wants.
    package func stop() {
        state.withLock { $0.isStarted = false }
        settle()
        // Somebody else may just start what is not wanted any more, or stop it.
        if state.withLock({ $0.isPerforming && !$0.wantsWatch }) { settleAfterOthers() }
    }

    /// Watches until it is released, started or not; from soon after the call on, which does not wait for the source.
    package func lease() {
        state.withLock { $0.leases += 1 }
        settle()
    }

    /// The same, and remembers what is known now, as what the watch tells first may have come since.
    ///
    /// - Returns: How many arrivals there were before.
    package func mark() -> Int {
        let isNowhere = knownStatus == nil && source.isNowhere
        let glance = isNowhere ? NetworkStatus(.disconnected) : source.recentGlance.map(adjusted)
        let count = state.withLock { state in
            state.leases += 1
            if !state.hasHeard {
                state.gap = NetworkGap.marked(glance: glance, status: state.status, after: state.gap)
            }
            return state.arrivals
        }
        settle()
        return count
    }

    package func release() {
        state.withLock { $0.leases -= 1 }
        settle()
    }

    /// Stops for good, and ends all streams.
    package func close() {
        let observers = state.withLock { state in
            state.isClosed = true
            defer { state.observers = [:] }
            return state.observers
        }
        settle()
        bell.ring()
        for observer in observers.values {
            switch observer {
            case .connectivity(let continuation, _): continuation.finish()
            case .status(let continuation): continuation.finish()
            }
        }
    }

    /// Starts or stops the source as it is wanted, when nobody else does so any more.
    private func settleAfterOthers() {
        // Whoever starts it does so on the queue, and so nobody does now; whoever stops it may be anywhere.
        queue.sync {
            let stopped = state.withLock { state in
                if state.isPerforming { state.stopped = DispatchSemaphore(value: 0) }
                return state.stopped
            }
            stopped?.wait()
            settle(isOnQueue: true)
        }
    }

    /// Starts or stops the source until it is as it is wanted: one thread at a time, and not under the lock.
    ///
    /// - Parameter isOnQueue: Whether nobody but the queue is held up; elsewhere nothing is started.
    private func settle(isOnQueue: Bool = false) {
        while let step = nextStep(isOnQueue: isOnQueue) {
            switch step {
            case .startElsewhere:
                return queue.async { [weak self] in self?.settle(isOnQueue: true) }
            case .start(let number):
                let stop = source.watch { [weak self] status in self?.told(status, by: number) }
                state.withLock { state in
                    state.stop = stop
                    state.isPerforming = false
                }
            case .stop(let stop):
                stop()
                let stopped = state.withLock { state in
                    state.isPerforming = false
                    if !state.wantsWatch { state.gap = nil }
                    return state.stopped.take()
                }
                stopped?.signal()
            }
        }
    }

    private func nextStep(isOnQueue: Bool) -> Step? {
        let (step, probing): (Step?, Task<Void, Never>?) = state.withLock { state in
            guard !state.isPerforming else { return (nil, nil) }
            if !state.wantsWatch { state.gap = nil }
            guard state.wantsWatch != (state.stop != nil) else { return (nil, nil) }
            guard isOnQueue || state.stop != nil else { return (.startElsewhere, nil) }
            state.isPerforming = true
            state.watch += 1
            defer { state.hasHeard = false }
            guard let stop = state.stop.take() else { return (.start(state.watch), nil) }
            if state.hasHeard { state.gap = NetworkGap(state.status) }
            return (.stop(stop), state.probing.take())
        }
        probing?.cancel()
        return step
    }

    /// How often there was a way where there was none, or another, while it was watched.
    package var arrivals: Int { state.withLock { $0.arrivals } }

    // MARK: What is so

    /// What is so now: what was told last, or where nobody watches, what the source says when asked.
    package var status: NetworkStatus {
        let (known, number): (NetworkStatus?, Int) = state.withLock { state in
            if state.hasHeard, let status = state.status { return (status, 0) }
            state.asked += 1
            return (nil, state.asked)
        }
        if let known { return known }
        let status = adjusted(source.current())
        return state.withLock { state in
            if state.hasHeard, let told = state.status { return told }
            // Who asked later knows better, and may have been quicker.
            guard number > state.answered else { return state.status ?? status }
            state.answered = number
            // Nobody could be asked, which is no loss.
            if status.source == .nobody, let last = state.status, last.isConnected { return last }
            take(status, &state)
            return state.status ?? status
        }
    }

    /// What is so now, as ``status``, which is asked for elsewhere.
    package func awaitedStatus() async -> NetworkStatus {
        if let knownStatus { return knownStatus }
        return await statusQuestions.answer { self.status }
    }

    /// What is known, or where nobody watches, what the source says at a glance, elsewhere: whether there is a network, and
    /// little else.
    package func awaitedGlance() async -> NetworkStatus {
        if let knownStatus { return knownStatus }
        if let recent = source.recentGlance { return adjusted(recent) }
        return await glanceQuestions.answer { self.secondGlance }
    }

    /// What the source says when asked, elsewhere, whatever was told last.
    package func awaitedFreshStatus() async -> NetworkStatus {
        await freshQuestions.answer { self.adjusted(self.source.current()) }
    }

    /// What the source says at a glance, whatever was told last; it may block.
    package var secondGlance: NetworkStatus { adjusted(source.glance()) }

    /// What is known without asking; `nil` where nobody watches.
    package var knownStatus: NetworkStatus? { state.withLock { $0.hasHeard ? $0.status : nil } }

    private func adjusted(_ status: NetworkStatus) -> NetworkStatus {
        guard !detectsVPN, status.type == .vpn else { return status }
        var status = status
        status.connectivity = .connected(status.underlyingType ?? .other)
        return status
    }

    private func told(_ status: NetworkStatus, by watch: Int) {
        let status = adjusted(status)
        let (isNews, asks, stale) = state.withLock { state -> (Bool, Int?, Task<Void, Never>?) in
            guard state.watch == watch, !state.isClosed else { return (false, nil, nil) }
            let before = state.status
            let isFirst = !state.hasHeard
            state.hasHeard = true
            // Whoever was asked before knows less.
            state.answered = state.asked
            // What happened before it was watched is no arrival, unless somebody waits and knows what was so.
            let last = isFirst ? state.gap : NetworkGap(before)
            state.gap = nil
            if last?.isArrival(status) == true { state.arrivals += 1 }
            let way = state.way
            take(status, &state)
            let asks = probe != nil && status.isConnected && (isFirst || state.way != way)
            let stale = state.way == way ? nil : state.probing.take()
            return (isFirst || state.status != before, asks ? state.way : nil, stale)
        }
        stale?.cancel()
        if let asks { startProbe(asks) }
        if isNews { bell.ring() }
    }

    /// Keeps a status, and tells it if it is another.
    ///
    /// Under the lock, so that nobody hears two in the wrong order: what an observer is given it takes later.
    private func take(_ new: NetworkStatus, _ state: inout State) {
        var new = new
        if let old = state.status {
            let isSameWay = old.way == new.way
            if !isSameWay { state.way += 1 }
            if isSameWay, new.reachability == .unknown { new.reachability = old.reachability }
            if old.tellsSame(as: new) { return }
            new.since = old.connectivity == new.connectivity ? old.since : time.now
        } else {
            new.since = time.now
        }
        new.told = time.now
        state.status = new
        for (id, observer) in state.observers {
            switch observer {
            case .status(let continuation): continuation.yield(new)
            case .connectivity(let continuation, let last):
                guard last != new.connectivity else { continue }
                continuation.yield(new.connectivity)
                state.observers[id] = .connectivity(continuation, last: new.connectivity)
            }
        }
    }

    // MARK: Asking the internet

    private func startProbe(_ way: Int) {
        guard let probe else { return }
        let task = Task { [weak self, time] in
            while !Task.isCancelled {
                let answer = await probe.ask()
                guard let self, !Task.isCancelled, self.found(answer, on: way), answer != .open else { return }
                do {
                    try await time.sleep(for: max(probe.interval, .seconds(1)))
                } catch {
                    return
                }
            }
        }
        let unwanted = state.withLock { state -> Task<Void, Never>? in
            guard state.way == way, state.wantsWatch else { return task }
            defer { state.probing = task }
            return state.probing
        }
        unwanted?.cancel()
    }

    /// Takes an answer of the probe; `false` where it is about another way than today's.
    private func found(_ answer: NetworkStatus.Reachability, on way: Int) -> Bool {
        let isOurs = state.withLock { state in
            guard state.way == way, var status = state.status, status.isConnected else { return false }
            status.reachability = answer
            take(status, &state)
            return true
        }
        if isOurs { bell.ring() }
        return isOurs
    }

    // MARK: Listening

    package func connectivities() -> AsyncStream<Connectivity> {
        let (stream, continuation) = AsyncStream<Connectivity>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.backlog))
        let now = status.connectivity
        add(.connectivity(continuation, last: now)) { continuation.onTermination = $0 }
        return stream
    }

    package func statuses() -> AsyncStream<NetworkStatus> {
        let (stream, continuation) = AsyncStream<NetworkStatus>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.backlog))
        _ = status
        add(.status(continuation)) { continuation.onTermination = $0 }
        return stream
    }

    private func add(_ observer: Observer, _ onTermination: (@escaping @Sendable (Any) -> Void) -> Void) {
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            // The first it hears is what is so now; a change since it was asked for is in it.
            switch observer {
            case .status(let continuation):
                if let status = state.status { continuation.yield(status) }
                state.observers[state.nextID] = observer
            case .connectivity(let continuation, let last):
                let now = state.status?.connectivity ?? last
                continuation.yield(now)
                state.observers[state.nextID] = .connectivity(continuation, last: now)
            }
            return state.nextID
        }
        guard let id else {
            switch observer {
            case .connectivity(let continuation, _): continuation.finish()
            case .status(let continuation): continuation.finish()
            }
            return
        }
        onTermination { [weak self] _ in
            guard let self else { return }
            state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
    }

    /// How many listen.
    package var observerCount: Int { state.withLock { $0.observers.count } }
}
