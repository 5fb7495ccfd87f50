// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Dispatch
import Synchronization

/// Polls the status if netlink events are not available.
final class PollingWatch: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var news = LastReportedStatus()
        var looks = 0
    }

    private let interval: Duration
    private let tell: @Sendable (NetworkStatus) -> Void
    private let state = Mutex(State())
    private let looksBetween: Int
    private let listen: @Sendable () -> Bool
    private let queue = DispatchQueue(label: "simorgh.network")

    /// - Parameters:
    ///   - interval: The time between two polls.
    ///   - looksBetween: The number of polls between two attempts to use netlink.
    ///   - tell: Receives each new status.
    ///   - listen: Tries to replace this watch with one that uses netlink; returns true on success.
    init(
        _ interval: Duration, looksBetween: Int, _ tell: @escaping @Sendable (NetworkStatus) -> Void,
        listen: @escaping @Sendable () -> Bool
    ) {
        self.interval = interval
        self.looksBetween = looksBetween
        self.tell = tell
        self.listen = listen
    }

    /// Reports the current status and starts polling.
    func start() {
        queue.sync { look() }
        let nanoseconds = Int(interval / .nanoseconds(1))
        state.withLock { state in
            guard !state.news.isStopped else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds))
            timer.setEventHandler { [weak self] in self?.again() }
            timer.resume()
            state.timer = timer
        }
    }

    func stop() {
        state.withLock { state in
            state.news.stop()
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func again() {
        let isDue = state.withLock { state in
            state.looks += 1
            return !state.news.isStopped && state.looks % looksBetween == 0
        }
        if !isDue || !listen() { look() }
    }

    private func look() {
        // Unreadable files are not a change.
        guard let status = ProcFSSnapshot.now()?.status else { return }
        if state.withLock({ $0.news.isNews(status) }) { tell(status) }
    }
}
#endif
