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
/// At most 16 MiB of unreceived messages are buffered, plus one. Then the connection is not read until some are
/// received.
public final class MockSocket: Sendable {
    private struct State {
        var hasSentClose = false
        var receivedClose: (code: UInt16, reason: String)?
        /// The unreceived messages, in bytes.
        var backlog = 0
        /// True if a read was suspended because the buffer is full.
        var isReadSuspended = false
        /// The pong for the last ping that arrived while the connection was not writable.
        var pong: ByteBuffer?
    }

    /// The size of the buffer at which reading stops, in bytes; it resumes at half of it.
    package static let highWatermark = 16 * 1024 * 1024

    /// The request that opened the WebSocket.
    public let request: RecordedRequest
    /// The chosen subprotocol; `nil` for none.
    public let subprotocol: String?
    private let channel: any Channel
    private let incoming = Mailbox<WebSocketMessage>()
    private let ended = Gate()
    private let state = Mutex(State())
    /// True if pings are not answered; false by default.
    private let ignoresPings = Atomic(false)
    /// True if the client's close frame is not answered; false by default.
    private let ignoresClose = Atomic(false)

    init(_ request: RecordedRequest, subprotocol: String?, channel: any Channel) {
        self.request = request
        self.subprotocol = subprotocol
        self.channel = channel
    }

    /// A Boolean value that indicates whether the client's pings are answered; true by default.
    public var answersPings: Bool {
        get { !ignoresPings.load(ordering: .relaxed) }
        set { ignoresPings.store(!newValue, ordering: .relaxed) }
    }

    /// A Boolean value that indicates whether the client's close frame is answered; true by default.
    ///
    /// If it is not, the connection stays open until the client or the server drops it.
    public var answersClose: Bool {
        get { !ignoresClose.load(ordering: .relaxed) }
        set { ignoresClose.store(!newValue, ordering: .relaxed) }
    }

    /// The code and reason of the client's close frame; `nil` if it has sent none.
    public var receivedClose: (code: WebSocketCloseCode, reason: String)? {
        state.withLock { $0.receivedClose.map { (WebSocketCloseCode(rawValue: $0.code), $0.reason) } }
    }

    /// The unreceived messages, in bytes plus 64 for each.
    package var backlog: Int { state.withLock { $0.backlog } }
    /// True if a read is suspended because the buffer is full.
    package var isReadSuspended: Bool { state.withLock { $0.isReadSuspended } }

    /// Waits for the client's next message.
    ///
    /// - Returns: The message; `nil` if the client has sent a close frame, or the connection has ended.
    /// - Throws: `CancellationError` if the task is cancelled while the connection is open.
    public func receive() async throws -> WebSocketMessage? {
        let message: WebSocketMessage?
        do {
            message = try await incoming.take()
        } catch {
            // The end of the connection cancels the script's task, which still has to get the buffered messages and the
            // end.
            guard ended.isOpen else { throw error }
            message = incoming.takeNow()
        }
        if let message { didTake(message) }
        return message
    }

    /// Waits for the client's next message, and returns it as text.
    ///
    /// - Returns: The text; `nil` if the client has sent a close frame, or the connection has ended.
    /// - Throws: `CancellationError` if the task is cancelled while the connection is open.
    public func receiveText() async throws -> String? {
        try await receive().map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Sends a message, and waits until the system has accepted it.
    ///
    /// - Parameter message: The message.
    /// - Throws: An error if the connection has ended.
    public func send(_ message: WebSocketMessage) async throws {
        let opcode: NIOWebSocket.WebSocketOpcode = message.kind == .text ? .text : .binary
        try await write(opcode, bytes: ByteBuffer(bytes: message.bytes))
    }

    /// Sends a text, and waits until the system has accepted it.
    ///
    /// - Parameter text: The text.
    /// - Throws: An error if the connection has ended.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends a ping.
    ///
    /// - Parameter text: The payload, up to 125 bytes in UTF-8.
    /// - Throws: An error if the connection has ended.
    public func ping(_ text: String = "") async throws { try await write(.ping, bytes: ByteBuffer(string: text)) }

    /// Sends a close frame, and waits until the client has answered it or the connection has ended.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason, up to 123 bytes in UTF-8.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {
        let (isFirst, wasReadSuspended) = state.withLock { state in
            defer { (state.hasSentClose, state.isReadSuspended) = (true, false) }
            return (!state.hasSentClose, state.isReadSuspended)
        }
        // The client's close frame follows messages that are not received anymore.
        if wasReadSuspended { channel.read() }
        if isFirst { try? await write(.connectionClose, bytes: Self.payload(code.rawValue, reason: reason)) }
        try? await ended.wait()
    }

