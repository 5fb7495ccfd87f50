// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOWebSocket
public import SimorghCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server's end of a WebSocket of a ``MockServer``.
public final class MockSocket: Sendable {
    /// The request that opened it.
    public let request: RecordedRequest
    /// The subprotocol that was chosen; `nil` for none.
    public let subprotocol: String?
    private let channel: any Channel
    private let incoming = Mailbox<WebSocketMessage>()
    private let isOver = Gate()
    private let state = Mutex((saidGoodbye: false, goodbye: (code: UInt16, reason: String)?.none))
    /// Whether pings are answered; on by default.
    private let silence = Atomic(false)

    init(_ request: RecordedRequest, _ subprotocol: String?, _ channel: any Channel) {
        self.request = request
        self.subprotocol = subprotocol
        self.channel = channel
    }

    /// Whether the client's pings are answered; they are by default.
    public var answersPings: Bool {
        get { !silence.load(ordering: .relaxed) }
        set { silence.store(!newValue, ordering: .relaxed) }
    }

    /// The code and reason of the client's goodbye; `nil` where it has said none.
    public var goodbye: (code: WebSocketCloseCode, reason: String)? {
        state.withLock { $0.goodbye.map { (WebSocketCloseCode(rawValue: $0.code), $0.reason) } }
    }

    /// Waits for the client's next message.
    ///
    /// - Returns: The message; `nil` when the client has said goodbye, or the connection has ended.
    /// - Throws: `CancellationError` when the task is cancelled while the connection stands.
    public func receive() async throws -> WebSocketMessage? {
        do {
            return try await incoming.take()
        } catch {
            // The connection's end cancels whoever plays it, who is still to hear what came before, and of the end.
            guard isOver.isOpen else { throw error }
            return incoming.takeNow()
        }
    }

    /// Waits for the client's next message, and gives it as text.
    ///
    /// - Returns: The text; `nil` when the client has said goodbye, or the connection has ended.
    /// - Throws: `CancellationError` when the task is cancelled while the connection stands.
    public func receiveText() async throws -> String? {
        try await receive().map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Sends a message, and waits until the system has taken it.
    ///
    /// - Parameter message: The message.
    /// - Throws: An error of the connection that has ended.
    public func send(_ message: WebSocketMessage) async throws {
        let opcode: NIOWebSocket.WebSocketOpcode = message.kind == .text ? .text : .binary
        try await write(opcode, ByteBuffer(bytes: message.bytes))
    }

    /// Sends a text, and waits until the system has taken it.
    ///
    /// - Parameter text: The text.
    /// - Throws: An error of the connection that has ended.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends a ping.
    ///
    /// - Parameter text: What it says, up to 125 bytes in UTF-8.
    /// - Throws: An error of the connection that has ended.
    public func ping(_ text: String = "") async throws { try await write(.ping, ByteBuffer(string: text)) }

    /// Says goodbye, and waits until the client has answered or the connection has ended.
    ///
    /// - Parameters:
    ///   - code: Why.
    ///   - reason: Why in words, up to 123 bytes in UTF-8.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {
        let isFirst = state.withLock { state in
            defer { state.saidGoodbye = true }
            return !state.saidGoodbye
        }
        if isFirst { try? await write(.connectionClose, Self.payload(code.rawValue, reason)) }
        try? await isOver.wait()
    }

    /// Ends the connection without a goodbye, as a network does that goes away.
    public func drop() { channel.close(promise: nil) }

    /// Sends bytes as they are, for what no well-behaved server sends.
    ///
    /// - Parameter bytes: The bytes, framed or not.
    /// - Throws: An error of the connection that has ended.
    public func sendRaw(_ bytes: [UInt8]) async throws {
        try await channel.triggerUserOutboundEvent(RawBytes(bytes: ByteBuffer(bytes: bytes))).get()
    }

    /// Waits until the connection has ended.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func closed() async throws { try await isOver.wait() }

    func perform(_ step: WebSocketStep) async throws {
        switch step {
        case .send(let message): try await send(message)
        case .wait(let gate): try await gate.wait()
        case .close(let code, let reason): await close(code: code, reason: reason)
        case .drop: drop()
        case .receive: _ = try await receive()
        case .expect(let text):
            let found = try await receiveText()
            guard found != text else { return }
            // A reason has room for 123 bytes.
            let reason = "expected \(text.prefix(24)), got \((found ?? "nothing").prefix(24))"
            await close(code: .policyViolation, reason: reason.utf8.count > 123 ? "not what was expected" : reason)
            throw Unexpected()
        }
    }

    /// The script and the client disagree.
    struct Unexpected: Error {}

    // MARK: From the connection

    func received(_ frame: NIOWebSocket.WebSocketFrame) {
        var bytes = frame.unmaskedData
        switch frame.opcode {
        case .text: incoming.put(.text(bytes.readString(length: bytes.readableBytes) ?? ""))
        case .binary: incoming.put(.data(Data(bytes.readableBytesView)))
        case .ping: if answersPings { send(.pong, bytes) }
        case .connectionClose:
            let code = bytes.readInteger(as: UInt16.self) ?? WebSocketCloseCode.noStatusReceived.rawValue
            let reason = bytes.readString(length: bytes.readableBytes) ?? ""
            let isAnswer = state.withLock { state in
                state.goodbye = (code, reason)
                defer { state.saidGoodbye = true }
                return state.saidGoodbye
            }
            incoming.finish()
            if !isAnswer { send(.connectionClose, code == 1005 ? ByteBuffer() : Self.payload(code, "")) }
            channel.close(promise: nil)
        default: break
        }
    }

    func ended() {
        incoming.finish()
        isOver.open()
    }

    private func write(_ opcode: NIOWebSocket.WebSocketOpcode, _ bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(NIOWebSocket.WebSocketFrame(fin: true, opcode: opcode, data: bytes)).get()
    }

    private func send(_ opcode: NIOWebSocket.WebSocketOpcode, _ bytes: ByteBuffer) {
        channel.writeAndFlush(NIOWebSocket.WebSocketFrame(fin: true, opcode: opcode, data: bytes), promise: nil)
    }

    private static func payload(_ code: UInt16, _ reason: String) -> ByteBuffer {
        var payload = ByteBuffer(integer: code)
        payload.writeString(reason)
        return payload
    }
}
