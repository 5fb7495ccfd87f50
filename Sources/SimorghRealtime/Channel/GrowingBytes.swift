// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Bytes that grow at their end.
package protocol GrowingBytes {
    /// Appends bytes in place.
    ///
    /// - Parameters:
    ///   - count: The minimum size of the memory to offer, in bytes.
    ///   - fill: Writes to the start of the memory, and returns the number of bytes written.
    mutating func write(atLeast count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int)

    /// Removes bytes from the end; there must be as many.
    mutating func removeLast(_ count: Int)
}
