// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Cuts bytes that arrive in pieces into records: a value without a socket, a task or a clock.
///
/// It is asked again and again with the same piece, until it has no record more in it; then it gets the next one. So a
/// record is handed out as soon as its last byte is here, and nothing is read ahead of whoever takes the records.
package protocol RecordParser: Sendable {
    /// What the bytes are cut into.
    associatedtype Record: Sendable

    /// The next record that ends in a piece.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - position: How much of it was read; 0 for a new piece. It is moved on.
    /// - Returns: The record; `nil` when the piece is used up.
    /// - Throws: ``StreamingError``, after which there is no record more.
    mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> Record?

    /// A record that the end of the bytes ends; called until it gives none.
    mutating func finish() throws(StreamingError) -> Record?
}
