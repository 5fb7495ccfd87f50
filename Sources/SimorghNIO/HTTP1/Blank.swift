// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The blanks around and in a field's value: space and tab (RFC 9110, section 5.6.3).
enum Blank {
    /// True if a byte is one.
    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Returns bytes without the blanks at their ends.
    @inline(__always)
    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        var trimmed = bytes[...]
        while let first = trimmed.first, isBlank(first) { trimmed = trimmed.dropFirst() }
        while let last = trimmed.last, isBlank(last) { trimmed = trimmed.dropLast() }
        return trimmed
    }
}
