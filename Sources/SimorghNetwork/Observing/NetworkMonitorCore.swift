// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import SimorghSupport
import Synchronization

/// The implementation of ``NetworkMonitor``: runs a source while it is needed, and notifies all observers.
package final class NetworkMonitorCore: Sendable {
    /// An observer of the connectivity only, or of the full status.
    private enum Observer {
        case connectivity(AsyncStream<Connectivity>.Continuation, last: Connectivity)
        case status(AsyncStream<NetworkStatus>.Continuation)
    }

    private struct State {
        var isStarted = false
        /// The number of waiting tasks that keep the source running.
        var leases = 0
        var isClosed = false
        /// True while a thread starts or stops the source.
        var isPerforming = false
        /// Signaled when the thread that stops the source has finished.
        var stopped: DispatchSemaphore?
        /// Stops the running source.
        var stop: (@Sendable () -> Void)?
        /// The number of the current watch, so that late updates of an earlier one are ignored.
        var watch = 0
        var hasReported = false
        /// The state before the current watch, from the previous watch or another query, for tasks that wait since
        /// then.
        var gap: PreWatchState?
        var status: NetworkStatus?
        /// The numbers of the last query without a watch, and of the last one whose result was used.
        var (lastQuery, lastUsedQuery) = (0, 0)
        /// The number of times that a route appeared or changed while the source was running.
        var arrivals = 0
        /// The number of the current route, which ties a result of the probe to it.
        var route = 0
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

    /// The number of changes kept for a slow observer; the oldest are dropped.
    package static let backlog = 64

    private let source: any NetworkSource
    private let detectsVPN: Bool
    private let probe: NetworkProbe?
    let time: TimeSource
    private let state = Mutex(State())
    /// Signals each change.
    let changes = AsyncSignal()
    /// Serial queue for queries and starts on behalf of callers that must not block.
    ///
    /// An unresponsive system blocks the query, and the caller may be on an event loop.
    private let queue: DispatchQueue
    private let statusQueries: CoalescedStatusQuery
    private let quickQueries: CoalescedStatusQuery
    private let freshQueries: CoalescedStatusQuery

    package init(_ source: any NetworkSource, detectsVPN: Bool, probe: NetworkProbe?, time: TimeSource) {
        self.source = source
        self.detectsVPN = detectsVPN
        self.probe = probe
        self.time = time
        queue = DispatchQueue(label: "simorgh.network.hub")
        statusQueries = CoalescedStatusQuery(on: queue)
        quickQueries = CoalescedStatusQuery(on: queue)
        freshQueries = CoalescedStatusQuery(on: queue)
    }

    // MARK: Watching

    package var isStarted: Bool { state.withLock { $0.isStarted } }

    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Starts the source; when this returns, it has reported the status, unless it was stopped in the meantime.
    package func start() {
        state.withLock { $0.isStarted = true }
        settleAfterOthers()
    }

    /// Stops the source unless it is leased; when this returns, no unneeded source is running.
    package func stop() {
        state.withLock { $0.isStarted = false }
        settle()
        // Another thread may be starting the unneeded source, or stopping it.
        if state.withLock({ $0.isPerforming && !$0.wantsWatch }) { settleAfterOthers() }
    }

    /// Keeps the source running until a release; starts it in the background without blocking.
    package func lease() {
        state.withLock { $0.leases += 1 }
        settle()
    }

    /// Leases the source and records the current status, so that a route in the first update can count as new.
    ///
    /// - Returns: The number of arrivals so far.
    package func leaseAndMark() -> Int {
        let isDefinitelyOffline = knownStatus == nil && source.isDefinitelyOffline
        let quick = isDefinitelyOffline ? NetworkStatus(.disconnected) : source.recentQuickStatus.map(adjusted)
        let count = state.withLock { state in
            state.leases += 1
            if !state.hasReported {
                state.gap = PreWatchState.marked(quickStatus: quick, status: state.status, after: state.gap)
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

    /// Stops for good and finishes all streams.
    package func close() {
        let observers = state.withLock { state in
            state.isClosed = true
            defer { state.observers = [:] }
            return state.observers
        }
        settle()
        changes.ring()
        for observer in observers.values {
            switch observer {
            case .connectivity(let continuation, _): continuation.finish()
            case .status(let continuation): continuation.finish()
            }
        }
    }

    /// Starts or stops the source as needed, after other threads have finished doing so.
    private func settleAfterOthers() {
        // Starts happen only on this queue, so none is in progress now; a stop may be in progress on any thread.
        queue.sync {
            let stopped = state.withLock { state in
                if state.isPerforming { state.stopped = DispatchSemaphore(value: 0) }
                return state.stopped
            }
            stopped?.wait()
            settle(isOnQueue: true)
        }
    }

    /// Starts or stops the source until its state is the required one; one thread at a time, and not under the lock.
    ///
    /// - Parameter isOnQueue: True if the caller is the queue, which may block; otherwise the source is not started
    ///   here.
    private func settle(isOnQueue: Bool = false) {
        while let step = nextStep(isOnQueue: isOnQueue) {
            switch step {
            case .startElsewhere:
                return queue.async { [weak self] in self?.settle(isOnQueue: true) }
            case .start(let number):
                let stop = source.watch { [weak self] status in self?.didReceive(status, from: number) }
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
            defer { state.hasReported = false }
            guard let stop = state.stop.take() else { return (.start(state.watch), nil) }
            if state.hasReported { state.gap = PreWatchState(state.status) }
            return (.stop(stop), state.probing.take())
        }
        probing?.cancel()
        return step
    }

    /// The number of times that a route appeared or changed while the source was running.
    package var arrivals: Int { state.withLock { $0.arrivals } }

    // MARK: Status

    /// The current status: the last reported one, or the result of a query if the source does not run.
    package var status: NetworkStatus {
        let (known, number): (NetworkStatus?, Int) = state.withLock { state in
            if state.hasReported, let status = state.status { return (status, 0) }
            state.lastQuery += 1
            return (nil, state.lastQuery)
        }
        if let known { return known }
        let status = adjusted(source.current())
        return state.withLock { state in
            if state.hasReported, let reported = state.status { return reported }
            // A later query has a newer result and may have finished earlier.
            guard number > state.lastUsedQuery else { return state.status ?? status }
            state.lastUsedQuery = number
            // The query failed, which is not a loss of the network.
            if status.source == .unavailable, let last = state.status, last.isConnected { return last }
            store(status, in: &state)
            return state.status ?? status
        }
    }

    /// Returns the same as ``status``, with a query on the queue.
    package func awaitedStatus() async -> NetworkStatus {
        if let knownStatus { return knownStatus }
        return await statusQueries.answer { self.status }
    }

    /// Returns the known status, or the result of a quick query on the queue, which determines little more than if
    /// there is a network.
    package func awaitedQuickStatus() async -> NetworkStatus {
        if let knownStatus { return knownStatus }
        if let recent = source.recentQuickStatus { return adjusted(recent) }
        return await quickQueries.answer { self.freshQuickStatus }
    }

    /// Queries the source on the queue, even if the status is known.
    package func awaitedFreshStatus() async -> NetworkStatus {
        await freshQueries.answer { self.adjusted(self.source.current()) }
    }

    /// The result of a quick query, even if the status is known; may block.
    package var freshQuickStatus: NetworkStatus { adjusted(source.quickStatus()) }

    /// The status without a query; `nil` if the source does not run.
    package var knownStatus: NetworkStatus? { state.withLock { $0.hasReported ? $0.status : nil } }

    private func adjusted(_ status: NetworkStatus) -> NetworkStatus {
        guard !detectsVPN, status.type == .vpn else { return status }
        var status = status
        status.connectivity = .connected(status.underlyingType ?? .other)
        return status
    }

    private func didReceive(_ status: NetworkStatus, from watch: Int) {
        let status = adjusted(status)
        let (isChange, probedRoute, stale) = state.withLock { state -> (Bool, Int?, Task<Void, Never>?) in
            guard state.watch == watch, !state.isClosed else { return (false, nil, nil) }
            let before = state.status
            let isFirst = !state.hasReported
            state.hasReported = true
            // Results of earlier queries are outdated.
            state.lastUsedQuery = state.lastQuery
            // A route in the first update is not new, unless a waiting task knows the status before.
            let last = isFirst ? state.gap : PreWatchState(before)
            state.gap = nil
            if last?.isArrival(status) == true { state.arrivals += 1 }
            let route = state.route
            store(status, in: &state)
            let isProbeDue = probe != nil && status.isConnected && (isFirst || state.route != route)
            let stale = state.route == route ? nil : state.probing.take()
            return (isFirst || state.status != before, isProbeDue ? state.route : nil, stale)
        }
        stale?.cancel()
        if let probedRoute { startProbe(probedRoute) }
        if isChange { changes.ring() }
    }

    /// Stores a status and notifies observers if it changed.
    ///
    /// Under the lock, so that all observers receive updates in the same order; they process them later.
    private func store(_ status: NetworkStatus, in state: inout State) {
        var new = status
        if let old = state.status {
            let isSameRoute = old.route == new.route
            if !isSameRoute { state.route += 1 }
            if isSameRoute, new.reachability == .unknown { new.reachability = old.reachability }
            if old.equalsIgnoringTimes(as: new) { return }
            new.since = old.connectivity == new.connectivity ? old.since : time.now
        } else {
            new.since = time.now
        }
        new.receivedAt = time.now
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

    // MARK: Probing

    private func startProbe(_ route: Int) {
        guard let probe else { return }
        let task = Task { [weak self, time] in
            while !Task.isCancelled {
                let answer = await probe.check()
                guard let self, !Task.isCancelled, self.found(answer, on: route), answer != .open else { return }
                do {
                    try await time.sleep(for: max(probe.interval, .seconds(1)))
                } catch {
                    return
                }
            }
        }
        let unwanted = state.withLock { state -> Task<Void, Never>? in
            guard state.route == route, state.wantsWatch else { return task }
            defer { state.probing = task }
            return state.probing
        }
        unwanted?.cancel()
    }

    /// Handles a result of the probe; returns false if it belongs to an earlier route.
    private func found(_ answer: NetworkStatus.Reachability, on route: Int) -> Bool {
        let isCurrent = state.withLock { state in
            guard state.route == route, var status = state.status, status.isConnected else { return false }
            status.reachability = answer
            store(status, in: &state)
            return true
        }
        if isCurrent { changes.ring() }
        return isCurrent
    }

    // MARK: Observing

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

    private func add(_ observer: Observer, onTermination: (@escaping @Sendable (Any) -> Void) -> Void) {
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            // The first element is the current status, which includes any change since the query.
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

    /// The number of observers.
    package var observerCount: Int { state.withLock { $0.observers.count } }
}
