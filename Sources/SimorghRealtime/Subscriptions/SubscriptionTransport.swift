// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A connection that is being negotiated: messages go out and come in, one after the other.
///
/// It is what ``SubscriptionRouter/negotiate(over:)`` is given; a test may give it one of its own.
public protocol SubscriptionTransport: Sendable {
    /// The subprotocol that the server chose.
    var subprotocol: String? { get }

    /// Sends a message.
    ///
    /// - Parameter message: The message.
    /// - Throws: Whatever ended the connection.
    func send(_ message: WebSocketMessage) async throws

    /// Waits for the next message.
    ///
    /// - Returns: The message.
    /// - Throws: Whatever ended the connection: a negotiation that is cut off has failed.
    func receive() async throws -> WebSocketMessage
}

extension SubscriptionTransport {
    /// None.
    public var subprotocol: String? { nil }

    /// Sends a value as text in JSON.
    ///
    /// - Parameter json: The value.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when the value cannot be written, or whatever ended the connection.
    public func send(_ json: JSON) async throws {
        try await send(.text(String(decoding: try json.data(), as: UTF8.self)))
    }
}

/// An open connection that is being negotiated.
struct LinkTransport: SubscriptionTransport {
    let link: any WebSocketLink

    var subprotocol: String? { link.subprotocol }

    func send(_ message: WebSocketMessage) async throws { try await link.send(message) }

    func receive() async throws -> WebSocketMessage {
        guard let message = try await link.receive() else {
            throw SubscriptionError(
                .negotiationFailed, "the server closed the connection while it was negotiated", closure: link.closure)
        }
        return message
    }
}
