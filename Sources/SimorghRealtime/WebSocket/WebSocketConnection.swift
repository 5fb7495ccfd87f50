// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A WebSocket that reconnects automatically and exchanges messages in both directions.
///
/// ```swift
/// let connection = try client.webSocketConnection(ChatSocket())
/// connection.connect()
/// try await connection.sendText("hello")
/// for try await event in connection.events() {
///     if case .message(let message) = event { print(message) }
/// }
/// ```
/// The connection ends when it is closed, when its reconnect policy gives up, or when the last reference to it and to
/// its streams is released; in that case it closes with 1001. It may be used from many tasks at once. The messages of
/// one task are sent in order, and messages of different tasks are never interleaved.
public final class WebSocketConnection: Sendable {
    /// The URL to connect to, as the router described it when the connection was created.
    public let url: String
    private let session: WebSocketSession
    private let decoder: JSONDecoder?
    private let encoder: JSONEncoder?

    package init(url: String, _ session: WebSocketSession, decoder: JSONDecoder?, encoder: JSONEncoder?) {
        self.url = url
        self.session = session
        self.decoder = decoder
        self.encoder = encoder
    }

    deinit { session.close(code: .goingAway, reason: "") }

    /// The current state.
    public var state: WebSocketConnectionState {
        switch session.phase {
        case .idle: .idle
        case .opening, .restarting: .connecting
        case .open: .connected
        case .waiting(let attempt, let delay): .reconnecting(attempt: attempt, delay: delay.secondsAsDouble)
        case .closing, .over: .disconnected
        }
    }

    /// The reason of the last lost connection or failed attempt; `nil` if none has failed since ``connect()``, and if this
    /// side closed the connection properly.
    public var lastFailure: WebSocketError? { session.failure }

    /// True once the client of the connection drains.
    package var isDraining: Bool { session.isDraining }

    /// The subprotocol that the server selected; `nil` if it selected none, or if the connection is not open.
    public var subprotocol: String? { session.link?.subprotocol }

    /// The agreed compression; `nil` if no compression was agreed, or if the connection is not open.
    public var compression: WebSocketCompression? { session.link?.compression }

    /// The server's response to the upgrade request, with connection details; `nil` if the connection is not open.
    public var response: TransportResponse? { session.link?.response }

    /// Connects; does nothing if the connection is open or being opened.
    ///
    /// Returns immediately. ``events(buffer:)`` reports the outcome, and ``waitUntilConnected()`` waits for it. Until the
    /// first connection is open, attempts without a network count as well, so that it ends after
    /// ``WebSocketReconnectPolicy/maximumAttempts``, also in airplane mode.
    public func connect() { session.connect() }

    /// Connects again immediately and resets the count of attempts.
    ///
    /// This cuts short a wait before an attempt and revives a connection that has ended. An open connection is closed
    /// with 1001 first, which takes at most one second; messages that the server sends meanwhile may be lost. If the
    /// connection may still work, try ``ping()`` first.
    public func reconnect() { session.reconnect() }

    /// Closes the connection and stops reconnecting; messages that were already accepted are sent first.
    ///
    /// Returns immediately. ``waitUntilClosed()`` waits for the server's close frame.
    ///
    /// - Parameters:
    ///   - code: The close code; 1000 is sent instead of a code that may not be sent.
    ///   - reason: The reason text, truncated to 123 bytes.
    public func close(code: WebSocketCloseCode = .normal, reason: String? = nil) {
        session.close(code: code, reason: reason ?? "")
    }

    /// Waits until the connection is open, through as many attempts as the policy allows.
    ///
    /// Before the first connection, attempts without a network count. Later, a connection without a network is awaited for
    /// up to ``WebSocketReconnectPolicy/maximumOfflineWait``.
    ///
    /// - Throws: ``WebSocketError`` with the reason of the end; ``WebSocketError/statusCode`` has the HTTP status if
    ///   the server refused the upgrade.
    public func waitUntilConnected() async throws { try await session.connected(after: session.links) }

    /// Connects, and waits until the connection is open or has been open.
    package func open() async throws(WebSocketError) {
        let links = session.links
        connect()
        try await session.connected(after: links)
    }

    /// Waits until the connection has ended and its resources are released.
    ///
    /// - Returns: A description of the end of the last connection; `nil` if none was opened.
    /// - Throws: ``WebSocketError/Code/cancelled`` if the task is cancelled.
    @discardableResult
    public func waitUntilClosed() async throws -> WebSocketCloseInfo? { try await session.ended() }

    /// Ends the connection immediately, and waits until its resources are released, even if the task is cancelled.
    package func abandon() async {
        session.abort()
        _ = await Task { [session] in try? await session.ended() }.value
    }

    // MARK: Receiving

