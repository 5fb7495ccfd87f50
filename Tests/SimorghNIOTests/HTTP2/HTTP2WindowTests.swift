// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// A server that never reopens the connection window (/hoard of Tests/Peers/h2faults.py).
@Suite("HTTP/2: a connection-level window that stays closed", .timeLimit(.minutes(5)))
struct HTTP2WindowTests {
    typealias Session = HTTP2ConnectionStateMachine<Int>

    private static func session() throws -> Session {
        var session = Session()
        try session.receivedFrame(.settings([]))
        _ = try session.received(settings: [HTTP2Setting(.initialWindowSize, value: 1_000_000)], now: start)
        return session
    }

    private static let start = NIODeadline.uptimeNanoseconds(1)

    @Test("DATA with padding alone uses the window, and the window is returned")
    func paddingAlone() async throws {
        let transport = NIOTransport.patient { $0.maximumStreamWindow = 65_536 }
        let response = try await transport.send(try Peer.faultsInTheClear.request(.get, "/frame/padding-alone"))
        #expect(response.text == "ok")
    }

    @Test("A connection stalls after a body has waited 5 s for its window, until the window opens")
    func stalls() throws {
        var session = try Self.session()
        let begun = session.open(1, block: ByteBuffer(), endsStream: false)
        let id = try #require(begun)
        let bytes = [UInt8](repeating: 1, count: 70_000)
        let early = session.waits(id, now: Self.start)
        #expect(early == nil)
        let sent = session.send(id, bytes: bytes, endsStream: false)
        #expect(sent == 65_535)
        #expect(session.isShut)
        #expect(session.stallsAt == nil)
        let first = session.waits(id, now: Self.start)
        #expect(first == Self.start + .seconds(5))
        let second = session.waits(id, now: Self.start + .seconds(1))
        #expect(second == nil)
        #expect(session.stallsAt == Self.start + .seconds(5))
        #expect(session.capacity == 100)
        session.stall()
        #expect(session.capacity == 0)
        #expect(session.stallsAt == nil)
        let refused = session.open(2, block: ByteBuffer(), endsStream: true)
        #expect(refused == nil)
        // The stream's window alone changes nothing.
        _ = try session.receivedWindowUpdate(id, increment: 1000, now: Self.start)
        #expect(session.capacity == 0)
        let event = try session.receivedWindowUpdate(0, increment: 1000, now: Self.start)
        guard case .allSendable = event else {
            Issue.record("\(event)")
            return
        }
        #expect(session.capacity == 100)
        #expect(session.sendable(id) == 1000)
        let late = session.waits(id, now: Self.start)
        #expect(late == nil)
    }

    @Test("A connection window that opens in time, or a closed stream window, does not stall the connection")
    func opens() throws {
        var session = try Self.session()
        let begun = session.open(1, block: ByteBuffer(), endsStream: false)
        let id = try #require(begun)
        _ = session.send(id, bytes: [UInt8](repeating: 1, count: 65_535), endsStream: false)
        _ = session.waits(id, now: Self.start)
        _ = try session.receivedWindowUpdate(0, increment: 1, now: Self.start + .seconds(4))
        #expect(session.stallsAt == nil)
        session.stall()
        #expect(!session.isStalled)

        var other = Session()
        try other.receivedFrame(.settings([]))
        _ = try other.received(settings: [HTTP2Setting(.initialWindowSize, value: 0)], now: Self.start)
        let begunThere = other.open(1, block: ByteBuffer(), endsStream: false)
        let there = try #require(begunThere)
        let time = other.waits(there, now: Self.start)
        #expect(time == nil)
        #expect(other.stallsAt == nil)
    }

    // The name separates the uploads of a test from those of tests that run in parallel.
    private static func upload(
        _ size: Int, idle: Duration = .seconds(60), name: String = #function
    ) throws -> TransportRequest {
        try Peer.faultsInTheClear.request(
            .post, "/hoard/\(name.dropLast(2))", body: .bytes(Data(repeating: 1, count: size))
        ) { $0.timeouts.idle = idle }
    }

    @Test("An upload that times out reports the closed connection window, and the next one opens a new connection")
    func next() async throws {
        let transport = NIOTransport.patient()
        let waits = try Peer.faultsInTheClear.request(.get, "/stall") { $0.timeouts.head = .seconds(3600) }
        // An open request keeps the connection from being closed.
        let other = Task { await HTTP2FaultTests.end(transport, waits) }
        try await eventually { transport.statistics.leased == 1 }
        let error = await failure { try await transport.send(try Self.upload(100_000, idle: .milliseconds(300))) }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .request)
        #expect(error?.message.contains("the server keeps the HTTP/2 window of the connection closed") == true)
        let response = try await transport.send(try Self.upload(50_000))
        #expect(response.text == "ok")
        #expect(transport.statistics.dialed == 2)
        #expect(try await transport.send(try Peer.faultsInTheClear.request(.get, "/ok")).text == "ok")
        #expect(transport.statistics.dialed == 2)
        other.cancel()
        #expect(await other.value == .error(.cancelled, .head))
        // A stalled connection without requests is closed.
        try await eventually { transport.statistics.open == 1 }
    }

    @Test(
        "While uploads wait for 5 s, new requests use another connection, and the old one completes its own")
    func meanwhile() async throws {
        let transport = NIOTransport.patient()
        let uploads = (0..<3).map { _ in Task { try await transport.send(try Self.upload(100_000)).text } }
        try await eventually {
            _ = try await transport.send(try Peer.faultsInTheClear.request(.get, "/ok"))
            return transport.statistics.dialed == 2
        }
        #expect(try await transport.send(try Self.upload(50_000)).text == "ok")
        #expect(transport.statistics.dialed == 2)
        // The window opens, and the waiting uploads complete on their connection.
        try await eventually {
            _ = try await transport.send(try Peer.faultsInTheClear.request(.get, "/release/meanwhile"))
            return transport.statistics.leased == 0
        }
        for upload in uploads { #expect(try await upload.value == "ok") }
        #expect(transport.statistics.dialed == 2)
    }

    @Test(
        "An upload whose total timeout is shorter than the stall time does not mark its connection as stalled")
    func total() async throws {
        let transport = NIOTransport.patient()
        // Connecting must not use up the upload's time.
        #expect(try await transport.send(try Peer.faultsInTheClear.request(.get, "/ok")).text == "ok")
        let upload = try Self.upload(100_000).with { $0.options.timeouts.total = .milliseconds(300) }
        let error = await failure { try await transport.send(upload) }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .total)
        #expect(try await transport.send(try Peer.faultsInTheClear.request(.get, "/ok")).text == "ok")
        #expect(transport.statistics.dialed == 1)
    }

    @Test("If no other connection is allowed, the stalled one stays in use")
    func single() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = NIOTransport(configuration: configuration)
        let waits = try Peer.faultsInTheClear.request(.get, "/stall") { $0.timeouts.head = .seconds(3600) }
        let other = Task { await HTTP2FaultTests.end(transport, waits) }
        try await eventually { transport.statistics.leased == 1 }
        let end = await HTTP2FaultTests.end(transport, try Self.upload(100_000, idle: .milliseconds(300)))
        #expect(end == .error(.timedOut, .request))
        #expect(try await transport.send(try Peer.faultsInTheClear.request(.get, "/ok")).text == "ok")
        #expect(transport.statistics.dialed == 1)
        other.cancel()
        _ = await other.value
    }
}
