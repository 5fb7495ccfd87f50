// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A WebSocket that comes back: messages both ways, over as many connections as it takes.
///
/// ```swift
/// let connection = try client.webSocketConnection(ChatSocket())
/// connection.connect()
/// try await connection.sendText("hello")
/// for try await event in connection.events() {
///     if case .message(let message) = event { print(message) }
/// }
/// ```
/// It lives until it is closed, its policy gives up, or nobody holds it any more, nor one of its streams: then it says
/// goodbye by itself. It may be used from many tasks at once; what one task sends keeps its order, and a message is never
/// mixed with another.
public final class WebSocketConnection: Sendable {
    /// Where it connects to, as its router said when it was made.
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

    /// What it is doing.
    public var state: WebSocketConnectionState {
        switch session.phase {
        case .idle: .idle
        case .opening, .restarting: .connecting
        case .open: .connected
        case .waiting(let attempt, let delay): .reconnecting(attempt: attempt, delay: delay.inSeconds)
        case .closing, .over: .disconnected
        }
    }

    /// Why it was lost last, or could not be made; `nil` where nothing of that happened since ``connect()``.
    public var lastFailure: WebSocketError? { session.failure }

    /// The subprotocol that the server chose; `nil` where it chose none, or there is no connection now.
    public var subprotocol: String? { session.link?.subprotocol }

    /// The compression that was agreed; `nil` where there is none, or no connection now.
    public var compression: WebSocketCompression? { session.link?.compression }

    /// The server's answer to the upgrade, with the facts of the connection; `nil` where there is no connection now.
    public var response: TransportResponse? { session.link?.response }

    /// Connects; where it is connected or about to be, nothing happens.
    ///
    /// It returns at once: ``events(buffer:)`` tells what comes of it, and ``waitUntilConnected()`` waits for it.
    public func connect() { session.connect() }

    /// Connects at once and anew, with the attempts counted from the beginning: out of a wait, after the end, or instead of
    /// the connection that stands, which is closed with 1001 first.
    public func reconnect() { session.reconnect() }

    /// Ends it, whatever it is doing, and keeps it from coming back; what was sent goes out first.
    ///
    /// It returns at once: ``waitUntilClosed()`` waits for the server's goodbye.
    ///
    /// - Parameters:
    ///   - code: Why; one that may not be sent counts as 1000.
    ///   - reason: Why in words, cut to 123 bytes.
    public func close(code: WebSocketCloseCode = .normal, reason: String? = nil) {
        session.close(code: code, reason: reason ?? "")
    }

    /// Waits until the connection stands, through as many attempts as the policy allows.
    ///
    /// - Throws: ``WebSocketError``: why it is over; ``WebSocketError/statusCode`` has the status of a refusal.
    public func waitUntilConnected() async throws { try await session.connected(after: session.links) }

    /// Connects, and waits until the connection stands, or has stood.
    package func open() async throws(WebSocketError) {
        let links = session.links
        connect()
        try await session.connected(after: links)
    }

    /// Waits until it is over, and nothing of it is left.
    ///
    /// - Returns: How the last connection ended; `nil` where there was none.
    /// - Throws: ``WebSocketError/Code/cancelled`` when the task is cancelled.
    @discardableResult
    public func waitUntilClosed() async throws -> WebSocketClosure? { try await session.ended() }

    /// Ends it at once, and waits until nothing of it is left, whether the task is cancelled or not.
    package func abandon() async {
        session.abort()
        _ = await Task { [session] in try? await session.ended() }.value
    }

    // MARK: Receiving

    /// What happens from now on, as a stream: each call gives one of its own, which gets everything.
    ///
    /// A stream that begins while the connection stands begins with ``WebSocketEvent/connected``, and the first one also
    /// gets what came before it. It ends after ``WebSocketEvent/disconnected(code:reason:)``: by itself where one of the
    /// sides closed the connection, else in an error that says why. Holding it holds the connection.
    ///
    /// - Parameter buffer: How much is kept where the stream is read slower than the server sends; what the options say by
    ///   default.
    /// - Returns: The stream, to be read by one task at a time.
    public func events(buffer: WebSocketBuffer? = nil) -> WebSocketEvents {
        WebSocketEvents(WebSocketObservation(of: self, session.hub, buffer))
    }

