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
        var place = range.lowerBound
        if kind == .unknown, place < range.upperBound {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                kind = .container
                depth = 1
                place += 1
            case UInt8(ascii: "\""):
                kind = .string
                quotes.take(bytes[place])
                place += 1
            default: kind = .scalar
            }
        }
        if kind == .scalar {
            while place < range.upperBound {
                if Self.endsScalar(bytes[place]) { return place }
                place += 1
            }
            return nil
        }
        while place < range.upperBound {
            if quotes.isInside {
                guard let next = quotes.end(in: bytes, place..<range.upperBound) else { return nil }
                place = next
                if kind == .string { return place }
            }
            while place < range.upperBound {
                let byte = bytes[place]
                place += 1
                // One test for most bytes: `{` and `[` differ in one bit, and so do `}` and `]`.
                if quotes.take(byte) { break }
                if byte | 0x20 == UInt8(ascii: "{") {
                    depth += 1
                } else if byte | 0x20 == UInt8(ascii: "}") {
                    depth -= 1
                    if depth == 0 { return place }
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
