// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension UInt8 {
    /// True for a space or a tab, the optional whitespace of header fields (RFC 9110, section 5.6.3).
    @inlinable
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// True for `0` to `9`.
    @inlinable
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// True for white space in JSON (RFC 8259, section 2).
    // Performance: see `ByteSet.contains`.
    @_alwaysEmitIntoClient
    @inline(__always)
    package var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without leading and trailing spaces and tabs.
    @inlinable
    package var trimmingBlanks: SubSequence {
        var trimmed = self[...]
        while let first = trimmed.first, first.isBlank { trimmed = trimmed.dropFirst() }
        while let last = trimmed.last, last.isBlank { trimmed = trimmed.dropLast() }
        return trimmed
    }
}

extension StringProtocol {
    /// The text without leading and trailing spaces and tabs.
    package var trimmingBlanks: Substring { Substring(Substring(self).utf8.trimmingBlanks) }
}
