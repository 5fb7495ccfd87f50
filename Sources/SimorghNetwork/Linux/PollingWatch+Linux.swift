// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Dispatch
import Synchronization

/// Polls the status if netlink events are not available.
final class PollingWatch: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var lastReported = LastReportedStatus()
        var polls = 0
    }

    private let interval: Duration
    private let report: @Sendable (NetworkStatus) -> Void
    private let state = Mutex(State())
    private let pollsBetween: Int
    private let listen: @Sendable () -> Bool
    private let queue = DispatchQueue(label: "simorgh.network")

    /// - Parameters:
    ///   - interval: The time between two polls.
    ///   - pollsBetween: The number of polls between two attempts to use netlink.
    ///   - report: Receives each new status.
    ///   - listen: Tries to replace this watch with one that uses netlink; returns true on success.
    init(
        _ interval: Duration, pollsBetween: Int, report: @escaping @Sendable (NetworkStatus) -> Void,
        listen: @escaping @Sendable () -> Bool
    ) {
        self.interval = interval
        self.pollsBetween = pollsBetween
        self.report = report
        self.listen = listen
    }

    /// Reports the current status and starts polling.
    func start() {
        queue.sync { poll() }
        let nanoseconds = Int(interval / .nanoseconds(1))
        state.withLock { state in
            guard !state.lastReported.isStopped else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds))
            timer.setEventHandler { [weak self] in self?.timerFired() }
            timer.resume()
            state.timer = timer
        }
    }

    func stop() {
        state.withLock { state in
            state.lastReported.stop()
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func timerFired() {
        let isDue = state.withLock { state in
            state.polls += 1
            return !state.lastReported.isStopped && state.polls % pollsBetween == 0
        }
        if !isDue || !listen() { poll() }
    }

    private func poll() {
        // Unreadable files are not a change.
        guard let status = ProcFSSnapshot.now()?.status else { return }
        if state.withLock({ $0.lastReported.recordIfChanged(status) }) { report(status) }
    }
}
#endif
