// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghTesting
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("SessionWebSocket: messages", .timeLimit(.minutes(5)))
struct SessionWebSocketTests {
    @Test("Messages are received in order, and read ahead of the reader")
    func receives() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        for number in 0..<3 { try await rig.task.deliver(.success(.text("\(number)"))) }
        for number in 0..<3 { #expect(try await channel.receive() == .text("\(number)")) }
        async let next = channel.receive()
        try await rig.task.deliver(.success(.data(Data([1]))))
        #expect(try await next == .data(Data([1])))
    }

    @Test("A second reader fails, and a cancelled reader takes no message")
    func readers() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        let first = Task { try await channel.receive() }
        let second = Task { try await channel.receive() }
        // Whichever waits first; the other fails.
        await withTaskGroup(of: WebSocketError?.self) { group in
            for task in [first, second] { group.addTask { await webSocketFailure { try await task.value } } }
            #expect(await group.next()??.code == .alreadyReading)
            first.cancel()
            second.cancel()
            #expect(await group.next()??.code == .cancelled)
        }
        try await rig.task.deliver(.success(.text("kept")))
        #expect(try await channel.receive() == .text("kept"))
    }

    @Test("Senders beyond sendBufferSize wait until the session has written, in order")
    func backPressure() async throws {
        let rig = try ScriptedSessionWebSocket { $0.sendBufferSize = 4 }
        let channel = try await rig.open()
        try await channel.send(.text("12345"))
        let waiting = Task { try await channel.send(.text("6")) }
        let cancelled = Task { try await channel.send(.text("7")) }
        await yieldToOthers()
        cancelled.cancel()
        #expect(await webSocketFailure { try await cancelled.value }?.code == .cancelled)
        try await rig.task.complete()
        try await waiting.value
        try await rig.task.called(.send(.text("6")))
        #expect(!rig.task.calls.contains(.send(.text("7"))))
    }

    @Test("A failed send ends the connection, with the close frame of the server if it comes")
    func failedSend() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        try await channel.send(.text("a"))
        try await rig.task.complete(POSIXError(.EPIPE))
        #expect(await webSocketFailure { try await channel.send(.text("b")) }?.code == .connectionLost)
        rig.socket.closed(.policyViolation, reason: "no")
        try await rig.task.deliver(.failure(POSIXError(.ENOTCONN)))
        #expect(channel.closure?.code == .policyViolation)
        #expect(channel.closure?.isClean == true)
    }

    @Test("A message in parts is received as one part, and its parts are sent as one message")
    func parts() async throws {
        let rig = try ScriptedSessionWebSocket { $0.maximumMessageSize = 10 }
        let channel = try await rig.open()
        try await rig.task.deliver(.success(.text("whole")))
        let message = try #require(try await channel.receiveParts())
        var parts: [Data] = []
        for try await part in message { parts.append(part) }
        #expect(message.kind == .text && parts == [Data("whole".utf8)])

        try await channel.send(Self.stream([Data("hé".utf8.prefix(2)), Data("hé".utf8.suffix(1))]), as: .text)
        try await rig.task.called(.send(.text("hé")))
        let large = await webSocketFailure {
            try await channel.send(Self.stream([Data(count: 6), Data(count: 5)]), as: .binary)
        }
        #expect(large?.code == .messageTooLarge)
        let invalid = await webSocketFailure { try await channel.send(Self.stream([Data([0xC3])]), as: .text) }
        #expect(invalid?.code == .invalidArgument)
        #expect(channel.closure == nil)
    }

    private static func stream(_ parts: [Data]) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for part in parts { continuation.yield(part) }
            continuation.finish()
        }
    }

    @Test("Pongs answer pings in order, and onPong receives empty data")
    func pings() async throws {
        let pongs = LockedValue<[Data]>([])
        let rig = try ScriptedSessionWebSocket {
            $0.onPong = { data in pongs.change { $0.append(data) } }
        }
        let channel = try await rig.open()
        async let first = channel.ping(Data("ignored".utf8))
        try await rig.task.called(.ping)
        rig.clock.advance(by: .milliseconds(5))
        async let second = channel.ping()
        try await rig.task.called(.ping, times: 2)
        rig.clock.advance(by: .milliseconds(5))
        try await rig.task.pong()
        #expect(try await first == .milliseconds(10))
        try await rig.task.pong()
        #expect(try await second == .milliseconds(5))
        #expect(pongs.value == [Data(), Data()])
        #expect(await webSocketFailure { try await channel.ping(Data(count: 126)) }?.code == .invalidArgument)
    }

    @Test("close sends its frame after the messages before it, and messages until the end are received")
    func closes() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        try await channel.send(.text("last"))
        async let closure = channel.close(code: 1006, reason: String(repeating: "é", count: 100))
        await yieldToOthers()
        // 1006 may not be sent, and a reason has at most 123 bytes.
        let frame = ScriptedWebSocketTask.Call.close(.normal, String(repeating: "é", count: 61))
        #expect(!rig.task.calls.contains(frame))
        try await rig.task.complete()
        try await rig.task.called(frame)
        #expect(await webSocketFailure { try await channel.send(.text("late")) }?.code == .closed)
        try await rig.task.deliver(.success(.text("answer")))
        rig.socket.closed(.normal, reason: "")
        try await rig.task.deliver(.failure(POSIXError(.ENOTCONN)))
        rig.socket.completed(nil)
        #expect(await closure == WebSocketCloseInfo(code: .normal, isClean: true, initiator: .local))
        #expect(try await channel.receive() == .text("answer"))
        #expect(try await channel.receive() == nil)
    }

    @Test("A cancelled close drops the connection")
    func cancelledClose() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        let closing = Task { await channel.close() }
        try await rig.task.called(.close(.normal, ""))
        closing.cancel()
        #expect(await closing.value.code == .abnormalClosure)
        try await rig.task.called(.cancel)
    }

    @Test("The server's close frame may come before the last messages")
    func closeBeforeMessages() async throws {
        let rig = try ScriptedSessionWebSocket()
        let channel = try await rig.open()
        rig.socket.closed(.goingAway, reason: "")
        try await rig.task.deliver(.success(.text("last")))
        #expect(try await channel.receive() == .text("last"))
        try await rig.task.deliver(.failure(POSIXError(.ENOTCONN)))
        #expect(try await channel.receive() == nil)
        #expect(channel.closure?.code == .goingAway)
        // If the session never completes the task, it is cancelled.
        try await rig.clock.sleeping()
        rig.clock.advance(by: SessionWebSocketStateMachine.closeFrameWait)
        try await rig.task.called(.cancel)
        try await eventually { rig.ends.value == 1 }
    }

    @Test("A message above maximumMessageSize and a protocol error have their own close codes")
    func violations() async throws {
        for (code, closeCode) in [
            (POSIXErrorCode.EMSGSIZE, WebSocketCloseCode.messageTooBig), (.EPROTO, .protocolError),
        ] {
            let rig = try ScriptedSessionWebSocket()
            let channel = try await rig.open()
            try await rig.task.deliver(.failure(POSIXError(code)))
            rig.socket.completed(POSIXError(code))
            #expect(channel.closure?.code == closeCode)
            let error = await webSocketFailure { try await channel.receive() }
            let expected: WebSocketError.Code = code == .EMSGSIZE ? .messageTooLarge : .protocolViolation
            #expect(error?.code == expected)
        }
    }

    @Test("Releasing the channel cancels the task and forgets it")
    func released() async throws {
        let rig = try ScriptedSessionWebSocket()
        var channel: (any WebSocketChannel)? = try await rig.open()
        try await channel?.send(.text("a"))
        channel = nil
        try await rig.task.called(.cancel)
        try await eventually { rig.ends.value == 1 }
    }
}
