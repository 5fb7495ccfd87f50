// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOWebSocket
import SimorghCore
public import SimorghRealtime
import SimorghSupport
import Synchronization

/// The server's end of a WebSocket of a ``MockServer``.
///
/// At most 16 MiB of messages wait to be received, and one more: then nothing is read of the connection until some are.
public final class MockSocket: Sendable {
    private struct State {
        var saidGoodbye = false
        var goodbye: (code: UInt16, reason: String)?
        /// What waits to be received, in bytes.
        var backlog = 0
        /// Whether the connection wanted to read while too much waited.
        var isHeld = false
        /// The answer to the last ping that came while the client took nothing.
        var pong: ByteBuffer?
    }

    /// So much may wait to be received, in bytes, before nothing more is read; reading goes on at half of it.
    package static let highMark = 16 * 1024 * 1024

    /// The request that opened it.
    public let request: RecordedRequest
    /// The subprotocol that was chosen; `nil` for none.
    public let subprotocol: String?
    private let channel: any Channel
    private let incoming = Mailbox<WebSocketMessage>()
    private let isOver = Gate()
    private let state = Mutex(State())
    /// Whether pings are answered; on by default.
    private let silence = Atomic(false)
    /// True if the closing of the client is not answered; false by default.
    private let isDeaf = Atomic(false)

    init(_ request: RecordedRequest, _ subprotocol: String?, _ channel: any Channel) {
        self.request = request
        self.subprotocol = subprotocol
        self.channel = channel
    }

    /// A Boolean value that indicates whether the client's pings are answered; true by default.
    public var answersPings: Bool {
        get { !silence.load(ordering: .relaxed) }
        set { silence.store(!newValue, ordering: .relaxed) }
    }

    /// A Boolean value that indicates whether the client's closing is answered; true by default.
    ///
    /// If it is not, the connection stays open until the client or the server drops it.
    public var answersGoodbye: Bool {
        get { !isDeaf.load(ordering: .relaxed) }
        set { isDeaf.store(!newValue, ordering: .relaxed) }
    }

    /// The code and reason of the client's goodbye; `nil` where it has said none.
    public var goodbye: (code: WebSocketCloseCode, reason: String)? {
        state.withLock { $0.goodbye.map { (WebSocketCloseCode(rawValue: $0.code), $0.reason) } }
    }

    /// What waits to be received, in bytes and 64 for each message.
    package var backlog: Int { state.withLock { $0.backlog } }
    /// Whether nothing is read as too much waits.
    package var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Waits for the client's next message.
    ///
    /// - Returns: The message; `nil` when the client has said goodbye, or the connection has ended.
    /// - Throws: `CancellationError` when the task is cancelled while the connection stands.
    public func receive() async throws -> WebSocketMessage? {
        let message: WebSocketMessage?
        do {
            message = try await incoming.take()
        } catch {
            // The connection's end cancels whoever plays it, who is still to hear what came before, and of the end.
            guard isOver.isOpen else { throw error }
            message = incoming.takeNow()
        }
        if let message { took(message) }
        return message
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
        let (isFirst, wasHeld) = state.withLock { state in
            defer { (state.saidGoodbye, state.isHeld) = (true, false) }
            return (!state.saidGoodbye, state.isHeld)
        }
        // The client's answer comes behind what nobody receives any more.
        if wasHeld { channel.read() }
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
        case .text: keep(.text(bytes.readString(length: bytes.readableBytes) ?? ""))
        case .binary: keep(.data(Data(bytes.readableBytesView)))
        case .ping: if answersPings { answer(bytes) }
        case .connectionClose:
            let code = bytes.readInteger(as: UInt16.self) ?? WebSocketCloseCode.noStatusReceived.rawValue
            let reason = bytes.readString(length: bytes.readableBytes) ?? ""
            let isAnswer = state.withLock { state in
                state.goodbye = (code, reason)
                defer { state.saidGoodbye = true }
                return state.saidGoodbye
            }
            incoming.finish()
            guard isAnswer || answersGoodbye else { return }
            if !isAnswer { send(.connectionClose, code == 1005 ? ByteBuffer() : Self.payload(code, "")) }
            channel.close(promise: nil)
        default: break
        }
    }

    func ended() {
        incoming.finish()
        isOver.open()
    }

    /// Whether the connection may read on; if not, it is told when it may.
    func mayRead() -> Bool {
        state.withLock { state in
            state.isHeld = state.backlog >= Self.highMark && !state.saidGoodbye
            return !state.isHeld
        }
    }

    /// The client takes what is sent again.
    func becameWritable() {
        if let pong = state.withLock({ $0.pong.take() }) { send(.pong, pong) }
    }

    private func keep(_ message: WebSocketMessage) {
        let isKept = state.withLock { state in
            // Behind a goodbye all is read, but not all is kept.
            guard state.backlog < Self.highMark || !state.saidGoodbye else { return false }
            state.backlog += Self.weight(message)
            return true
        }
        if isKept { incoming.put(message) }
    }

    private func took(_ message: WebSocketMessage) {
        let mayGoOn = state.withLock { state in
            state.backlog -= Self.weight(message)
            guard state.isHeld, state.backlog <= Self.highMark / 2 else { return false }
            state.isHeld = false
            return true
        }
        if mayGoOn { channel.read() }
    }

    /// What a message counts as: one without bytes takes room, too.
    private static func weight(_ message: WebSocketMessage) -> Int { message.byteCount + 64 }

    /// Answers a ping; of several while the client takes nothing only the last is answered (RFC 6455, section 5.5.3).
    private func answer(_ bytes: ByteBuffer) {
        if channel.isWritable {
            send(.pong, bytes)
        } else {
            state.withLock { $0.pong = bytes }
            // It may be writable since.
            if channel.isWritable { becameWritable() }
        }
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