    /// The messages from now on, each decoded from JSON, be it text or bytes.
    ///
    /// A message that is something else throws ``WebSocketError/Code/decodingFailed``; who asks for the next one all the
    /// same gets it.
    ///
    /// - Parameters:
    ///   - type: What a message stands for.
    ///   - decoder: Decodes; the client's by default.
    ///   - buffer: How much is kept where the stream is read slower than the server sends; what the options say by default.
    /// - Returns: The stream, to be read by one task at a time.
    public func messages<Model: Decodable & Sendable>(
        of type: Model.Type = Model.self, decoder: JSONDecoder? = nil, buffer: WebSocketBuffer? = nil
    ) -> WebSocketMessages<Model> {
        WebSocketMessages(events(buffer: buffer), decoder: decoder ?? self.decoder ?? Coders.decoder)
    }

    /// The messages, each in parts as they come, of any size: where ``WebSocketOptions/receivesInParts`` is set.
    ///
    /// Nothing more is read from the server until a part was taken; at the end of a connection up to 2 MiB of what had
    /// come are kept. A message that breaks off throws, and the next one is of the connection that comes after. All that is
    /// given is read by one task; events are told as ever, but messages.
    ///
    /// ```swift
    /// for try await message in connection.messagesInParts() {
    ///     for try await part in message { try file.write(contentsOf: part) }
    /// }
    /// ```
    /// - Returns: The stream, to be read by one task at a time.
    public func messagesInParts() -> WebSocketMessagesInParts { WebSocketMessagesInParts(self, session.desk) }

    // MARK: Sending

    /// Sends a message.
    ///
    /// It returns when the message is written, or fewer bytes than ``WebSocketOptions/sendBufferSize`` wait before it: not
    /// when the server has it. A message is never sent again over another connection.
    ///
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketError``.
    public func send(_ message: WebSocketMessage) async throws {
        // Here, and not in the session: an asynchronous function more costs nearly as much as a small message.
        if session.sendAtOnce(message) { return }
        try await session.send(message)
    }

    /// Sends a value as JSON, in a text.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: Encodes it; the client's by default.
    /// - Throws: ``WebSocketError``; ``WebSocketError/Code/encodingFailed`` before anything was sent.
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

    /// Sends a text as it is.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``WebSocketError``.
    public func sendText(_ text: String) async throws {
        if session.sendAtOnce(.text(text)) { return }
        try await session.send(.text(text))
    }

    /// Sends bytes as they are.
    ///
    /// - Parameter data: The bytes.
    /// - Throws: ``WebSocketError``.
    public func sendData(_ data: Data) async throws {
        if session.sendAtOnce(.data(data)) { return }
        try await session.send(.data(data))
    }

    /// Sends one message in parts, each as soon as there is room for it; other messages wait until it is whole.
    ///
    /// Where messages are to wait for a connection that comes back, one of which no part was asked for yet does.
    ///
    /// - Parameters:
    ///   - parts: The parts; those of a text are UTF-8, and may be cut within a character.
    ///   - kind: Whether the message is text; bytes by default.
    /// - Throws: ``WebSocketError``, or what `parts` throws: the connection is lost then, as half a message cannot be taken
    ///   back.
    public func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind = .binary
    ) async throws where Parts.Element == Data {
        try await session.send(parts, as: kind)
    }

    /// Sends a ping and waits for the answer.
    ///
    /// Pings that find out whether the connection lives are sent without being asked for: see
    /// ``WebSocketOptions/pingInterval``. The answer comes behind the messages that the server sent before it: who pings
    /// in the loop that takes them, where the buffer suspends, may wait for what only that loop could take.
    ///
    /// - Returns: How long the answer took.
    /// - Throws: ``WebSocketError``; ``WebSocketError/Code/pongTimedOut`` where no answer came within
    ///   ``WebSocketOptions/pongTimeout``, and the connection goes on. A cancelled task throws
    ///   ``WebSocketError/Code/cancelled`` at once.
    @discardableResult
    public func ping() async throws -> Duration { try await session.ping() }
}
