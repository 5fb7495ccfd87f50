// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
import CSimorghNetlink
import Synchronization

/// The network source of this system.
package enum SystemNetwork {
    package static let source: any NetworkSource = KernelNetworkSource()
}

/// A source that uses rtnetlink, or polls system files every second if that socket is not allowed.
package struct KernelNetworkSource: NetworkSource {
    /// Opens an rtnetlink socket, for events or for requests.
    ///
    /// - Returns: The descriptor, or a negative error number.
    package typealias Opening = @Sendable (_ listens: Bool) -> Int32

    package static let socket: Opening = { simorgh_netlink_open($0 ? 1 : 0) }

    private let open: Opening
    private let interval: Duration
    private let retry: Duration
    private let cache = NetworkStatusCache()
    private let recentTimeout = KernelTimeoutMemory()

    /// - Parameters:
    ///   - interval: The time between two polls without a socket.
    ///   - retry: The time between two attempts to open a socket while polling.
    ///   - open: Opens a socket.
    package init(
        interval: Duration = .seconds(1), retry: Duration = .seconds(60), open: @escaping Opening = Self.socket
    ) {
        self.interval = interval
        self.retry = retry
        self.open = open
    }

    package func current() -> NetworkStatus {
        query { queries throws(NetlinkSocket.Failure) in try queries.snapshot() }
    }

    package func record(_ report: @escaping @Sendable (NetworkRecording) -> Void) {
        report(NetworkRecording(linux: snapshot { queries throws(NetlinkSocket.Failure) in try queries.snapshot() }))
    }

    package func quickStatus() -> NetworkStatus {
        cache.status { query { queries throws(NetlinkSocket.Failure) in try queries.connectivitySnapshot() } }
    }

    package var recentQuickStatus: NetworkStatus? { cache.recent }

    package var isDefinitelyOffline: Bool {
        KernelNetworkSnapshot.destinations.allSatisfy { PolledRoute(to: $0) == .unreachable }
    }

    private func query(
        _ body: (NetlinkQueries) throws(NetlinkSocket.Failure) -> KernelNetworkSnapshot
    ) -> NetworkStatus {
        snapshot(body)?.status ?? UnavailableNetworkSource().current()
    }

    /// Returns a snapshot; `nil` if the system cannot be queried.
    private func snapshot(
        _ body: (NetlinkQueries) throws(NetlinkSocket.Failure) -> KernelNetworkSnapshot
    ) -> KernelNetworkSnapshot? {
        if !recentTimeout.isActive {
            do throws(NetlinkSocket.Failure) {
                return try body(NetlinkQueries(open))
            } catch {
                // Without a free descriptor, files cannot be opened either.
                if error.isOutOfDescriptors { return nil }
                if error.isTimeout { recentTimeout.began() }
            }
        }
        return ProcFSSnapshot.now()
    }

    package func watch(_ report: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        let watch = KernelWatch(interval: interval, retry: retry, open: open, report: report)
        watch.start()
        return { watch.stop() }
    }
}

/// Remembers for a while that the kernel did not respond, so that not every caller waits for a timeout.
private final class KernelTimeoutMemory: Sendable {
    /// The time to remember it; 10 seconds.
    private static let lifetime = Duration.seconds(10)

    private let clock = TimeSource.system.stopwatch()
    private let end = Mutex(Duration.zero)

    var isActive: Bool { end.withLock { clock.elapsed < $0 } }

    func began() { end.withLock { $0 = clock.elapsed + Self.lifetime } }
}

/// An rtnetlink socket, closed when it is released.
final class NetlinkSocket: Sendable {
    /// A failed call.
    struct Failure: Error {
        /// The answer was incomplete.
        static let interrupted = Failure(number: EINTR)

        let number: CInt

        /// True if no descriptor was free.
        var isOutOfDescriptors: Bool { number == EMFILE || number == ENFILE }
        /// True if the answer timed out.
        var isTimeout: Bool { number == EAGAIN }
        /// True if the failure is transient.
        var isTransient: Bool { isOutOfDescriptors || [ENOBUFS, ENOMEM, EINTR, EBUSY].contains(number) }
    }

    let descriptor: CInt

    /// - Parameters:
    ///   - listens: True for events, false for requests.
    ///   - open: Opens the socket.
    /// - Throws: ``Failure`` if this process may not open it.
    init(listens: Bool, _ open: (Bool) -> Int32) throws(Failure) {
        descriptor = open(listens)
        if descriptor < 0 { throw Failure(number: -descriptor) }
    }

    deinit { close(descriptor) }

    /// Receives one datagram, truncated to the buffer.
    ///
    /// - Returns: The full length of the datagram.
    /// - Throws: ``Failure`` if there is no datagram.
    func receive(into buffer: inout [UInt8]) throws(Failure) -> Int {
        let size = buffer.count
        let length = buffer.withUnsafeMutableBufferPointer { simorgh_netlink_receive(descriptor, $0.baseAddress, size) }
        if length < 0 { throw Failure(number: -length) }
        return Int(length)
    }
}
#endif
