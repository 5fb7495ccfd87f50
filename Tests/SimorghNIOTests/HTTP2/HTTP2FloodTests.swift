// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

/// Late frames of a well-behaved peer, which cross ours, do not end a connection; floods of uncalled-for frames do.
@Suite("HTTP/2: late frames and floods", .timeLimit(.minutes(5)))
struct HTTP2FloodTests {
    typealias Session = HTTP2ConnectionStateMachine<Int>

    private static let now = NIODeadline.uptimeNanoseconds(1)

    private static func session() throws -> Session {
        var session = Session()
        try session.receivedFrame(.settings([]))
        _ = try session.received(settings: [], now: now)
        return session
    }

    @Test("Late frames for thousands of cancelled streams do not end the connection")
    func cancellations() throws {
        var session = try Self.session()
        let begun = session.open(0, block: ByteBuffer(), endsStream: true)
        let long = try #require(begun)
        for payload in 1...5000 {
            let begun = session.open(payload, block: ByteBuffer(), endsStream: true)
            let id = try #require(begun)
            session.cancel(id, code: .cancel)
            _ = try session.receivedFields(id, endsStream: false, now: Self.now)
            _ = try session.receivedData(id, count: 10, flow: 10, endsStream: false, isEmpty: false, now: Self.now)
            _ = try session.receivedWindowUpdate(id, increment: 10, now: Self.now)
            _ = try session.receivedReset(id, code: .noError, now: Self.now)
            _ = session.takeOutput()
        }
        #expect(session[long] == 0)
    }

    @Test("RST_STREAM behind the end of each response does not count as abuse")
    func resets() throws {
        var session = try Self.session()
        for payload in 1...5000 {
            let begun = session.open(payload, block: ByteBuffer(), endsStream: false)
            let id = try #require(begun)
            _ = try session.receivedFields(id, endsStream: true, now: Self.now)
            _ = try session.receivedReset(id, code: .noError, now: Self.now)
            _ = session.takeOutput()
        }
        #expect(session.count == 0)
    }

    @Test("WINDOW_UPDATE for the bytes sent does not count as abuse, even if small")
    func windows() throws {
        var session = try Self.session()
        let begun = session.open(0, block: ByteBuffer(), endsStream: false)
        let id = try #require(begun)
        for _ in 1...5000 {
            let sent = session.send(id, bytes: [1, 2, 3], endsStream: false)
            #expect(sent == 3)
            _ = try session.receivedWindowUpdate(id, increment: 3, now: Self.now)
            _ = try session.receivedWindowUpdate(0, increment: 3, now: Self.now)
            _ = session.takeOutput()
        }
        #expect(session[id] == 0)
    }

    @Test(
        "A flood of uncalled-for frames ends the connection with ENHANCE_YOUR_CALM",
        arguments: ["windows", "resets", "pings"])
    func floods(_ kind: String) throws {
        var session = try Self.session()
        let begun = session.open(0, block: ByteBuffer(), endsStream: true)
        let id = try #require(begun)
        let other = session.open(1, block: ByteBuffer(), endsStream: true)
        let ended = try #require(other)
        _ = try session.receivedFields(ended, endsStream: true, now: Self.now)
        var count = 0
        let fault = #expect(throws: HTTP2ProtocolError.self) {
            while count < 5000 {
                count += 1
                switch kind {
                case "windows": _ = try session.receivedWindowUpdate(id, increment: 1, now: Self.now)
                case "resets": _ = try session.receivedReset(ended, code: .noError, now: Self.now)
                default: try session.received(ping: 1, isAnswer: false, now: Self.now)
                }
            }
        }
        #expect(fault?.code == .enhanceYourCalm)
        #expect(count < 1100)
    }
}
