// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import CSimorghNetlink

/// What this system tells of its network.
package enum SystemNetwork {
    package static let source: any NetworkSource = KernelNetworkSource()
}

/// The kernel's own knowledge, over rtnetlink; where that socket is forbidden, what its files say, asked every second.
package struct KernelNetworkSource: NetworkSource {
    private let mayListen: Bool
    private let interval: Duration

    /// - Parameters:
    ///   - mayListen: Whether to try the socket.
    ///   - interval: How often to look where there is none.
    package init(mayListen: Bool = true, interval: Duration = .seconds(1)) {
        self.mayListen = mayListen
        self.interval = interval
    }

    package func current() -> NetworkStatus {
        guard mayListen, let questions = try? NetlinkQuestions(), let picture = questions.picture() else {
            return PolledPicture.now().status
        }
        return picture.status
    }

    package func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        // Listening comes before the first look, so that nothing is missed in between.
        guard mayListen, let events = try? NetlinkSocket(listens: true), let questions = try? NetlinkQuestions() else {
            let watch = PollingWatch(interval, tell)
            watch.start()
            return { watch.stop() }
        }
        let watch = NetlinkWatch(events, questions, tell)
        watch.start()
        return { watch.stop() }
    }
}

/// A socket of rtnetlink, closed when nobody holds it.
final class NetlinkSocket: Sendable {
    /// A call that failed.
    struct Failure: Error {
        let number: CInt
    }

    let descriptor: CInt

    /// - Parameter listens: Whether it is for events, and not for questions.
    /// - Throws: ``Failure`` where this process may not.
    init(listens: Bool) throws(Failure) {
        descriptor = simorgh_netlink_open(listens ? 1 : 0)
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
