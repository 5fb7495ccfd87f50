// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A parser that splits bytes, which arrive in pieces, into records: a value without a socket, a task or a clock.
///
/// It is called repeatedly with the same piece until the piece contains no further record, then with the next piece. A
/// record is returned as soon as its last byte has arrived, and the parser never reads ahead of its caller.
package protocol RecordParser: Sendable {
    /// The type of a record.
    associatedtype Record: Sendable

    /// Returns the next record that ends in a piece.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - position: The position to read from; 0 for a new piece. Advanced past the record.
    /// - Returns: The record; `nil` if the piece contains no further record.
    /// - Throws: ``StreamingError``, after which there are no more records.
    mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> Record?

    /// Returns a record that the end of the bytes completes; called until it returns `nil`.
    mutating func finish() throws(StreamingError) -> Record?
}
