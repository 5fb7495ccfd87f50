// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import Glibc
import SimorghNetwork
import SimorghSupport
import Synchronization

/// Answers questions of rtnetlink in the kernel's place, as a test says: what a real one does once in a million.
///
/// Its sockets are pairs of Unix sockets that keep messages apart. The far end has a name that reads like the kernel's
/// address: a family, two bytes, and a number of zeros.
final class FakeKernel: Sendable {
    /// What is asked: for links (18), addresses (22) or a way (26).
    struct Question: Sendable {
        let type: UInt16
        let sequence: UInt32
        let family: UInt8
        /// How often this type was asked for before.
        let earlier: Int
    }

    /// Works out the datagrams of an answer.
    typealias Answer = @Sendable (_ question: Question) -> [[UInt8]]

    private let answer: Answer
    private let patience: Int
    private let counts = Mutex<[UInt16: Int]>([:])
    private let sockets = Mutex(0)

    /// - Parameters:
    ///   - patience: How many seconds an answer is waited for: long, as a busy machine is no silent kernel.
    ///   - answer: Works out the answers.
    init(patience: Int = 20, _ answer: @escaping Answer) {
        self.patience = patience
        self.answer = answer
    }

    /// How often a type was asked for.
    func count(_ type: UInt16) -> Int { counts.withLock { $0[type, default: 0] } }

    /// How many of its sockets are held.
    var held: Int { sockets.withLock { $0 } }

    /// Knows what there is from this kernel, and hears nothing of changes.
    var source: KernelNetworkSource { KernelNetworkSource(interval: .seconds(3600)) { _ in self.open() } }

    /// As ``source``, which looks at files where it is refused.
    ///
    /// - Parameters:
    ///   - interval: How often.
    ///   - retry: How often this kernel is asked anew.
    ///   - opening: Told of each socket that is opened.
    /// - Returns: The source.
    func watched(
        every interval: Duration, again retry: Duration, _ opening: @escaping @Sendable () -> Void
    ) -> KernelNetworkSource {
        KernelNetworkSource(interval: interval, retry: retry) { _ in
            opening()
            return self.open()
        }
    }

    /// A socket for questions.
    private func open() -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return -errno
        }
        let (near, far) = (ends[0], ends[1])
        var name = MessageBytes.bytes(of: UInt16(AF_UNIX))
        // A name that is no file's begins with a zero; then come those that read as the kernel's number.
        name += [0, 0x6B, 0, 0, 0, 0] as [UInt8]
        name += MessageBytes.bytes(of: UInt32.random(in: 0...UInt32.max))
        let bound = name.withUnsafeBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return Glibc.bind(far, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        // As with the true one's: what is not answered is not waited for without an end.
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard bound == 0, setsockopt(near, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0 else {
            close(near)
            close(far)
            return -EIO
        }
        sockets.withLock { $0 += 1 }
        // It ends when the near end is closed.
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
    /// A machine with loopback and one cable, through which both families lead.
    var plain: [[UInt8]] {
        switch type {
        case 18: [links(), done]
        case 22: [address, done]
        default: [way]
        }
    }

    /// Loopback, a cable, and some bridges beside.
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

    /// The cable's address.
    var address: [UInt8] {
        let head: [UInt8] = [2, 24, 0x80, 0]
        let payload = head + MessageBytes.bytes(of: Int32(2)) + MessageBytes.attribute(2, [192, 0, 2, 2])
        return MessageBytes.message(20, flags: 2, sequence: sequence, payload)
    }

    /// The way through the cable.
    var way: [UInt8] {
        let link = MessageBytes.attribute(4, MessageBytes.bytes(of: Int32(2)))
        return MessageBytes.message(24, sequence: sequence, MessageBytes.route(family, link))
    }

    var done: [UInt8] { MessageBytes.message(3, flags: 2, sequence: sequence, MessageBytes.bytes(of: Int32(0))) }

    func refusal(_ number: Int32) -> [UInt8] {
        MessageBytes.message(2, sequence: sequence, MessageBytes.bytes(of: -number))
    }
}
#endif
