// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A connection during its handshake, for sending and receiving single messages.
///
/// ``SubscriptionRouter/negotiate(over:)`` receives one; a test may pass its own implementation.
public protocol SubscriptionTransport: Sendable {
    /// The subprotocol that the server selected.
    var subprotocol: String? { get }

    /// Sends a message.
    ///
    /// - Parameter message: The message.
    /// - Throws: The error that ended the connection.
    func send(_ message: WebSocketMessage) async throws

    /// Waits for the next message.
    ///
    /// - Returns: The message.
    /// - Throws: The error that ended the connection; the handshake has failed then.
    func receive() async throws -> WebSocketMessage
}

extension SubscriptionTransport {
    /// `nil`: no subprotocol.
    public var subprotocol: String? { nil }

    /// Sends a JSON value as a text message.
    ///
    /// - Parameter json: The value.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the value cannot be encoded, or the error that ended the
    ///   connection.
    public func send(_ json: JSON) async throws {
        try await send(.text(String(decoding: try json.data(), as: UTF8.self)))
    }
}

/// The transport for the handshake on an open link.
struct LinkTransport: SubscriptionTransport {
    let link: any WebSocketChannel

    var subprotocol: String? { link.subprotocol }

    func send(_ message: WebSocketMessage) async throws { try await link.send(message) }

    func receive() async throws -> WebSocketMessage {
        guard let message = try await link.receive() else {
            throw SubscriptionError(
                .negotiationFailed, message: "the server closed the connection during the handshake",
                closure: link.closure)
        }
        return message
    }
}
