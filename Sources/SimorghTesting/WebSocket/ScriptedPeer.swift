// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghRealtime
import Synchronization

/// The server's end of a scripted connection, in the hands of a test.
///
/// What the client sends waits here until it is received; past the script's bound the client's sends wait, as before a
/// server that does not read.
public final class ScriptedPeer: Sendable {
    /// The request that opened the connection.
    public let request: RecordedRequest
    /// How the client wanted the connection to behave, with the subprotocols that it offered.
    public let options: WebSocketLinkOptions
    private let wire: ScriptedWire

    init(_ request: RecordedRequest, _ options: WebSocketLinkOptions, _ wire: ScriptedWire) {
        self.request = request
        self.options = options
        self.wire = wire
    }

    /// How the connection ended, as the client sees it; `nil` as long as it has not.
    public var closure: WebSocketClosure? { wire.closure }

    /// Whether the connection stands.
    public var isOpen: Bool { wire.closure == nil }

    /// The code and reason of the client's goodbye; `nil` where it has said none.
    public var goodbye: (code: WebSocketCloseCode, reason: String)? { wire.goodbye }

    /// How many pings the client sent by its own hand.
    public var pingCount: Int { wire.pings }

    /// How many sends of the client wait until more was received; for tests.
    package var waitingSends: Int { wire.waitingSends }

    /// Whether pings are answered; on by default.
    ///
    /// One that is not waits until the connection ends.
    public var answersPings: Bool {
        get { wire.answersPings }
        set { wire.answersPings = newValue }
    }

    /// Whether the client's goodbye is answered at once; on by default.
    ///
    /// One that is not waits for ``answerGoodbye()`` or ``drop(_:)``: nothing here looks at a clock.
    public var answersGoodbye: Bool {
        get { wire.answersGoodbye }
        set { wire.answersGoodbye = newValue }
    }

    /// Sends a message.
    ///
    /// - Parameter message: The message; after the end it is dropped.
    public func send(_ message: WebSocketMessage) { wire.toClient.put(message) }

    /// Sends a text.
    ///
    /// - Parameter text: The text.
    public func send(_ text: String) { send(.text(text)) }

    /// Waits for the client's next message.
    ///
    /// - Returns: The message; `nil` when the client has said goodbye, or the connection has ended.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func receive() async throws -> WebSocketMessage? { try await wire.take() }

    /// Waits for the client's next message, and gives it as text.
    ///
    /// - Returns: The text; `nil` when the client has said goodbye, or the connection has ended.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func receiveText() async throws -> String? {
        try await receive().map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Says goodbye; the client answers, and the connection ends clean.
    ///
    /// - Parameters:
    ///   - code: Why.
    ///   - reason: Why in words.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") {
        wire.end(WebSocketClosure(code: code, reason: reason, isClean: true, initiator: .remote))
    }

    /// Answers the goodbye of a client that waits for it.
    public func answerGoodbye() {
        let (code, reason) = wire.goodbye ?? (.normal, "")
        wire.end(WebSocketClosure(code: code, reason: reason, isClean: true, initiator: .local))
    }

    /// Ends the connection without a goodbye, as a network does that goes away.
    ///
    /// - Parameter message: What the client's error says.
    public func drop(_ message: String = "the server went away") { wire.lose(message, by: .remote) }

    /// Breaks a rule, for which the client ends the connection.
    ///
    /// - Parameter code: The code that the client says goodbye with, such as ``/SimorghRealtime/WebSocketCloseCode/protocolError``.
    public func misbehave(_ code: WebSocketCloseCode = .protocolError) {
        let failure = WebSocketError(
            .protocolViolation, message: "the server broke a rule of the protocol", closeCode: code)
        wire.end(WebSocketClosure(code: code, isClean: false, initiator: .local, failure: failure))
    }

    /// Lets nothing more in: whoever sends waits, as before a server that does not read.
    ///
    /// - Returns: The gate that lets it in again.
    public func holdSends() -> Gate {
        let gate = Gate()
        wire.writable.withLock { $0 = gate }
        return gate
    }

    /// Waits until the connection has ended.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func closed() async throws { try await wire.over.wait() }
}
