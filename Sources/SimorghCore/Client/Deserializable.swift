// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A way of one's own to read a response: CSV, protocol buffers, a page of results with its headers.
public protocol Deserializable<Object>: Sendable {
    /// What it gives.
    associatedtype Object: Sendable

    /// Reads a response whose status is accepted.
    ///
    /// - Parameter response: The response; its body may be empty.
    /// - Returns: The value.
    /// - Throws: Anything; it reaches the caller inside ``NetworkError/decodingError(_:)``.
    func decode(_ response: CollectedResponse) throws -> Object
}
