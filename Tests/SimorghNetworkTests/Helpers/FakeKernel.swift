// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import Glibc
import SimorghNetwork
import SimorghSupport
import Synchronization

/// Answers rtnetlink requests in place of the kernel, as a test specifies, to reproduce rare answers.
///
/// Its sockets are pairs of Unix sockets that preserve message boundaries. The far end has a name whose bytes read
/// like the kernel's netlink address: a family, two bytes, and zeros.
final class FakeKernel: Sendable {
    /// A request: for links (18), addresses (22) or a route (26).
    struct Question: Sendable {
        let type: UInt16
        let sequence: UInt32
        let family: UInt8
        /// The number of earlier requests of this type.
        let earlier: Int
    }

    /// Returns the datagrams of an answer.
    typealias Answer = @Sendable (_ question: Question) -> [[UInt8]]

    private let answer: Answer
    private let patience: Int
    private let counts = Mutex<[UInt16: Int]>([:])
    private let sockets = Mutex(0)

    /// - Parameters:
    ///   - patience: The timeout of an answer in seconds. Long by default, since a busy machine is not a silent kernel.
    ///   - answer: Returns the answers.
    init(patience: Int = 20, _ answer: @escaping Answer) {
        self.patience = patience
        self.answer = answer
    }

    /// Returns the number of requests of a type.
    func count(_ type: UInt16) -> Int { counts.withLock { $0[type, default: 0] } }

    /// The number of its open sockets.
    var held: Int { sockets.withLock { $0 } }

    /// A source that asks this kernel, and receives no events.
    var source: KernelNetworkSource { KernelNetworkSource(interval: .seconds(3600)) { _ in self.open() } }

    /// Returns a source like ``source`` that reads files if this kernel refuses.
    ///
    /// - Parameters:
    ///   - interval: The time between two reads.
    ///   - retry: The time between two attempts to use this kernel again.
    ///   - opening: Called for each socket that is opened.
    /// - Returns: The source.
    func watched(
        every interval: Duration, again retry: Duration, _ opening: @escaping @Sendable () -> Void
    ) -> KernelNetworkSource {
        KernelNetworkSource(interval: interval, retry: retry) { _ in
            opening()
            return self.open()
        }
    }

    /// Returns a socket for requests.
    private func open() -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return -errno
        }
        let (near, far) = (ends[0], ends[1])
        var name = MessageBytes.bytes(of: UInt16(AF_UNIX))
        // An abstract name begins with a zero byte; the zeros after it read as the port ID of the kernel.
        name += [0, 0x6B, 0, 0, 0, 0] as [UInt8]
        name += MessageBytes.bytes(of: UInt32.random(in: 0...UInt32.max))
        let bound = name.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return Glibc.bind(far, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        // Like the real socket, it has a receive timeout.
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard bound == 0, setsockopt(near, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0 else {
            close(near)
            close(far)
            return -EIO
        }
        sockets.withLock { $0 += 1 }
        // The thread ends when the near end is closed.
        Thread.detachNewThread { [self] in serve(far) }
        return near
    }

    private func serve(_ socket: Int32) {
        defer {
            close(socket)
            sockets.withLock { $0 -= 1 }
        }
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let length = recv(socket, &buffer, buffer.count, 0)
            guard length > 0 else { return }
            let bytes = NetlinkBytes(buffer[..<length])
            guard let type = bytes.number(UInt16.self, at: 4), let sequence = bytes.number(UInt32.self, at: 8),
                let family = bytes.number(UInt8.self, at: 16)
            else { return }
            let earlier = counts.withLock { counts in
                defer { counts[type, default: 0] += 1 }
                return counts[type, default: 0]
            }
            let question = Question(type: type, sequence: sequence, family: family, earlier: earlier)
            for datagram in answer(question) {
                _ = send(socket, datagram, datagram.count, 0x4000)  // MSG_NOSIGNAL
            }
        }
    }
}

extension FakeKernel.Question {
    /// A machine with loopback and one cable, with default routes of both families through the cable.
    var plain: [[UInt8]] {
        switch type {
        case 18: [links(), done]
        case 22: [address, done]
        default: [route]
        }
    }

    /// Loopback, a cable, and bridges.
    func links(bridges: Int = 0, flags: UInt16 = 2) -> [UInt8] {
        let loopback = MessageBytes.link(1, type: 772, flags: 0x1_0049, MessageBytes.attribute(3, Array("lo\0".utf8)))
        let cable = MessageBytes.link(2, MessageBytes.attribute(3, Array("eth0\0".utf8)))
        let names = (0..<bridges).map { "br\($0)\0" }
        let others = names.enumerated().map { number, name -> [UInt8] in
            let kind = MessageBytes.attribute(18, MessageBytes.attribute(1, Array("bridge\0".utf8)))
            return MessageBytes.link(Int32(number) + 3, MessageBytes.attribute(3, Array(name.utf8)) + kind)
        }
        return ([loopback, cable] + others).flatMap {
            MessageBytes.message(16, flags: flags, sequence: sequence, $0)
        }
    }

    /// The address of the cable.
    var address: [UInt8] {
        let head: [UInt8] = [2, 24, 0x80, 0]
        let payload = head + MessageBytes.bytes(of: Int32(2)) + MessageBytes.attribute(2, [192, 0, 2, 2])
        return MessageBytes.message(20, flags: 2, sequence: sequence, payload)
    }

    /// The route through the cable.
    var route: [UInt8] {
        let link = MessageBytes.attribute(4, MessageBytes.bytes(of: Int32(2)))
        return MessageBytes.message(24, sequence: sequence, MessageBytes.route(family, link))
    }

    var done: [UInt8] { MessageBytes.message(3, flags: 2, sequence: sequence, MessageBytes.bytes(of: Int32(0))) }

    func refusal(_ number: Int32) -> [UInt8] {
        MessageBytes.message(2, sequence: sequence, MessageBytes.bytes(of: -number))
    }
}
#endif
