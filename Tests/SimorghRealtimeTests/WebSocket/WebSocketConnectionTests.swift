// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghRealtime
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("WebSocketConnection", .timeLimit(.minutes(5)))
struct WebSocketConnectionTests {
    typealias Note = WebSocketFixture.Note

    private let world = WebSocketFixture()
    private let lost = TransportError(.cannotConnectToHost, phase: .connect, message: "connection refused")

    @Test("connected is reported after the upgrade, not before")
    func connected() async throws {
        let gate = Gate()
        world.server.onOpen { _, _ in
            try await gate.wait()
            return .accept
        }
        let connection = try world.connection()
        var events = connection.events().makeAsyncIterator()
        #expect(connection.state == .idle)
        connection.connect()
        #expect(connection.state == .connecting)
        _ = try await world.server.request(at: 0)
        #expect(connection.state == .connecting)
        gate.open()
        #expect(try await events.next() == .connected)
        #expect(connection.state == .connected)
        connection.close()
        #expect(try await events.next() == .disconnected(code: .normal, reason: ""))
        #expect(try await events.next() == nil)
        #expect(connection.state == .disconnected)
    }

    @Test("Messages are sent and received in order")
    func messages() async throws {
        let (connection, peer, _) = try await world.connected()
        try await connection.send(Note(text: "hello"))
        try await connection.sendText("raw")
        try await connection.sendData(Data([1, 2]))
        #expect(try await peer.receive() == .text(#"{"text":"hello"}"#))
        #expect(try await peer.receive() == .text("raw"))
        #expect(try await peer.receive() == .data(Data([1, 2])))
        var notes = connection.messages(of: Note.self).makeAsyncIterator()
        peer.send(#"{"text":"one"}"#)
        peer.send(.data(Data(#"{"text":"two"}"#.utf8)))
        peer.send("no JSON")
        peer.send(#"{"text":"three"}"#)
        #expect(try await notes.next() == Note(text: "one"))
        #expect(try await notes.next() == Note(text: "two"))
        await #expect {
            _ = try await notes.next()
        } throws: { ($0 as? WebSocketError)?.code == .decodingFailed }
        #expect(try await notes.next() == Note(text: "three"))
    }

    @Test(
        "SIM18: a server that rejects the upgrade never counts as connected, and the error has its status",
        arguments: [401, 403, 404, 200, 302])
    func rejected(status: Int) async throws {
        world.server.onOpen { _, _ in
            .refuse(
                .text("not here", status: .init(code: status)).header(.location, value: "https://elsewhere.test"))
        }
        let connection = try world.connection()
        let events = connection.events()
        connection.connect()
        let (all, error) = await WebSocketFixture.all(events)
        #expect(all == [.disconnected(code: .abnormalClosure, reason: error?.message ?? "")])
        #expect(error?.code == .openingFailed)
        #expect(error?.statusCode == status)
        #expect(error?.response?.bodySnippet == "not here")
        #expect(error?.response?.header("Location") == "https://elsewhere.test")
        #expect(connection.lastFailure?.statusCode == status)
        await #expect { try await connection.waitUntilConnected() } throws: { error in
            (error as? WebSocketError)?.statusCode == status
        }
        #expect(world.server.requests.count == 1)
        #expect(world.server.peers.isEmpty)
    }

    @Test("SIM19: a lost connection is retried after 1, 2 and 4 seconds, and then fails")
    func reconnecting() async throws {
        let (connection, peer, events) = try await world.connected()
        world.server.onOpen { [lost] _, _ in .fail(lost) }
        peer.drop()
        for seconds in [1, 2, 4] {
            try await world.clock.sleeping()
            #expect(connection.state == .reconnecting(attempt: seconds == 4 ? 3 : seconds, delay: Double(seconds)))
            world.clock.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(world.clock.waits.last == .seconds(seconds))
            world.clock.advance(by: .milliseconds(1))
            _ = try await world.server.request(at: seconds == 4 ? 3 : seconds)
        }
        let (all, error) = await WebSocketFixture.all(events)
        #expect(
            all.dropLast() == [
                .connected, .reconnecting(attempt: 1, delay: 1), .reconnecting(attempt: 2, delay: 2),
                .reconnecting(attempt: 3, delay: 4),
            ])
        #expect(error?.code == .openingFailed)
        #expect((error?.openingError?.underlyingError as? TransportError)?.code == .cannotConnectToHost)
        #expect(world.server.requests.count == 4)
    }

    @Test("SIM19: closing during the backoff ends it")
    func closeDuringWait() async throws {
        let (connection, peer, events) = try await world.connected()
        peer.drop()
        try await world.clock.sleeping()
        connection.close(code: 4001, reason: "enough")
        world.clock.advance(by: .seconds(100))
        try await connection.waitUntilClosed()
        let (all, error) = await WebSocketFixture.all(events)
        #expect(
            all == [
                .connected, .reconnecting(attempt: 1, delay: 1), .disconnected(code: 4001, reason: "enough"),
            ])
        #expect(error == nil)
        #expect(world.server.requests.count == 1)
    }

    @Test("close() while connecting prevents the connection")
    func closeWhileConnecting() async throws {
        let gate = Gate()
        world.server.onOpen { _, _ in
            try await gate.wait()
            return .accept
        }
        let connection = try world.connection()
        let events = connection.events()
        connection.connect()
        _ = try await world.server.request(at: 0)
        connection.close()
        gate.open()
        try await connection.waitUntilClosed()
        #expect(await WebSocketFixture.all(events).0 == [.disconnected(code: .normal, reason: "")])
        #expect(world.server.openCount == 0)
    }

    @Test("A connection reconnects, and its streams continue")
    func comesBack() async throws {
        let (connection, peer, events) = try await world.connected()
        var iterator = events.makeAsyncIterator()
        peer.send("before")
        peer.drop()
        #expect(try await iterator.next() == .connected)
        #expect(try await iterator.next() == .message(.text("before")))
        #expect(try await iterator.next() == .reconnecting(attempt: 1, delay: 1))
        #expect(connection.lastFailure?.code == .connectionLost)
        try await world.clock.sleeping()
        world.clock.advance(by: .seconds(1))
        let other = try await world.server.peer(at: 1)
        #expect(try await iterator.next() == .connected)
        other.send("after")
        #expect(try await iterator.next() == .message(.text("after")))
        try await connection.sendText("still here")
        #expect(try await other.receiveText() == "still here")
    }

    @Test("A server's Close with 1012 reconnects; with 1000 it ends the connection")
    func serverCloses() async throws {
        let (_, peer, events) = try await world.connected()
        peer.close(code: .serviceRestart, reason: "again")
        try await world.clock.sleeping()
        world.clock.advance(by: .seconds(1))
        let other = try await world.server.peer(at: 1)
        other.close(code: .normal, reason: "done")
        let (all, error) = await WebSocketFixture.all(events)
        #expect(
            all == [
                .connected, .reconnecting(attempt: 1, delay: 1), .connected,
                .disconnected(code: .normal, reason: "done"),
            ])
        #expect(error == nil)
    }

