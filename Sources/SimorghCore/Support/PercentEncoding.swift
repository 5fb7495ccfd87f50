// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Escaping of text for a URL or a form, written into one buffer of exactly the size it needs.
package enum PercentEncoding {
    /// What becomes of a `%` in the text.
    package enum Percent: Sendable {
        /// It is a character like any other and is escaped.
        case escaped
        /// With two hexadecimal digits after it it stays an escape; alone it is escaped.
        case kept
    }

    /// A text in which every byte outside the set is escaped.
    package static func encoded(_ text: String, keeping set: ByteSet, percent: Percent = .escaped) -> String {
        let bytes = text.utf8[...]
        let count = encodedCount(bytes, keeping: set, percent: percent)
        guard count != bytes.count else { return text }
        return String(unsafeUninitializedCapacity: count) { buffer in
            var writer = ByteWriter(buffer)
            write(bytes, keeping: set, percent: percent, to: &writer)
            return writer.count
        }
    }

    /// How many bytes ``write(_:keeping:percent:to:)`` will write.
    package static func encodedCount(_ bytes: Substring.UTF8View, keeping set: ByteSet, percent: Percent) -> Int {
        var count = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let keeps = set.contains(bytes[index]) || (percent == .kept && isEscape(at: index, of: bytes))
            count += keeps ? 1 : 3
            bytes.formIndex(after: &index)
        }
        return count
    }

    package static func write(
        _ bytes: Substring.UTF8View, keeping set: ByteSet, percent: Percent, to writer: inout ByteWriter
    ) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if set.contains(byte) || (percent == .kept && isEscape(at: index, of: bytes)) {
                writer.append(byte)
            } else {
                writer.append(escapeOf: byte)
            }
            bytes.formIndex(after: &index)
        }
    }

    /// Whether a `%` stands here with two hexadecimal digits after it.
    package static func isEscape(at index: Substring.UTF8View.Index, of bytes: Substring.UTF8View) -> Bool {
        guard bytes[index] == UInt8(ascii: "%") else { return false }
        let digits = bytes[index...].dropFirst().prefix(2)
        return digits.count == 2 && digits.allSatisfy { hexValue($0) != nil }
    }

    /// The first byte that an escaped text cannot hold: one outside the set, or a `%` without its two digits.
    package static func firstIllegal(in bytes: Substring.UTF8View, keeping set: ByteSet) -> UInt8? {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard set.contains(bytes[index]) || isEscape(at: index, of: bytes) else { return bytes[index] }
            bytes.formIndex(after: &index)
        }
        return nil
    }

    /// The bytes with every escape undone, and again what that gives, until none is left; linear in their number.
    package static func decodedThroughout(_ bytes: Substring.UTF8View) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        for byte in bytes {
            decoded.append(byte)
            // The byte of one escape may complete the next: `%252e` gives `%2e`, and that a dot.
            while decoded.count >= 3, decoded[decoded.count - 3] == UInt8(ascii: "%"),
                let high = hexValue(decoded[decoded.count - 2]), let low = hexValue(decoded[decoded.count - 1])
            {
                decoded.removeLast(3)
                decoded.append(high << 4 | low)
            }
        }
        return decoded
    }

    package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
