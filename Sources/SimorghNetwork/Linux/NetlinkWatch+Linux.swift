// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
import CSimorghNetlink
import Dispatch
import Synchronization

/// Waits for netlink events and queries the status after a change.
///
/// An event is used only as a notification, because events are incomplete: when a link goes down, its IPv4 routes are
/// removed without an event. The status is queried.
final class NetlinkWatch: Sendable {
    private struct State {
        var settling = ChangeDebouncer()
        var listening: (any DispatchSourceRead)?
        var lastReported = LastReportedStatus()
        /// True if an uncertain loss was seen, which is checked once more.
        var isLossUncertain = false
        /// The number of reported changes.
        var reports = 0
        /// The number of consecutive queries that failed.
        var consecutiveFailures = 0
    }

    /// The delay of the extra query after a reported change.
    private static let followUpDelay = Duration.seconds(2)
    /// The number of consecutive failed queries after which the watch gives up; 3.
    private static let maximumFailures = 3

    private let events: NetlinkSocket
    private let queries: NetlinkQueries
    private let report: @Sendable (NetworkStatus) -> Void
    private let giveUp: @Sendable (NetlinkSocket.Failure) -> Void
    private let clock = TimeSource.system.stopwatch()
    private let state = Mutex(State())
    /// Serial queue of all events and queries.
    private let queue = DispatchQueue(label: "simorgh.network")

    /// - Parameters:
    ///   - events: The socket for events.
    ///   - queries: The requests for the status.
    ///   - report: Receives each new status.
    ///   - giveUp: Called with the reason if the kernel does not answer any more; ends this watch and replaces it.
    init(
        _ events: NetlinkSocket, queries: NetlinkQueries, report: @escaping @Sendable (NetworkStatus) -> Void,
        giveUp: @escaping @Sendable (NetlinkSocket.Failure) -> Void
    ) {
        self.events = events
        self.queries = queries
        self.report = report
        self.giveUp = giveUp
    }

    /// Reports the current status and starts waiting for events.
    func start() {
        queue.sync { query(onlyForLoss: false) }
        state.withLock { state in
            // If the watch was stopped in the meantime, that call found no event source to cancel.
            guard !state.lastReported.isStopped else { return }
            let listening = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
            listening.setEventHandler { [weak self] in self?.drain() }
            // The descriptor must stay open until the dispatch source is cancelled.
            listening.setCancelHandler { [events] in withExtendedLifetime(events) {} }
            listening.resume()
            state.listening = listening
        }
    }

    func stop() {
        state.withLock { state in
            state.lastReported.stop()
            state.listening?.cancel()
            state.listening = nil
        }
    }

    /// Drains the socket; the contents of the events are not used.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var hasEvents = false
        for _ in 0..<256 {
            do throws(NetlinkSocket.Failure) {
                _ = try events.receive(into: &buffer)
                hasEvents = true
            } catch {
                if error.number == EAGAIN { break }
                // ENOBUFS means that events were lost, which requires a query as well.
                hasEvents = true
                if error.number != ENOBUFS { break }
            }
        }
        guard hasEvents else { return }
        let (delay, lossDelay) = state.withLock { state in
            let now = clock.elapsed
            let isConnected = state.lastReported.isConnected
            return (state.settling.changed(at: now), isConnected ? state.settling.lossSuspected(at: now) : nil)
        }
        if let lossDelay {
            if lossDelay > .zero { schedule(after: lossDelay) { $0.checkForLoss() } } else { checkForLoss() }
        }
        if let delay { scheduleCheck(after: delay) }
    }

    /// Checks for the loss of all routes without a delay: with up to four requests, and a full query only if it seems
    /// lost.
    private func checkForLoss() {
        let begin = clock.elapsed
        defer {
            state.withLock { state in
                let now = clock.elapsed
                state.settling.didCheckForLoss(at: now, taking: now - begin)
            }
        }
        guard !state.withLock({ $0.lastReported.isStopped }), let routes = try? queries.routes() else { return }
        var snapshot = KernelNetworkSnapshot()
        (snapshot.ipv4, snapshot.ipv6) = routes
        let indexes = Set([routes.ipv4, routes.ipv6].compactMap { $0?.outgoing.first })
        snapshot.links = indexes.compactMap(queries.link)
        if state.withLock({ $0.lastReported.isDefiniteLoss(snapshot) }) { query(onlyForLoss: true) }
    }

    private func scheduleCheck(after delay: Duration) { schedule(after: delay) { $0.timerFired() } }

    private func schedule(after delay: Duration, action: @escaping @Sendable (NetlinkWatch) -> Void) {
        let nanoseconds = Int(delay / .nanoseconds(1))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            if let self { action(self) }
        }
    }

    private func timerFired() {
        let (delay, isOver) = state.withLock { state in
            (state.settling.timerFired(at: clock.elapsed), state.lastReported.isStopped)
        }
        if isOver { return }
        if let delay { scheduleCheck(after: delay) } else { query(onlyForLoss: false) }
    }

    /// Queries the status and reports a change.
    private func query(onlyForLoss: Bool) {
        let begin = clock.elapsed
        let snapshot: KernelNetworkSnapshot
        do throws(NetlinkSocket.Failure) {
            snapshot = try queries.snapshot()
        } catch {
            return failed(error, since: begin, onlyForLoss: onlyForLoss)
        }
        let status = snapshot.status
        let (isChange, isLossUncertain) = state.withLock { state in
            let now = clock.elapsed
            state.settling.didQuery(at: now, taking: now - begin)
            state.consecutiveFailures = 0
            let isCertain = state.lastReported.isDefiniteLoss(snapshot)
            if onlyForLoss, !isCertain { return (false, false) }
            let isLoss = state.lastReported.isConnected && !status.isConnected
            let isDoubtful = isLoss && !isCertain && !state.isLossUncertain
            state.isLossUncertain = isDoubtful
            return (!isDoubtful && state.lastReported.recordIfChanged(status), isDoubtful)
        }
        if isChange {
            report(status)
            scheduleFollowUp()
        }
        if isLossUncertain { scheduleQuery(after: ChangeDebouncer.maximumDelay) }
    }

    /// Handles a failed query: tries again, or gives up after several failures.
    private func failed(_ failure: NetlinkSocket.Failure, since begin: Duration, onlyForLoss: Bool) {
        let isEnough = state.withLock { state in
            let now = clock.elapsed
            // A failed query takes time as well and counts for the pause.
            state.settling.didQuery(at: now, taking: now - begin)
            // Too many changes or a lack of memory is temporary and does not count.
            state.consecutiveFailures = failure.isTransient ? 0 : state.consecutiveFailures + 1
            return state.consecutiveFailures >= Self.maximumFailures
        }
        if isEnough { return giveUp(failure) }
        if !onlyForLoss { scheduleQuery(after: ChangeDebouncer.quiet) }
    }

    /// Queries once more after a longer delay: DNS servers are usually written to their file after a network has come
    /// up, and no event announces that.
    private func scheduleFollowUp() {
        let number = state.withLock { state in
            state.reports += 1
            return state.reports
        }
        schedule(after: Self.followUpDelay) { watch in
            let isLast = watch.state.withLock { !$0.lastReported.isStopped && $0.reports == number }
            if isLast { watch.scheduleQuery(after: ChangeDebouncer.quiet) }
        }
    }

    /// Schedules a query, unless one is scheduled already.
    private func scheduleQuery(after delay: Duration) {
        if state.withLock({ $0.settling.changed(at: clock.elapsed) }) != nil { scheduleCheck(after: delay) }
    }
}
#endif
