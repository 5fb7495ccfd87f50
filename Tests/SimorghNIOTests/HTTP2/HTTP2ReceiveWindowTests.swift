// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

@Suite("HTTP/2: receive windows that adapt to the path", .timeLimit(.minutes(5)))
struct HTTP2ReceiveWindowTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private static let base = 512 * 1024
    private static let mebibyte = 1024 * 1024

    /// A server that tracks how much it may send.
    private struct Server {
        var session: HTTP2ConnectionStateMachine<Int>
        var now = HTTP2ReceiveWindowTests.start
        /// The send windows by stream; the connection is 0.
        var may: [UInt32: Int] = [0: 65_535]
        var pings: [UInt64] = []

        init(roundTrip: Duration?, limits: HTTP2ConnectionStateMachine<Int>.Limits = .init()) throws {
            session = HTTP2ConnectionStateMachine(limits: limits)
            _ = session.output.readSlice(length: 24)
            if let roundTrip { session.opened(after: roundTrip, now: now) }
            try session.receivedFrame(.settings([]))
            try read()
        }

        mutating func open(length: Int? = nil) throws -> UInt32 {
            let opened = session.open(1, block: ByteBuffer(repeating: 1, count: 10), endsStream: true)
            let id = try #require(opened)
            may[id] = session.limits.streamWindow
            session.widen(id)
            try read()
            _ = try session.receivedFields(id, endsStream: false, now: now)
            session.wasHead(id, length: length)
            return id
        }

        mutating func read() throws {
            var reader = HTTP2FrameReader()
            guard var output = session.takeOutput() else { return }
            while let frame = try reader.next(&output) {
                switch frame {
                case .windowUpdate(let id, let increment): may[id, default: 0] += Int(increment)
                case .ping(let data, false): pings.append(data)
                default: break
                }
            }
        }

        /// Sends a part of a body, which the reader takes at once or never.
        mutating func send(_ count: Int, on id: UInt32, isTaken: Bool = true) throws {
            var left = count
            while left > 0 {
                let part = min(left, 16 * 1024)
                let event = try session.receivedData(
                    id, count: part, flow: part, endsStream: false, isEmpty: false, now: now)
                guard case .data = event else {
                    Issue.record("\(event)")
                    return
                }
                may[id, default: 0] -= part
                may[0, default: 0] -= part
                if isTaken { session.consumed(id, count: part, now: now) }
                left -= part
            }
            try read()
        }

        /// Sends all that the windows allow in one round trip.
        mutating func sendAll(on id: UInt32, roundTrip: TimeAmount) throws -> Int {
            let count = min(may[id] ?? 0, may[0] ?? 0)
            try send(count, on: id)
            now = now + roundTrip
            return count
        }
    }

    @Test("On a short or unknown path a stream window is 512 KiB", arguments: [nil, -1, 0, 100, 8000])
    func near(microseconds: Int?) throws {
        var server = try Server(roundTrip: microseconds.map { .microseconds($0) })
        let id = try server.open()
        #expect(server.may[id] == Self.base)
        #expect(server.may[0] == 40 * Self.mebibyte)
    }

    @Test(
        "On a long path a stream window starts at 1 Gbit/s times the round trip, up to 20 MiB and half of the rest",
        arguments: [(20, 2_500_000), (100, 12_500_000), (300, 20 * mebibyte), (10_000_000, 20 * mebibyte)])
    func far(milliseconds: Int, window: Int) throws {
        var server = try Server(roundTrip: .milliseconds(milliseconds))
        let id = try server.open()
        #expect(server.may[id] == window)
    }

    @Test("All streams together exceed 512 KiB each by at most 40 MiB, and an ended one releases its share")
    func shared() throws {
        var server = try Server(roundTrip: .milliseconds(300))
        var ids: [UInt32] = []
        for _ in 0..<50 { ids.append(try server.open()) }
        let windows = ids.compactMap { server.may[$0] }
        #expect(
            Array(windows.prefix(3)) == [
                20 * Self.mebibyte, 10 * Self.mebibyte + 3 * Self.base / 2, 5 * Self.mebibyte + 5 * Self.base / 4,
            ])
        #expect(windows.allSatisfy { $0 >= Self.base })
        #expect(windows.reduce(0, +) <= 50 * Self.base + 40 * Self.mebibyte)
        server.session.cancel(ids[0], code: .cancel)
        for id in ids.dropFirst() { _ = try server.session.receivedReset(id, code: .cancel, now: server.now) }
        try server.read()
        let id = try server.open()
        #expect(server.may[id] == 20 * Self.mebibyte)
    }

    @Test("Streams that wait for their first bytes leave a share to one that reads")
    func reserve() throws {
        var server = try Server(roundTrip: .milliseconds(100))
        for _ in 0..<50 { _ = try server.open() }
        let id = try server.open()
        var sent = 0
        for _ in 0..<8 { sent = try server.sendAll(on: id, roundTrip: .milliseconds(100)) }
        #expect(sent > 2 * Self.mebibyte)
    }

    @Test("A reader that uses the whole window in a round trip gets twice as much, up to 20 MiB")
    func grows() throws {
        // The first measurement is outdated later, as that of a nearby proxy would be.
        var server = try Server(roundTrip: .microseconds(100))
        let id = try server.open()
        server.session.opened(after: .milliseconds(50), now: server.now + .seconds(11))
        server.now = server.now + .seconds(11)
        var sent: [Int] = []
        // One round trip after another.
        for _ in 0..<10 { sent.append(try server.sendAll(on: id, roundTrip: .milliseconds(50))) }
        #expect(sent.first == Self.base)
        #expect(sent.allSatisfy { $0 <= 20 * Self.mebibyte })
        for (one, next) in zip(sent, sent.dropFirst()) { #expect(next >= one && next <= 4 * one) }
        #expect(sent[6] > 19 * Self.mebibyte)
    }

    @Test("A reader that is slower than the path, or stops, gets no larger window")
    func slow() throws {
        var server = try Server(roundTrip: nil)
        let id = try server.open()
        server.session.opened(after: .milliseconds(50), now: server.now)
        for _ in 0..<100 {
            try server.send(Self.base / 4, on: id)
            server.now = server.now + .milliseconds(50)
        }
        let window = try #require(server.may[id])
        #expect(window <= Self.base)
        try server.send(window, on: id, isTaken: false)
        #expect(server.may[id] == 0)
        let event = try server.session.receivedData(
            id, count: 1, flow: 1, endsStream: false, isEmpty: false, now: server.now)
        guard case .broken = event else {
            Issue.record("\(event)")
            return
        }
    }

    @Test("The configured limits apply")
    func bounds() throws {
        var limits = HTTP2ConnectionStateMachine<Int>.Limits()
        limits.maximumStreamWindow = limits.streamWindow
        var server = try Server(roundTrip: .milliseconds(300), limits: limits)
        let id = try server.open()
        for _ in 0..<10 { _ = try server.sendAll(on: id, roundTrip: .milliseconds(300)) }
        #expect(server.may[id] == Self.base)
        limits.maximumStreamWindow = 20 * Self.mebibyte
        limits.connectionWindow = 65_535
        var narrow = try Server(roundTrip: .milliseconds(300), limits: limits)
        let other = try narrow.open()
        #expect(narrow.may[other] == Self.base + 65_535 / 2)
        #expect(narrow.may[0] == 65_535)
    }

    @Test("A body shorter than its window returns the rest of the window, and its window does not grow")
    func short() throws {
        var server = try Server(roundTrip: .milliseconds(300))
        let first = try server.open(length: 2 * Self.mebibyte)
        #expect(server.may[first] == 20 * Self.mebibyte)
        // 40 MiB minus 1.5 MiB are left.
        let second = try server.open(length: 3 * Self.mebibyte)
        #expect(server.may[second] == min(20 * Self.mebibyte, Self.base + (40 * Self.mebibyte - 3 * Self.base) / 2))
        for id in [first, second] {
            let window = server.may[id] ?? 0
            try server.send(Self.mebibyte, on: id)
            #expect(server.may[id] == window)
        }
        try server.send(Self.mebibyte, on: first)
        let event = try server.session.receivedData(
            first, count: 1, flow: 1, endsStream: false, isEmpty: false, now: server.now)
        guard case .broken = event else {
            Issue.record("\(event)")
            return
        }
        for _ in 0..<50 { _ = try server.open(length: 0) }
        let last = try server.open()
        #expect(server.may[last] ?? 0 > 15 * Self.mebibyte)
    }

    @Test("During large transfers a PING per second measures the round trip; the next one waits for the answer")
    func probes() throws {
        var server = try Server(roundTrip: .milliseconds(20))
        let id = try server.open()
        for _ in 0..<20 { _ = try server.sendAll(on: id, roundTrip: .milliseconds(20)) }
        #expect(server.pings.isEmpty)
        for _ in 0..<100 { _ = try server.sendAll(on: id, roundTrip: .milliseconds(20)) }
        let ping = try #require(server.pings.first)
        #expect(server.pings.count == 1)
        try server.session.received(ping: ping, isAnswer: true, now: server.now)
        for _ in 0..<60 { _ = try server.sendAll(on: id, roundTrip: .milliseconds(20)) }
        #expect(server.pings.count == 2)
        #expect(server.pings.last != ping)
    }

    @Test("The shortest round trip applies; a longer one replaces it after 10 s, growing by a quarter at most")
    func shortest() {
        var roundTrip = HTTP2RoundTrip()
        #expect(roundTrip.estimate == nil)
        roundTrip.record(.milliseconds(30), now: Self.start)
        roundTrip.record(.milliseconds(20), now: Self.start + .seconds(1))
        roundTrip.record(.milliseconds(22), now: Self.start + .seconds(10))
        #expect(roundTrip.estimate == .milliseconds(20))
        roundTrip.record(.milliseconds(22), now: Self.start + .seconds(11))
        #expect(roundTrip.estimate == .milliseconds(22))
        roundTrip.record(.milliseconds(400), now: Self.start + .seconds(20))
        #expect(roundTrip.estimate == .milliseconds(22))
        roundTrip.record(.milliseconds(400), now: Self.start + .seconds(21))
        #expect(roundTrip.estimate == .microseconds(27_500))
        roundTrip.record(.zero, now: Self.start + .seconds(22))
        #expect(roundTrip.estimate == .nanoseconds(1))
        roundTrip.record(.hours(1), now: Self.start + .seconds(32))
        #expect(roundTrip.estimate == .nanoseconds(2))
        // The response to a request proves an upper bound of the round trip, and never a longer one.
        roundTrip.recordUpperBound(.hours(1), now: Self.start + .seconds(99))
        #expect(roundTrip.estimate == .nanoseconds(2))
        roundTrip.recordUpperBound(.nanoseconds(1), now: Self.start + .seconds(99))
        #expect(roundTrip.estimate == .nanoseconds(1))
        var unknown = HTTP2RoundTrip()
        unknown.recordUpperBound(.seconds(1), now: Self.start)
        #expect(unknown.estimate == nil)
    }

    @Test("Bytes buffered for a reader that takes nothing do not grow the window")
    func atHand() throws {
        var server = try Server(roundTrip: .milliseconds(2))
        let id = try server.open()
        for _ in 0..<24 {
            _ = try server.session.receivedData(
                id, count: 16_384, flow: 16_384, endsStream: false, isEmpty: false, now: server.now)
            server.session.consumed(id, count: 16_384, byReader: false, now: server.now)
        }
        try server.read()
        #expect(server.may[id] == Self.base + 262_144)
    }

    @Test("An unread body of an ended stream counts until it is read")
    func unread() throws {
        var server = try Server(roundTrip: .milliseconds(300))
        let first = try server.open()
        try server.send(10 * Self.mebibyte, on: first, isTaken: false)
        _ = try server.session.receivedReset(first, code: .cancel, now: server.now)
        server.session.keepsUnread(first, count: 30 * Self.mebibyte)
        let second = try server.open()
        #expect(server.may[second] == Self.base + 5 * Self.mebibyte)
        _ = try server.session.receivedReset(second, code: .cancel, now: server.now)
        server.session.keepsUnread(first, count: 10 * Self.mebibyte)
        let third = try server.open()
        #expect(server.may[third] == Self.base + 15 * Self.mebibyte)
        _ = try server.session.receivedReset(third, code: .cancel, now: server.now)
        server.session.keepsUnread(first, count: 0)
        server.session.keepsUnread(first, count: 0)
        let fourth = try server.open()
        #expect(server.may[fourth] == 20 * Self.mebibyte)
    }

    @Test("A stream whose window covers the rest of its body does not grow, even if updates are reported late")
    func covered() throws {
        var server = try Server(roundTrip: .milliseconds(2))
        let id = try server.open(length: 600_000)
        for _ in 0..<26 {
            _ = try server.session.receivedData(
                id, count: 10_240, flow: 10_240, endsStream: false, isEmpty: false, now: server.now)
            server.session.consumed(id, count: 10_240, now: server.now)
        }
        try server.read()
        // Only the consumed bytes.
        #expect(server.may[id] == Self.base + 26 * 10_240)
    }

    @Test("An event stream needs no more than the default window")
    func events() throws {
        var server = try Server(roundTrip: .milliseconds(300))
        let opened = server.session.open(
            1, block: ByteBuffer(repeating: 1, count: 10), endsStream: true, wantsMore: false)
        let id = try #require(opened)
        server.session.widen(id)
        try server.read()
        #expect(server.may[id] == nil)
        let other = try server.open()
        #expect(server.may[other] == 20 * Self.mebibyte)
    }

    @Test("The SETTINGS acknowledgement is measured once, and the answer to an unknown PING is ignored")
    func settings() throws {
        var server = try Server(roundTrip: .milliseconds(80))
        try server.session.receivedSettingsAcknowledgement(now: server.now + .milliseconds(30))
        #expect(server.session.roundTrip.estimate == .milliseconds(30))
        try server.session.received(ping: 1 << 63 | 1, isAnswer: true, now: server.now)
        #expect(server.session.roundTrip.estimate == .milliseconds(30))
    }
}