    @Test("A protocol violation of the server ends the connection with an error")
    func violation() async throws {
        let (_, peer, events) = try await world.connected()
        peer.misbehave()
        let (all, error) = await WebSocketFixture.all(events)
        #expect(all.count == 2)
        #expect(error?.code == .protocolViolation)
    }

    @Test("Retry-After of a refused upgrade is honored, with and without an error decoder", arguments: [false, true])
    func retryAfter(isDecoded: Bool) async throws {
        world.server.onOpen { _, _ in .refuse(.status(.serviceUnavailable).header(.retryAfter, value: "90")) }
        let connection = try world.connection(WebSocketFixture.Socket(), options: WebSocketFixture.options()) {
            if isDecoded { $0.validation.errorDecoder = { _ in lost } }
        }
        connection.connect()
        try await world.clock.sleeping()
        #expect(connection.state == .reconnecting(attempt: 1, delay: 90))
        #expect(connection.lastFailure?.statusCode == 503)
        connection.close()
        try await connection.waitUntilClosed()
    }

    @Test("onNetworkAvailable ends the backoff")
    func onNetworkAvailable() async throws {
        let gate = Gate()
        let (_, peer, events) = try await world.connected(
            WebSocketFixture.options { $0.onNetworkAvailable = { try? await gate.wait() } })
        peer.drop()
        try await world.clock.sleeping()
        world.clock.advance(by: .milliseconds(600))
        gate.open()
        _ = try await world.server.peer(at: 1)
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        #expect(try await iterator.next() == .reconnecting(attempt: 1, delay: 1))
        #expect(try await iterator.next() == .connected)
    }

    @Test("A path that returns at once neither shortens the minimum backoff nor Retry-After", arguments: [false, true])
    func pathIsThere(isRefused: Bool) async throws {
        world.server.onOpen { [lost] _, _ in
            isRefused ? .refuse(.status(.serviceUnavailable).header(.retryAfter, value: "90")) : .fail(lost)
        }
        let connection = try world.connection(
            WebSocketFixture.Socket(), options: WebSocketFixture.options { $0.onNetworkAvailable = {} })
        connection.connect()
        for attempt in 1...3 {
            // Waits for the minimum backoff, which is Retry-After in full after a refusal: a sleeper of an earlier,
            // longer wait may still be there.
            let least = isRefused ? Duration.seconds(90) : .milliseconds(500) * attempt
            try await world.clock.sleeping(for: least)
            world.clock.advance(by: least - .milliseconds(1))
            #expect(world.server.requests.count == attempt)
            world.clock.advance(by: .milliseconds(1))
            _ = try await world.server.request(at: attempt)
        }
        try await connection.waitUntilClosed()
    }

