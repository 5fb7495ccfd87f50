// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A scanner that finds the end of a JSON text (RFC 8259) without parsing it: it counts brackets and skips strings.
struct JSONText: Sendable {
    private enum Kind { case unknown, container, string, scalar }

    private var kind = Kind.unknown
    private var depth = 0
    private var quotes = JSONQuotes()

    init() {}

    /// True if the text is a number, `true`, `false` or `null`, which no bracket or quote ends.
    var isScalar: Bool { kind == .scalar }

    /// Scans the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The buffer.
    ///   - range: The range to scan; on the first call it begins with the first byte of the text.
    /// - Returns: The index after the last byte of the text; `nil` if the text continues.
    mutating func end(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        if kind == .unknown, index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                kind = .container
                depth = 1
                index += 1
            case UInt8(ascii: "\""):
                kind = .string
                quotes.take(bytes[index])
                index += 1
            default: kind = .scalar
            }
        }
        if kind == .scalar {
            while index < range.upperBound {
                if Self.endsScalar(bytes[index]) { return index }
                index += 1
            }
            return nil
        }
        while index < range.upperBound {
            if quotes.isInside {
                guard let next = quotes.end(in: bytes, index..<range.upperBound) else { return nil }
                index = next
                if kind == .string { return index }
            }
            while index < range.upperBound {
                let byte = bytes[index]
                index += 1
                // One test for most bytes: `{` and `[` differ in one bit, and so do `}` and `]`.
                if quotes.take(byte) { break }
                if byte | 0x20 == UInt8(ascii: "{") {
                    depth += 1
                } else if byte | 0x20 == UInt8(ascii: "}") {
                    depth -= 1
                    if depth == 0 { return index }
                }
            }
        }
        return nil
    }

    /// Returns true for a byte after the end of a number, `true`, `false` or `null`.
    static func endsScalar(_ byte: UInt8) -> Bool {
        byte.isJSONSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }
}
