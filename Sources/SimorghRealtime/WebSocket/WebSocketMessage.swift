// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// One message of a WebSocket, whole.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, which is valid Unicode.
    case text(String)
    /// Bytes of any meaning.
    case data(Data)

    /// Which of the two kinds a message is.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Text, in UTF-8.
        case text
        /// Bytes of any meaning.
        case binary
    }

    /// Which kind it is.
    public var kind: Kind {
        switch self {
        case .text: .text
        case .data: .binary
        }
    }

    /// The bytes of the message; those of a text are its UTF-8.
    public var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }

    /// How many bytes the message has on the wire, before compression.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }

    /// Reads the message as JSON, be it text or bytes.
    ///
    /// - Parameters:
    ///   - type: What to read; it may be left to what the result is used for.
    ///   - decoder: Reads it.
    /// - Returns: The value.
    /// - Throws: `DecodingError`.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: bytes)
    }
}