    @Test("The stream has the reason of each lost connection")
    func reasons() async throws {
        let (connection, peer, events) = try await world.connected()
        #expect(events.reason == nil)
        world.server.onOpen { [lost] _, _ in .fail(lost) }
        peer.drop("the cable was cut")
        try await world.clock.sleeping()
        world.clock.advance(by: .seconds(1))
        try await world.clock.sleeping()
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        #expect(try await iterator.next() == .reconnecting(attempt: 1, delay: 1))
        #expect(events.reason?.message == "the cable was cut")
        #expect(try await iterator.next() == .reconnecting(attempt: 2, delay: 2))
        #expect(events.reason?.code == .openingFailed)
        connection.close()
    }

    @Test("A pong of an earlier connection is ignored")
    func latePong() async throws {
        let (connection, peer, events) = try await world.connected()
        peer.drop()
        try await world.clock.sleeping()
        peer.options.onPong?(Data())
        world.clock.advance(by: .seconds(1))
        let other = try await world.server.peer(at: 1)
        try await connection.waitUntilConnected()
        peer.options.onPong?(Data())
        other.options.onPong?(Data())
        connection.close()
        #expect(
            await WebSocketFixture.all(events).0 == [
                .connected, .reconnecting(attempt: 1, delay: 1), .connected, .pong,
                .disconnected(code: .normal, reason: ""),
            ])
    }

    @Test("reconnect() resets the attempt count and skips the backoff")
    func reconnect() async throws {
        let (connection, peer, events) = try await world.connected()
        peer.drop()
        try await world.clock.sleeping()
        connection.reconnect()
        let second = try await world.server.peer(at: 1)
        try await connection.waitUntilConnected()
        connection.reconnect()
        _ = try await world.server.peer(at: 2)
        #expect(second.receivedClose?.code == .goingAway)
        try await connection.waitUntilConnected()
        connection.close()
        #expect(
            await WebSocketFixture.all(events).0 == [
                .connected, .reconnecting(attempt: 1, delay: 1), .connected, .reconnecting(attempt: 0, delay: 0),
                .connected, .disconnected(code: .normal, reason: ""),
            ])
        #expect(world.server.openCount == 0)
    }

    @Test("reconnect() replaces a connection whose server does not answer the close frame after one second")
    func deadLink() async throws {
        let (connection, peer, _) = try await world.connected()
        peer.answersClose = false
        connection.reconnect()
        try await world.clock.sleeping(for: .seconds(1))
        #expect(peer.isOpen && world.server.requests.count == 1)
        world.clock.advance(by: .seconds(1))
        _ = try await world.server.peer(at: 1)
        try await connection.waitUntilConnected()
        #expect(peer.receivedClose?.code == .goingAway && !peer.isOpen)
        connection.close()
        try await connection.waitUntilClosed()
    }

    @Test("connect() after the end opens a new connection, for streams created after that")
    func again() async throws {
        let (connection, _, _) = try await world.connected()
        connection.close()
        try await connection.waitUntilClosed()
        connection.connect()
        let peer = try await world.server.peer(at: 1)
        var events = connection.events().makeAsyncIterator()
        peer.send("hello")
        #expect(try await events.next() == .connected)
        #expect(try await events.next() == .message(.text("hello")))
    }

    @Test("ping() returns its round-trip time and emits pong")
    func ping() async throws {
        let (connection, peer, events) = try await world.connected()
        try await connection.ping()
        #expect(peer.pingCount == 1)
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        #expect(try await iterator.next() == .pong)
        peer.answersPings = false
        let ping = Task { try await connection.ping() }
        ping.cancel()
        await #expect { try await ping.value } throws: { ($0 as? WebSocketError)?.isCancelled == true }
    }

    @Test("ping() without a pong throws pongTimedOut after pongTimeout, and the connection stays open")
    func unansweredPing() async throws {
        let (connection, peer, _) = try await world.connected(WebSocketFixture.options { $0.pongTimeout = 5 })
        peer.answersPings = false
        let ping = Task { try await connection.ping() }
        try await world.clock.sleeping(forAtMost: .seconds(5))
        world.clock.advance(by: .seconds(5))
        #expect(await webSocketCode { _ = try await ping.value } == .pongTimedOut)
        #expect(connection.state == .connected)
        peer.answersPings = true
        try await connection.ping()
    }

    @Test("The client's observer receives each state change with its reason")
    func reports() async throws {
        let lines = Mutex<[String]>([])
        let connection = try world.connection(WebSocketFixture.Socket(), options: WebSocketFixture.options()) {
            $0.logging.onEvent = { event in
                guard case .webSocket(let report) = event else { return }
                let reason = report.failure.map { " (\($0))" } ?? ""
                lines.withLock { $0.append("\(report.change)\(reason)") }
            }
        }
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        try await connection.waitUntilConnected()
        peer.drop("the cable was cut")
        try await world.clock.sleeping()
        connection.close()
        try await connection.waitUntilClosed()
        #expect(
            lines.withLock { $0 } == [
                "connecting", "connected",
                "reconnecting(attempt: 1, after: 1.0 seconds) (connectionLost (1006): the cable was cut)",
                #"ended(code: 1000, reason: "")"#,
            ])
    }
}
