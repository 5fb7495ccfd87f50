// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import SimorghSupport
import Synchronization

/// The implementation of ``NetworkMonitor``: runs a source while it is needed, and notifies all observers.
package final class NetworkMonitorCore: Sendable {
    /// An observer of the connectivity only, or of the full status.
    enum Observer {
        /// `last` is `nil` until the status is known.
        case connectivity(AsyncStream<Connectivity>.Continuation, last: Connectivity?)
        case status(AsyncStream<NetworkStatus>.Continuation)
    }

    struct State {
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
    let state = Mutex(State())
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

    /// True if the source can report a network.
    var isAvailable: Bool { source.isAvailable }

    /// The current status: the last reported one, or the result of a query without one, which may be provisional.
    package var status: NetworkStatus {
        let (known, number) = beginQuery()
        return known ?? didQuery(number, status: source.current())
    }

    /// Passes the current status to a closure as soon as the system has reported it; without blocking on Apple
    /// platforms.
    private func completeStatus(_ completion: @escaping @Sendable (NetworkStatus) -> Void) {
        let (known, number) = beginQuery()
        if let known { return completion(known) }
        source.complete { completion(self.didQuery(number, status: $0)) }
    }

    /// Returns the status if it is known, and otherwise the number of a new query.
    private func beginQuery() -> (known: NetworkStatus?, number: Int) {
        state.withLock { state in
            if state.hasReported, let status = state.status { return (status, 0) }
            state.lastQuery += 1
            return (nil, state.lastQuery)
        }
    }

    /// Uses the result of a query, unless a newer status is known.
    ///
    /// - Parameters:
    ///   - number: The number of the query.
    ///   - status: Its result.
    /// - Returns: The current status.
    private func didQuery(_ number: Int, status: NetworkStatus) -> NetworkStatus {
        var status = adjusted(status)
        return state.withLock { state in
            if state.hasReported, let reported = state.status { return reported }
            // Observers wait for the status that the system reports.
            if status.isProvisional {
                (status.since, status.receivedAt) = (time.now, time.now)
                return status
            }
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
        return await statusQueries.answer { self.completeStatus($0) }
    }

    /// Returns the known status, or the result of a quick query on the queue, which determines little more than if
    /// there is a network.
    package func awaitedQuickStatus() async -> NetworkStatus {
        if let knownStatus { return knownStatus }
        if let recent = source.recentQuickStatus { return adjusted(recent) }
        return await quickQueries.answer { $0(self.freshQuickStatus) }
    }

    /// Queries the source on the queue, even if the status is known.
    package func awaitedFreshStatus() async -> NetworkStatus {
        await freshQueries.answer { completion in
            self.source.complete { completion(self.adjusted($0)) }
        }
    }

    /// Queries the status on the queue for observers that wait for it.
    func completeStatusForObservers() {
        queue.async {
            self.completeStatus { status in
                // The system has not reported in time: what the kernel knows is better than nothing.
                self.state.withLock { if $0.status == nil { self.store(status, in: &$0) } }
            }
        }
    }

    /// Records the inputs of the status.
    package func recording() async -> NetworkRecording {
        await withCheckedContinuation { continuation in
            queue.async { self.source.record { continuation.resume(returning: $0) } }
        }
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
                guard isAvailable, last != new.connectivity else { continue }
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
}