    /// Ends the connection without a close frame, like a network failure.
    public func drop() { channel.close(promise: nil) }

    /// Sends raw bytes, to simulate a misbehaving server.
    ///
    /// - Parameter bytes: The bytes, framed or not.
    /// - Throws: An error if the connection has ended.
    public func sendRaw(_ bytes: [UInt8]) async throws {
        try await channel.triggerUserOutboundEvent(RawBytes(bytes: ByteBuffer(bytes: bytes))).get()
    }

    /// Waits until the connection has ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func closed() async throws { try await ended.wait() }

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
            // A close reason is limited to 123 bytes.
            let reason = "expected \(text.prefix(24)), got \((found ?? "nothing").prefix(24))"
            await close(code: .policyViolation, reason: reason.utf8.count > 123 ? "unexpected message" : reason)
            throw UnexpectedMessageError()
        }
    }

    /// The error for a message that does not match the script.
    struct UnexpectedMessageError: Error {}

    // MARK: Events of the connection

    func didReceive(_ frame: NIOWebSocket.WebSocketFrame) {
        var bytes = frame.unmaskedData
        switch frame.opcode {
        case .text: enqueue(.text(bytes.readString(length: bytes.readableBytes) ?? ""))
        case .binary: enqueue(.data(Data(bytes.readableBytesView)))
        case .ping: if answersPings { answer(bytes) }
        case .connectionClose:
            let code = bytes.readInteger(as: UInt16.self) ?? WebSocketCloseCode.noStatusReceived.rawValue
            let reason = bytes.readString(length: bytes.readableBytes) ?? ""
            let isAnswer = state.withLock { state in
                state.receivedClose = (code, reason)
                defer { state.hasSentClose = true }
                return state.hasSentClose
            }
            incoming.finish()
            guard isAnswer || answersClose else { return }
            if !isAnswer { send(.connectionClose, bytes: code == 1005 ? ByteBuffer() : Self.payload(code, reason: "")) }
            channel.close(promise: nil)
        default: break
        }
    }

    func connectionClosed() {
        incoming.finish()
        ended.open()
    }

    /// Returns true if the connection may read.
    ///
    /// If not, the socket resumes reading later.
    func mayRead() -> Bool {
        state.withLock { state in
            state.isReadSuspended = state.backlog >= Self.highWatermark && !state.hasSentClose
            return !state.isReadSuspended
        }
    }

    /// Sends a pending pong, because the connection is writable again.
    func channelBecameWritable() {
        if let pong = state.withLock({ $0.pong.take() }) { send(.pong, bytes: pong) }
    }

    private func enqueue(_ message: WebSocketMessage) {
        let isAccepted = state.withLock { state in
            // After a close frame everything is read, but no more than the limit is kept.
            guard state.backlog < Self.highWatermark || !state.hasSentClose else { return false }
            state.backlog += Self.weight(message)
            return true
        }
        if isAccepted { incoming.put(message) }
    }

    private func didTake(_ message: WebSocketMessage) {
        let resumesReading = state.withLock { state in
            state.backlog -= Self.weight(message)
            guard state.isReadSuspended, state.backlog <= Self.highWatermark / 2 else { return false }
            state.isReadSuspended = false
            return true
        }
        if resumesReading { channel.read() }
    }

    /// Returns the cost of a message: an empty one takes memory, too.
    private static func weight(_ message: WebSocketMessage) -> Int { message.byteCount + 64 }

    /// Answers a ping.
    ///
    /// While the connection is not writable, only the last ping is answered (RFC 6455, section 5.5.3).
    private func answer(_ bytes: ByteBuffer) {
        if channel.isWritable {
            send(.pong, bytes: bytes)
        } else {
            state.withLock { $0.pong = bytes }
            // The connection may have become writable meanwhile.
            if channel.isWritable { channelBecameWritable() }
        }
    }

    private func write(_ opcode: NIOWebSocket.WebSocketOpcode, bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(NIOWebSocket.WebSocketFrame(fin: true, opcode: opcode, data: bytes)).get()
    }

    private func send(_ opcode: NIOWebSocket.WebSocketOpcode, bytes: ByteBuffer) {
        channel.writeAndFlush(NIOWebSocket.WebSocketFrame(fin: true, opcode: opcode, data: bytes), promise: nil)
    }

    private static func payload(_ code: UInt16, reason: String) -> ByteBuffer {
        var payload = ByteBuffer(integer: code)
        payload.writeString(reason)
        return payload
    }
}
