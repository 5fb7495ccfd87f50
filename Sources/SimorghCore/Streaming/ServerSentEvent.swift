// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An event that a server sent (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is; `message` where the server does not say.
    public var event: String
    /// What it says; its lines are joined by LF.
    public var data: String
    /// The last id that the server gave, with this event or one before it; empty where it gave none.
    ///
    /// A reconnection sends it as `Last-Event-ID`.
    public var id: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - data: What it says.
    ///   - event: What kind of event it is.
    ///   - id: The last id that the server gave.
    public init(data: String, event: String = "message", id: String = "") {
        self.event = event
        self.data = data
        self.id = id
    }

    /// Decodes what the event says as JSON.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - decoder: The decoder.
    /// - Returns: The model.
    /// - Throws: What the decoder throws.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Model {
        try decoder.decode(type, from: Data(data.utf8))
    }
}