    /// Returns a stream of the events from now on; each call creates a new stream that receives every event.
    ///
    /// The stream of an open connection begins with ``WebSocketEvent/connected``. The first stream also receives the
    /// events before it. A stream ends after ``WebSocketEvent/disconnected(code:reason:)``: normally if one side
    /// closed the connection, otherwise by throwing the error. A stream keeps the connection alive.
    ///
    /// - Parameter buffer: The buffer for events that the stream has not read yet; by default the one of the options.
    /// - Returns: The stream, to be read by one task at a time.
    public func events(buffer: WebSocketBuffer? = nil) -> WebSocketEvents {
        WebSocketEvents(WebSocketObserverHandle(of: self, hub: session.hub, bounds: buffer))
    }

    /// Returns a stream of the messages from now on, each decoded from JSON, whether text or binary.
    ///
    /// A message that cannot be decoded throws ``WebSocketError/Code/decodingFailed``; the next read continues with
    /// the next message.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The JSON decoder; by default the client's.
    ///   - buffer: The buffer for events that the stream has not read yet; by default the one of the options.
    /// - Returns: The stream, to be read by one task at a time.
    public func messages<Model: Decodable & Sendable>(
        of type: Model.Type = Model.self, decoder: JSONDecoder? = nil, buffer: WebSocketBuffer? = nil
    ) -> WebSocketMessages<Model> {
        WebSocketMessages(events(buffer: buffer), decoder: decoder ?? self.decoder ?? Coders.decoder)
    }

    /// Returns a stream of messages of any size, each as a sequence of parts.
    ///
    /// Requires ``WebSocketOptions/streamsMessages``. The connection reads nothing more from the server until the
    /// current part has been taken; at the end of a connection, up to 2 MiB of received data are kept. A message that
    /// breaks off throws, and the next message is from the next connection. All streams that this returns must be read
    /// by a single task. ``events(buffer:)`` still reports all other events.
    ///
    /// ```swift
    /// for try await message in connection.streamedMessages() {
    ///     for try await part in message { try file.write(contentsOf: part) }
    /// }
    /// ```
    /// - Returns: The stream, to be read by one task at a time.
    public func streamedMessages() -> WebSocketStreamedMessages {
        WebSocketStreamedMessages(self, queue: session.fragmentQueue)
    }

    // MARK: Sending

    /// Sends a message.
    ///
    /// Returns when the message has been written, or when fewer than ``WebSocketOptions/sendBufferSize`` bytes are
    /// queued before it. Returning does not mean that the server has received the message. A message is never sent
    /// again over another connection.
    ///
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketError``.
    public func send(_ message: WebSocketMessage) async throws {
        // Performance: not inside the session, because one more async call costs nearly as much as a small message.
        if session.sendImmediately(message) { return }
        try await session.send(message)
    }

    /// Sends a value as JSON in a text message.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The JSON encoder; by default the client's.
    /// - Throws: ``WebSocketError``; ``WebSocketError/Code/encodingFailed`` if the value cannot be encoded, before
    ///   anything is sent.
    public func send(_ value: some Encodable & Sendable, encoder: JSONEncoder? = nil) async throws {
        let text: String
        do {
            let data = try (encoder ?? self.encoder ?? Coders.encoder).encode(value)
            text = String(decoding: data, as: UTF8.self)
        } catch {
            throw WebSocketError(
                .encodingFailed, message: "\(type(of: value)) could not be encoded as JSON", underlying: error)
        }
        try await send(.text(text))
    }

    /// Sends a text message.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``WebSocketError``.
    public func sendText(_ text: String) async throws {
        if session.sendImmediately(.text(text)) { return }
        try await session.send(.text(text))
    }

    /// Sends a binary message.
    ///
    /// - Parameter data: The bytes.
    /// - Throws: ``WebSocketError``.
    public func sendData(_ data: Data) async throws {
        if session.sendImmediately(.data(data)) { return }
        try await session.send(.data(data))
    }

    /// Sends one message in parts, each as soon as the send buffer has room.
    ///
    /// Other messages wait until it is complete.
    ///
    /// If the options make messages wait for a reconnection, this one waits only while no part has been requested.
    ///
    /// - Parameters:
    ///   - parts: The parts; those of a text message are UTF-8, and may be split within a character.
    ///   - kind: The kind of the message. Default: binary.
    /// - Throws: ``WebSocketError``, or the error of `parts`; this ends the connection, because a partly sent message
    ///   cannot be taken back.
    public func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind = .binary
    ) async throws where Parts.Element == Data {
        try await session.send(parts, as: kind)
    }

    /// Sends a ping and waits for the pong.
    ///
    /// The connection also sends pings by itself to detect a dead server: see ``WebSocketOptions/pingInterval``. The
    /// pong arrives after the messages that the server sent before it. With a buffer that suspends, do not ping in
    /// the loop that reads the messages: the pong may wait behind messages that only this loop can read.
    ///
    /// - Returns: The round-trip time.
    /// - Throws: ``WebSocketError``; ``WebSocketError/Code/pongTimedOut`` if no pong arrived within
    ///   ``WebSocketOptions/pongTimeout``, in which case the connection goes on. A cancelled task throws
    ///   ``WebSocketError/Code/cancelled`` immediately.
    @discardableResult
    public func ping() async throws -> Duration { try await session.ping() }
}
