// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Dispatch
import Synchronization

/// Looks again and again, where nobody may listen.
final class PollingWatch: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var news = NetworkNews()
        var looks = 0
    }

    private let interval: Duration
    private let tell: @Sendable (NetworkStatus) -> Void
    private let state = Mutex(State())
    private let looksBetween: Int
    private let listen: @Sendable () -> Bool
    private let queue = DispatchQueue(label: "simorgh.network")

    /// - Parameters:
    ///   - interval: How often to look.
    ///   - looksBetween: How many looks there are before it is tried again whether somebody may listen.
    ///   - tell: Told what is new.
    ///   - listen: Tries to listen in place of this watch, which it stops then.
    init(
        _ interval: Duration, looksBetween: Int, _ tell: @escaping @Sendable (NetworkStatus) -> Void,
        listen: @escaping @Sendable () -> Bool
    ) {
        self.interval = interval
        self.looksBetween = looksBetween
        self.tell = tell
        self.listen = listen
    }

    /// Tells what is so, and looks from then on.
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
        // What cannot be read is no news.
        guard let status = PolledPicture.now()?.status else { return }
        if state.withLock({ $0.news.isNews(status) }) { tell(status) }
    }
}
#endif
