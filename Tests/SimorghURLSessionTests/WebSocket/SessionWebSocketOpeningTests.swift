// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghTesting
import SimorghURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("SessionWebSocket: opening", .timeLimit(.minutes(5)))
struct SessionWebSocketOpeningTests {
    @Test("The channel has the selected subprotocol and the response, and no compression")
    func opened() async throws {
        let rig = try ScriptedSessionWebSocket {
            $0.subprotocols = ["chat.v2", "chat.v1"]
            $0.compression = .deflate
        }
        rig.task.set(response: HTTPResponse(status: .switchingProtocols, headerFields: [.server: "a"]))
        let channel = try await rig.open(subprotocol: "chat.v1")
        #expect(channel.subprotocol == "chat.v1")
        #expect(channel.compression == nil)
        #expect(channel.response.head.status == .switchingProtocols)
        #expect(channel.response.head.headerFields[.server] == "a")
        #expect(channel.closure == nil)
    }

    @Test("A refused upgrade has its status and header fields, and no body")
    func refused() async throws {
        let rig = try ScriptedSessionWebSocket()
        let opening = rig.begin()
        try await rig.task.called(.resume)
        rig.task.set(response: HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "7"]))
        rig.socket.completed(URLError(.badServerResponse))
        guard case .refused(let response) = try await opening.value else {
            Issue.record("the refusal was taken for an acceptance")
            return
        }
        #expect(response.head.status == .serviceUnavailable)
        #expect(response.head.headerFields[.retryAfter] == "7")
        #expect(response.body.collectedBytes?.isEmpty == true)
        #expect(rig.ends.value == 1)
        #expect(!rig.task.calls.contains(.cancel))
    }

    @Test("A failed opening throws the session's error", arguments: [true, false])
    func failed(hasError: Bool) async throws {
        let rig = try ScriptedSessionWebSocket()
        let opening = rig.begin()
        try await rig.task.called(.resume)
        rig.socket.completed(hasError ? URLError(.cannotFindHost) : nil)
        let error = await transportFailure { try await opening.value }
        let expected: TransportError.Code = hasError ? .cannotFindHost : .networkConnectionLost
        #expect(error?.code == expected)
    }

    @Test("A subprotocol that was not offered fails the opening", arguments: ["soap", ""])
    func unoffered(name: String) async throws {
        let rig = try ScriptedSessionWebSocket { $0.subprotocols = ["chat"] }
        let error = await transportFailure { try await rig.open(subprotocol: name) }
        #expect(error?.code == .badServerResponse)
        #expect((error?.underlying as? WebSocketHandshakeError)?.reason == .subprotocol)
        try await rig.task.called(.cancel)
    }

    @Test("The timeouts for the head and in total end an opening that the session never answers", arguments: [2, 9])
    func timeouts(head: Int) async throws {
        let rig = try ScriptedSessionWebSocket(
            request: {
                $0.options.timeouts.head = .seconds(head)
                $0.options.timeouts.total = .seconds(5)
            })
        let opening = rig.begin()
        try await rig.clock.sleeping()
        rig.clock.advance(by: .seconds(min(head, 5)))
        // The session may report if the request was sent, or never complete the task.
        try await rig.task.called(.cancel)
        try await rig.clock.sleeping(for: SessionWebSocketStateMachine.factsWait)
        rig.clock.advance(by: SessionWebSocketStateMachine.factsWait)
        let error = await transportFailure { try await opening.value }
        #expect(error?.code == .timedOut && error?.requestMayHaveBeenSent == true)
        let phase: TransportError.Phase = head == 2 ? .head : .total
        #expect(error?.phase == phase)
        // A late answer of the session changes nothing.
        rig.socket.opened(subprotocol: nil)
        rig.socket.completed(URLError(.cancelled))
        #expect(rig.task.calls == [.resume, .cancel])
    }

    /// The measurements of a connection whose request was sent, or not.
    private static func measurements(isRequestStarted: Bool) -> [TransactionSnapshot] {
        var snapshot = TransactionSnapshot()
        (snapshot.fetchStart, snapshot.connectStart) = (0, 1)
        (snapshot.remoteAddress, snapshot.remotePort) = ("192.0.2.1", 443)
        if isRequestStarted { snapshot.requestStart = 2 }
        return [snapshot]
    }

    @Test(
        "An opening that ends before its request was sent counts as not sent, and its error has the measurements",
        arguments: [true, false], [URLError.Code.networkConnectionLost, .timedOut, nil])
    func unsent(isRequestStarted: Bool, code: URLError.Code?) async throws {
        let rig = try ScriptedSessionWebSocket()
        let opening = rig.begin()
        try await rig.task.called(.resume)
        rig.socket.measured(Self.measurements(isRequestStarted: isRequestStarted))
        rig.socket.completed(code.map { URLError($0) })
        let error = await transportFailure { try await opening.value }
        #expect(error?.requestMayHaveBeenSent == isRequestStarted)
        let phase: TransportError.Phase = isRequestStarted ? .head : .connect
        #expect(error?.phase == phase)
        #expect(error?.facts?.connection?.remoteAddress == "192.0.2.1:443")
        #expect(error?.facts?.timings.queue == .seconds(1))
    }

    @Test("A timeout waits until the session has reported if the request was sent", arguments: [true, false])
    func unsentTimeout(isRequestStarted: Bool) async throws {
        let rig = try ScriptedSessionWebSocket(request: { $0.options.timeouts.head = .seconds(2) })
        let opening = rig.begin()
        try await rig.clock.sleeping(for: .seconds(2))
        rig.clock.advance(by: .seconds(2))
        try await rig.task.called(.cancel)
        rig.socket.opened(subprotocol: nil)
        rig.socket.measured(Self.measurements(isRequestStarted: isRequestStarted))
        rig.socket.completed(URLError(.cancelled))
        let error = await transportFailure { try await opening.value }
        #expect(error?.code == .timedOut && error?.limit == .seconds(2))
        #expect(error?.requestMayHaveBeenSent == isRequestStarted)
        #expect(rig.task.calls == [.resume, .cancel])
        try await eventually { rig.ends.value == 1 }
    }

    @Test("Cancelling an opening whose timeout has passed ends it at once with the timeout")
    func cancelledTimeout() async throws {
        let rig = try ScriptedSessionWebSocket(request: { $0.options.timeouts.head = .seconds(2) })
        let opening = rig.begin()
        try await rig.clock.sleeping(for: .seconds(2))
        rig.clock.advance(by: .seconds(2))
        try await rig.task.called(.cancel)
        opening.cancel()
        #expect(await transportFailure { try await opening.value }?.code == .timedOut)
        #expect(rig.task.calls == [.resume, .cancel])
    }

    @Test("A WebSocket that is dropped before it has its task cancels the task, and releases it")
    func droppedBeforeTask() async throws {
        let rig = try ScriptedSessionWebSocket()
        rig.socket.drop()
        #expect(await transportFailure { try await rig.begin().value }?.code == .cancelled)
        #expect(rig.task.calls == [.cancel])
        #expect(rig.ends.value == 1)
    }

    @Test("A session that waits for the network ends the opening as without a network")
    func waitsForConnectivity() async throws {
        let rig = try ScriptedSessionWebSocket()
        let opening = rig.begin()
        try await rig.task.called(.resume)
        rig.socket.waitsForConnectivity()
        let error = await transportFailure { try await opening.value }
        #expect(error?.code == .notConnectedToInternet && error?.requestMayHaveBeenSent == false)
        #expect(rig.task.calls == [.resume, .cancel])
        rig.socket.completed(URLError(.cancelled))
        try await eventually { rig.ends.value == 1 }
    }

    @Test("Cancelling the opening cancels the task")
    func cancelled() async throws {
        let rig = try ScriptedSessionWebSocket()
        let opening = rig.begin()
        try await rig.task.called(.resume)
        opening.cancel()
        let error = await transportFailure { try await opening.value }
        #expect(error?.code == .cancelled)
        try await rig.task.called(.cancel)
        try await eventually { rig.ends.value == 1 }
    }
}

