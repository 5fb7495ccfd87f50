// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import CSimorghNetlink
import Synchronization

/// Watches the network with netlink events, or polls if the kernel refuses or stops responding, until netlink works.
final class KernelWatch: Sendable {
    private struct State {
        var stop: (@Sendable () -> Void)?
        var isStopped = false
    }

    private let interval: Duration
    private let retry: Duration
    private let open: KernelNetworkSource.Opening
    private let report: @Sendable (NetworkStatus) -> Void
    private let state = Mutex(State())

    init(
        interval: Duration, retry: Duration, open: @escaping KernelNetworkSource.Opening,
        report: @escaping @Sendable (NetworkStatus) -> Void
    ) {
        self.interval = max(interval, .milliseconds(1))
        self.retry = retry
        self.open = open
        self.report = report
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
        // Subscribes before the first query, so that no change is missed in between.
        let events = try NetlinkSocket(listens: true, open)
        let queries = try NetlinkQueries(open)
        do throws(NetlinkSocket.Failure) {
            _ = try queries.connectivitySnapshot()
        } catch {
            // A socket that opens but returns no answers is useless, and the files hold more. If there are only too
            // many changes or too little memory, the watch queries again.
            if !error.isTransient || error.isOutOfDescriptors { throw error }
        }
        let watch = NetlinkWatch(events, queries: queries, report: report) { [weak self] failure in
            self?.poll(because: failure)
        }
        // Stops the previous watch, so that it reports nothing more.
        replaceStop { watch.stop() }?()
        watch.start()
    }

    /// Polls until netlink can be used.
    private func poll(because failure: NetlinkSocket.Failure) {
        // A shortage of descriptors may be over soon.
        let polls = failure.isTransient ? 1 : Int(max(1, min(retry / interval, 1e9)))
        let watch = PollingWatch(interval, pollsBetween: polls, report: report) { [weak self] in
            (try? self?.listen()) != nil
        }
        replaceStop { watch.stop() }?()
        watch.start()
    }

    /// Stores the closure that stops the watch, or calls it at once if the watch is no longer needed.
    ///
    /// - Returns: The closure that stops the previous watch.
    private func replaceStop(_ stop: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        let (former, isStopped) = state.withLock { state in
            defer { if !state.isStopped { state.stop = stop } }
            return (state.stop, state.isStopped)
        }
        if isStopped { stop() }
        return former
    }
}
#endif
