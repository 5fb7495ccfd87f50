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
        var news = LastReportedStatus()
        /// True if an uncertain loss was seen, which is checked once more.
        var isLossUncertain = false
        /// The number of reported changes.
        var told = 0
        /// The number of consecutive queries that failed.
        var consecutiveFailures = 0
    }

    /// The delay of the extra query after a reported change.
    private static let afterwards = Duration.seconds(2)
    /// The number of consecutive failed queries after which the watch gives up; 3.
    private static let patience = 3

    private let events: NetlinkSocket
    private let questions: NetlinkQueries
    private let tell: @Sendable (NetworkStatus) -> Void
    private let giveUp: @Sendable (NetlinkSocket.Failure) -> Void
    private let clock = TimeSource.system.stopwatch()
    private let state = Mutex(State())
    /// Serial queue of all events and queries.
    private let queue = DispatchQueue(label: "simorgh.network")

    /// - Parameters:
    ///   - events: The socket for events.
    ///   - questions: The requests for the status.
    ///   - tell: Receives each new status.
    ///   - giveUp: Called with the reason if the kernel does not answer any more; ends this watch and replaces it.
    init(
        _ events: NetlinkSocket, _ questions: NetlinkQueries, _ tell: @escaping @Sendable (NetworkStatus) -> Void,
        giveUp: @escaping @Sendable (NetlinkSocket.Failure) -> Void
    ) {
        self.events = events
        self.questions = questions
        self.tell = tell
        self.giveUp = giveUp
    }

    /// Reports the current status and starts waiting for events.
    func start() {
        queue.sync { look(onlyForLoss: false) }
        state.withLock { state in
            // If the watch was stopped in the meantime, that call found no event source to cancel.
            guard !state.news.isStopped else { return }
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
            state.news.stop()
            state.listening?.cancel()
            state.listening = nil
        }
    }

    /// Drains the socket; the contents of the events are not used.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var isNews = false
        for _ in 0..<256 {
            do throws(NetlinkSocket.Failure) {
                _ = try events.receive(into: &buffer)
                isNews = true
            } catch {
                if error.number == EAGAIN { break }
                // ENOBUFS means that events were lost, which requires a query as well.
                isNews = true
                if error.number != ENOBUFS { break }
            }
        }
        guard isNews else { return }
        let (delay, lossDelay) = state.withLock { state in
            let now = clock.elapsed
            return (state.settling.changed(at: now), state.news.isConnected ? state.settling.lossSuspected(at: now) : nil)
        }
        if let lossDelay {
            if lossDelay > .zero { wait(lossDelay) { $0.checkForLoss() } } else { checkForLoss() }
        }
        if let delay { askAgain(after: delay) }
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
        guard !state.withLock({ $0.news.isStopped }), let ways = try? questions.ways() else { return }
        var picture = KernelNetworkSnapshot()
        (picture.ipv4, picture.ipv6) = ways
        let indexes = Set([ways.ipv4, ways.ipv6].compactMap { $0?.outgoing.first })
        picture.links = indexes.compactMap(questions.link)
        if state.withLock({ $0.news.isDefiniteLoss(picture) }) { look(onlyForLoss: true) }
    }

    private func askAgain(after delay: Duration) { wait(delay) { $0.timerFired() } }

    private func wait(_ delay: Duration, _ then: @escaping @Sendable (NetlinkWatch) -> Void) {
        let nanoseconds = Int(delay / .nanoseconds(1))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            if let self { then(self) }
        }
    }

    private func timerFired() {
        let (delay, isOver) = state.withLock { state in (state.settling.timerFired(at: clock.elapsed), state.news.isStopped)
        }
        if isOver { return }
        if let delay { askAgain(after: delay) } else { look(onlyForLoss: false) }
    }

    /// Queries the status and reports a change.
    private func look(onlyForLoss: Bool) {
        let begin = clock.elapsed
        let picture: KernelNetworkSnapshot
        do throws(NetlinkSocket.Failure) {
            picture = try questions.picture()
        } catch {
            return failed(error, since: begin, onlyForLoss: onlyForLoss)
        }
        let status = picture.status
        let (isNews, isLossUncertain) = state.withLock { state in
            let now = clock.elapsed
            state.settling.looked(at: now, taking: now - begin)
            state.consecutiveFailures = 0
            let isCertain = state.news.isDefiniteLoss(picture)
            if onlyForLoss, !isCertain { return (false, false) }
            let isDoubtful = state.news.isConnected && !status.isConnected && !isCertain && !state.isLossUncertain
            state.isLossUncertain = isDoubtful
            return (!isDoubtful && state.news.isNews(status), isDoubtful)
        }
        if isNews {
            tell(status)
            lookAfterwards()
        }
        if isLossUncertain { lookLater(after: ChangeDebouncer.longest) }
    }

    /// Handles a failed query: tries again, or gives up after several failures.
    private func failed(_ failure: NetlinkSocket.Failure, since begin: Duration, onlyForLoss: Bool) {
        let isEnough = state.withLock { state in
            let now = clock.elapsed
            // A failed query takes time as well and counts for the pause.
            state.settling.looked(at: now, taking: now - begin)
            // Too many changes or a lack of memory is temporary and does not count.
            state.consecutiveFailures = failure.isTransient ? 0 : state.consecutiveFailures + 1
            return state.consecutiveFailures >= Self.patience
        }
        if isEnough { return giveUp(failure) }
        if !onlyForLoss { lookLater(after: ChangeDebouncer.quiet) }
    }

    /// Queries once more after a longer delay: DNS servers are usually written to their file after a network has come
    /// up, and no event announces that.
    private func lookAfterwards() {
        let number = state.withLock { state in
            state.told += 1
            return state.told
        }
        wait(Self.afterwards) { watch in
            let isLast = watch.state.withLock { !$0.news.isStopped && $0.told == number }
            if isLast { watch.lookLater(after: ChangeDebouncer.quiet) }
        }
    }

    /// Schedules a query, unless one is scheduled already.
    private func lookLater(after delay: Duration) {
        if state.withLock({ $0.settling.changed(at: clock.elapsed) }) != nil { askAgain(after: delay) }
    }
}
#endif
