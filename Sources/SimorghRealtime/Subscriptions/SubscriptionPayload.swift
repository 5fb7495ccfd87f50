// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An event as the server sent it: a message, and the place in it where the event stands.
///
/// It is decoded where it is wanted, by whoever iterates, and not before.
public struct SubscriptionPayload: Sendable, Hashable {
    /// JSON as text or bytes.
    public let message: WebSocketMessage
    /// The way to the event; empty where the message is the event.
    public let path: DecodableKeyPath

    /// Creates a payload.
    ///
    /// - Parameters:
    ///   - message: JSON as text or bytes.
    ///   - path: The way to the event.
    public init(_ message: WebSocketMessage, at path: DecodableKeyPath = []) {
        self.message = message
        self.path = path
    }

    /// Decodes the event.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - inner: The way from the event to the model, where the model is a part of it.
    ///   - decoder: Decodes it.
    /// - Returns: The model.
    /// - Throws: ``/SimorghCore/BrokenKeyPath`` where the way leads nowhere, else `DecodingError`.
    public func decoded<Model: Decodable>(
        as type: Model.Type = Model.self, at inner: DecodableKeyPath = [], decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        let way = path.components + inner.components
        guard !way.isEmpty else { return try decoder.decode(Model.self, from: message.bytes) }
        return try decoder.decode(Model.self, from: message.bytes, at: DecodableKeyPath(components: way))
    }
}
