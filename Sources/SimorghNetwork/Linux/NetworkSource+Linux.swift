// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
import CSimorghNetlink
import Synchronization

/// What this system tells of its network.
package enum SystemNetwork {
    package static let source: any NetworkSource = KernelNetworkSource()
}

/// The kernel's own knowledge, over rtnetlink; where that socket is forbidden, what its files say, asked every second.
package struct KernelNetworkSource: NetworkSource {
    /// Opens a socket of rtnetlink: for events, or for questions.
    ///
    /// - Returns: Its descriptor, or a number of an error below zero.
    package typealias Opening = @Sendable (_ listens: Bool) -> Int32

    package static let socket: Opening = { simorgh_netlink_open($0 ? 1 : 0) }

    private let open: Opening
    private let interval: Duration
    private let retry: Duration
    private let glances = NetworkGlances()
    private let silence = KernelSilence()

    /// - Parameters:
    ///   - interval: How often to look where there is no socket.
    ///   - retry: How often to try again then whether there is one.
    ///   - open: Opens a socket.
    package init(
        interval: Duration = .seconds(1), retry: Duration = .seconds(60), open: @escaping Opening = Self.socket
    ) {
        self.interval = interval
        self.retry = retry
        self.open = open
    }

    package func current() -> NetworkStatus {
        ask { questions throws(NetlinkSocket.Failure) in try questions.picture() }
    }

    package func glance() -> NetworkStatus {
        glances.status { ask { questions throws(NetlinkSocket.Failure) in try questions.outline() } }
    }

    package var recentGlance: NetworkStatus? { glances.recent }

    package var isNowhere: Bool { NetworkPicture.destinations.allSatisfy { PolledWay(to: $0) == .nowhere } }

    private func ask(
        _ look: (NetlinkQuestions) throws(NetlinkSocket.Failure) -> NetworkPicture
    ) -> NetworkStatus {
        if !silence.goesOn {
            do throws(NetlinkSocket.Failure) {
                return try look(NetlinkQuestions(open)).status
            } catch {
                // Who has no descriptor for this has none for files.
                if error.isWant { return NoNetworkSource().current() }
                if error.isSilence { silence.began() }
            }
        }
        return PolledPicture.now()?.status ?? NoNetworkSource().current()
    }

    package func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        let watch = KernelWatch(interval: interval, retry: retry, open, tell)
        watch.start()
        return { watch.stop() }
    }
}

/// Remembers for a while that the kernel was silent, so that not everybody who asks waits for it.
private final class KernelSilence: Sendable {
    /// How long; 10 seconds.
    private static let life = Duration.seconds(10)

    private let clock = TimeSource.system.stopwatch()
    private let end = Mutex(Duration.zero)

    var goesOn: Bool { end.withLock { clock.elapsed < $0 } }

    func began() { end.withLock { $0 = clock.elapsed + Self.life } }
}

/// A socket of rtnetlink, closed when nobody holds it.
final class NetlinkSocket: Sendable {
    /// A call that failed.
    struct Failure: Error {
        /// What was told was not whole.
        static let interrupted = Failure(number: EINTR)

        let number: CInt

        /// Whether it is for want of a descriptor.
        var isWant: Bool { number == EMFILE || number == ENFILE }
        /// Whether nothing came in the time that is waited.
        var isSilence: Bool { number == EAGAIN }
        /// Whether it may be over soon.
        var mayPass: Bool { isWant || [ENOBUFS, ENOMEM, EINTR, EBUSY].contains(number) }
    }

    let descriptor: CInt

    /// - Parameters:
    ///   - listens: Whether it is for events, and not for questions.
    ///   - open: Opens it.
    /// - Throws: ``Failure`` where this process may not.
    init(listens: Bool, _ open: (Bool) -> Int32) throws(Failure) {
        descriptor = open(listens)
        if descriptor < 0 { throw Failure(number: -descriptor) }
    }

    deinit { close(descriptor) }

    /// Takes one datagram; as many of its bytes as there is room for.
    ///
    /// - Returns: How long it is.
    /// - Throws: ``Failure`` where there is none.
    func receive(into buffer: inout [UInt8]) throws(Failure) -> Int {
        let size = buffer.count
        let length = buffer.withUnsafeMutableBufferPointer { simorgh_netlink_receive(descriptor, $0.baseAddress, size) }
        if length < 0 { throw Failure(number: -length) }
        return Int(length)
    }
}
#endif
