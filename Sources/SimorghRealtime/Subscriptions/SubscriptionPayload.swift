// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An event as the server sent it: a message, and the key path of the event in it.
///
/// It is decoded only when a subscriber reads it.
public struct SubscriptionPayload: Sendable, Hashable {
    /// The message, JSON in a text or binary message.
    public let message: WebSocketMessage
    /// The key path of the event; empty if the whole message is the event.
    public let path: DecodableKeyPath

    /// Creates a payload.
    ///
    /// - Parameters:
    ///   - message: The message, JSON in a text or binary message.
    ///   - path: The key path of the event.
    public init(_ message: WebSocketMessage, at path: DecodableKeyPath = []) {
        self.message = message
        self.path = path
    }

    /// Decodes the event.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - inner: The key path of the value within the event; by default the whole event.
    ///   - decoder: The JSON decoder.
    /// - Returns: The decoded value.
    /// - Throws: ``/SimorghCore/InvalidKeyPathError`` if the key path does not exist in the message, otherwise
    ///   `DecodingError`.
    public func decoded<Model: Decodable>(
        as type: Model.Type = Model.self, at inner: DecodableKeyPath = [], decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        let components = path.components + inner.components
        guard !components.isEmpty else { return try decoder.decode(Model.self, from: message.bytes) }
        return try decoder.decode(Model.self, from: message.bytes, at: DecodableKeyPath(components: components))
    }
}