@Suite("SessionWebSocket: callbacks that never come", .timeLimit(.minutes(5)))
struct SessionWebSocketHangTests {
    @Test("receive is never called back: the completion of the task ends the reader, with 1006")
    func silentReceive() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        async let error = webSocketFailure { try await channel.receive() }
        try await rig.task.called(.receive)
        rig.socket.completed(URLError(.networkConnectionLost))
        #expect(await error?.code == .connectionLost)
        #expect(channel.closure?.code == .abnormalClosure)
        #expect(channel.closure?.isClean == false)
        #expect(await webSocketFailure { try await channel.send(.text("late")) }?.code == .connectionLost)
        #expect(await webSocketFailure { try await channel.ping() }?.code == .connectionLost)
        #expect(await channel.close() == channel.closure)
        #expect(!rig.task.calls.contains(.cancel))
    }

    @Test("The error of receive comes before the close frame: the closure is the server's")
    func errorBeforeClose() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        try await rig.task.deliver(.success(.text("last")))
        try await rig.task.deliver(.failure(POSIXError(.ENOTCONN)))
        #expect(channel.closure == nil)
        rig.socket.closed(.serviceRestart, reason: "again")
        let closure = WebSocketCloseInfo(code: .serviceRestart, reason: "again", isClean: true, initiator: .remote)
        #expect(channel.closure == closure)
        #expect(try await channel.receive() == .text("last"))
        #expect(try await channel.receive() == nil)
        // The session answers the close frame itself, so that its task is not cancelled at once.
        #expect(!rig.task.calls.contains(.cancel))
        rig.socket.completed(nil)
        #expect(channel.closure == closure)
        #expect(rig.ends.value == 1)
    }

    @Test("The close frame never comes after an error of receive: a time limit ends the wait")
    func errorWithoutClose() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        async let error = webSocketFailure { try await channel.receive() }
        try await rig.task.deliver(.failure(POSIXError(.ENOTCONN)))
        try await rig.clock.sleeping()
        rig.clock.advance(by: SessionWebSocketStateMachine.closeFrameWait)
        #expect(await error?.code == .connectionLost)
        #expect(channel.closure?.code == .abnormalClosure)
        try await rig.task.called(.cancel)
        try await eventually { rig.ends.value == 1 }
    }

    @Test("A completed task without a close code is 1006, and with one the server's close frame")
    func closeCode() async throws {
        for code in [nil, WebSocketCloseCode.abnormalClosure, .goingAway] {
            let rig = try ScriptedSessionWebSocket()
            let channel = try await rig.open()
            rig.task.set(closeCode: code, reason: "bye")
            rig.socket.completed(nil)
            let expected: WebSocketCloseCode = code == .goingAway ? .goingAway : .abnormalClosure
            #expect(channel.closure?.code == expected)
            #expect(channel.closure?.isClean == (code == .goingAway))
            #expect(channel.closure?.initiator == .remote)
        }
    }

    @Test("A pong that never comes fails the ping after pongTimeout, and the connection goes on")
    func pongTimeout() async throws {
        let rig = try ScriptedSessionWebSocket { $0.pongTimeout = .seconds(10) }
        let channel = try await rig.open()
        async let error = webSocketFailure { try await channel.ping() }
        try await rig.task.called(.ping)
        try await rig.clock.sleeping()
        rig.clock.advance(by: .seconds(10))
        #expect(await error?.code == .pongTimedOut)
        #expect(channel.closure == nil)
        // A pong that comes after all answers no later ping.
        async let second = channel.ping()
        try await rig.task.called(.ping, times: 2)
        try await rig.task.pong()
        rig.clock.advance(by: .milliseconds(3))
        try await rig.task.pong()
        #expect(try await second == .milliseconds(3))
    }

    @Test("A silent server is pinged after pingInterval, and lost after pongTimeout")
    func liveness() async throws {
        let rig = try ScriptedSessionWebSocket {
            $0.pingInterval = .seconds(30)
            $0.pongTimeout = .seconds(10)
        }
        let channel = try await rig.open()
        try await rig.clock.sleeping(for: .seconds(30))
        rig.clock.advance(by: .seconds(30))
        try await rig.task.called(.ping)
        try await rig.clock.sleeping(for: .seconds(10))
        rig.clock.advance(by: .seconds(9))
        try await rig.task.pong()
        rig.clock.advance(by: .seconds(1))
        // The timer of the pong finds that the server has answered.
        try await rig.clock.sleeping(for: .seconds(29))
        rig.clock.advance(by: .seconds(29))
        try await rig.task.called(.ping, times: 2)
        try await rig.clock.sleeping(for: .seconds(10))
        rig.clock.advance(by: .seconds(10))
        let error = await webSocketFailure { try await channel.receive() }
        #expect(error?.code == .pongTimedOut)
        try await rig.task.called(.cancel)
    }

    @Test("While the receive buffer is full nothing is received, and silence does not end the connection")
    func paused() async throws {
        let rig = try ScriptedSessionWebSocket {
            $0.pingInterval = .seconds(30)
            $0.receiveBufferSize = 1
        }
        let channel = try await rig.open()
        try await rig.task.deliver(.success(.text("first")))
        let receives = rig.task.calls.count { $0 == .receive }
        #expect(receives == 1)
        rig.clock.advance(by: .seconds(1000))
        await yieldToOthers()
        #expect(!rig.task.calls.contains(.ping))
        #expect(try await channel.receive() == .text("first"))
        try await rig.task.called(.receive, times: 2)
        // The end of a task that could not deliver everything is not clean.
        try await rig.task.deliver(.success(.text("second")))
        rig.task.set(closeCode: .normal)
        rig.socket.completed(nil)
        #expect(try await channel.receive() == .text("second"))
        #expect(await webSocketFailure { try await channel.receive() }?.code == .connectionLost)
        #expect(channel.closure?.code == .normal)
    }

    @Test("The completion of a send never comes: waiting senders fail at the end")
    func silentSend() async throws {
        let rig = try ScriptedSessionWebSocket { $0.sendBufferSize = 4 }
        let channel = try await rig.open()
        try await channel.send(.text("12345"))
        async let waiting = webSocketFailure { try await channel.send(.text("6")) }
        await yieldToOthers()
        #expect(!rig.task.calls.contains(.send(.text("6"))))
        rig.socket.completed(URLError(.networkConnectionLost))
        #expect(await waiting?.code == .connectionLost)
        #expect(!rig.task.calls.contains(.send(.text("6"))))
    }

    @Test("No answer to the close frame: closeTimeout ends the close handshake")
    func closeTimeout() async throws {
        let rig = try ScriptedSessionWebSocket { $0.closeTimeout = .seconds(10) }
        let channel = try await rig.open()
        async let closure = channel.close(code: 4000, reason: "enough")
        try await rig.task.called(.close(4000, "enough"))
        try await rig.clock.sleeping()
        rig.clock.advance(by: .seconds(10))
        #expect(await closure.failure?.code == .closeTimedOut)
        #expect(await closure.isClean == false)
        try await rig.task.called(.cancel)
    }
}
