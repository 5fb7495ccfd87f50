// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A complete WebSocket message.
public enum WebSocketMessage: Sendable, Hashable {
    /// A text message, which is valid Unicode.
    case text(String)
    /// A binary message.
    case data(Data)

    /// The kind of a message.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Text in UTF-8.
        case text
        /// Arbitrary bytes.
        case binary
    }

    /// The kind of the message.
    public var kind: Kind {
        switch self {
        case .text: .text
        case .data: .binary
        }
    }

    /// The bytes of the message; UTF-8 for text.
    public var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }

    /// The size of the message before compression, in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }

    /// Decodes the message as JSON, whether text or binary.
    ///
    /// - Parameters:
    ///   - type: The type to decode; inferred from the use of the result by default.
    ///   - decoder: The JSON decoder.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError`.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: bytes)
    }
}
