// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A way of one's own to read a response: CSV, protocol buffers, a page of results with its headers.
public protocol Deserializable<Object>: Sendable {
    /// What it gives.
    associatedtype Object: Sendable

    /// Reads a response whose status is accepted.
    ///
    /// - Parameter response: The response; its body may be empty.
    /// - Returns: The value.
    /// - Throws: Anything; it reaches the caller inside ``/SimorghCore/NetworkError/decodingError(_:)``.
    func decode(_ response: CollectedResponse) throws -> Object
}

extension ResponseDecoding {
    /// By a reader of the user's.
    ///
    /// - Parameter reader: The reader.
    /// - Returns: The way.
    public static func custom(_ reader: some Deserializable<Output>) -> ResponseDecoding {
        ResponseDecoding { response, _ in try reader.decode(response) }
    }
}
