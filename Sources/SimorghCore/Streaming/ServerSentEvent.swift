// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A server-sent event (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event; `message` if the server does not set one.
    public var event: String
    /// The data of the event; its lines are joined by LF.
    public var data: String
    /// The last event id that the server sent, with this event or an earlier one; empty if it sent none.
    ///
    /// A reconnect sends it as `Last-Event-ID`.
    public var id: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - event: The type of the event.
    ///   - id: The last event id that the server sent.
    public init(data: String, event: String = "message", id: String = "") {
        self.event = event
        self.data = data
        self.id = id
    }

    /// Decodes the data of the event as JSON.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - decoder: The decoder.
    /// - Returns: The model.
    /// - Throws: The error of the decoder.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        try decoder.decode(type, from: Data(data.utf8))
    }
}
