// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import CSimorghNetlink
import Synchronization

/// Listens to the kernel; where it may not, or is answered no more, looks again and again, until it may.
final class KernelWatch: Sendable {
    private struct State {
        var stop: (@Sendable () -> Void)?
        var isStopped = false
    }

    private let interval: Duration
    private let retry: Duration
    private let open: KernelNetworkSource.Opening
    private let tell: @Sendable (NetworkStatus) -> Void
    private let state = Mutex(State())

    init(
        interval: Duration, retry: Duration, _ open: @escaping KernelNetworkSource.Opening,
        _ tell: @escaping @Sendable (NetworkStatus) -> Void
    ) {
        self.interval = max(interval, .milliseconds(1))
        self.retry = retry
        self.open = open
        self.tell = tell
    }

    func start() {
        do throws(NetlinkSocket.Failure) {
            try listen()
        } catch {
            poll(because: error)
        }
    }

    func stop() {
        let stop = state.withLock { state in
            state.isStopped = true
            return state.stop.take()
        }
        stop?()
    }

    private func listen() throws(NetlinkSocket.Failure) {
        // Listening comes before the first look, so that nothing is missed in between.
        let events = try NetlinkSocket(listens: true, open)
        let questions = try NetlinkQuestions(open)
        do throws(NetlinkSocket.Failure) {
            _ = try questions.outline()
        } catch {
            // A socket that may be opened and is given no answers is none: files know more. What only changes too fast,
            // or lacks memory, is asked again by whoever listens.
            if !error.mayPass || error.isWant { throw error }
        }
        let watch = NetlinkWatch(events, questions, tell) { [weak self] failure in self?.poll(because: failure) }
        // What was before is over, so that it tells nothing later.
        keep { watch.stop() }?()
        watch.start()
    }

    /// Looks again and again, until somebody may listen.
    private func poll(because failure: NetlinkSocket.Failure) {
        // What is for want of a descriptor may be over soon.
        let looks = failure.mayPass ? 1 : Int(max(1, min(retry / interval, 1e9)))
        let watch = PollingWatch(interval, looksBetween: looks, tell) { [weak self] in
            (try? self?.listen()) != nil
        }
        keep { watch.stop() }?()
        watch.start()
    }

    /// Keeps what ends the watch, which is done at once where it is not wanted any more.
    ///
    /// - Returns: What ends the one before.
    private func keep(_ stop: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        let (former, isStopped) = state.withLock { state in
            defer { if !state.isStopped { state.stop = stop } }
            return (state.stop, state.isStopped)
        }
        if isStopped { stop() }
        return former
    }
}
#endif
