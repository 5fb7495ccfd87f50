// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Finds where a JSON text ends (RFC 8259), without reading what it says: brackets are counted, strings passed over.
struct JSONText: Sendable {
    private enum Kind { case unknown, container, string, scalar }

    private var kind = Kind.unknown
    private var depth = 0
    private var quotes = JSONQuotes()

    init() {}

    /// Whether a text has begun that a bracket or a quote ends; a number, `true`, `false` and `null` have no end of their
    /// own.
    var isScalar: Bool { kind == .scalar }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - range: What of it to read; it begins with the text's first byte where nothing was read yet.
    /// - Returns: The place after the text's last byte; `nil` when it goes on.
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
                // One test for most bytes: both brackets of a kind differ in one bit from each other.
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
