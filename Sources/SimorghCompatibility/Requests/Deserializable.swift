// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A custom response decoder, for example for CSV, Protocol Buffers, or a page of results with its header fields.
public protocol Deserializable<Object>: Sendable {
    /// The decoded type.
    associatedtype Object: Sendable

    /// Decodes a response with an accepted status.
    ///
    /// - Parameter response: The response; its body may be empty.
    /// - Returns: The value.
    /// - Throws: Any error; the caller gets it wrapped in ``/SimorghCore/NetworkError/decodingError(_:)``.
    func decode(_ response: CollectedResponse) throws -> Object
}

extension ResponseDecoding {
    /// Returns a decoding that uses a custom decoder.
    ///
    /// - Parameter reader: The decoder.
    /// - Returns: The decoding.
    public static func custom(_ reader: some Deserializable<Output>) -> ResponseDecoding {
        ResponseDecoding { response, _ in try reader.decode(response) }
    }
}
