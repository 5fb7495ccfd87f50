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
        /// It stays, whatever follows it: a server that names a resource by `100%` finds it by no other text.
        case untouched
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
    package static func encodedCount(_ text: Substring.UTF8View, keeping set: ByteSet, percent: Percent) -> Int {
        withBytes(of: text) { bytes in
            var count = bytes.count
            for index in bytes.indices where !isKept(at: index, of: bytes, keeping: set, percent: percent) {
                count += 2
            }
            return count
        }
    }

    package static func write(
        _ text: Substring.UTF8View, keeping set: ByteSet, percent: Percent, to writer: inout ByteWriter
    ) {
        withBytes(of: text) { bytes in
            for index in bytes.indices {
                if isKept(at: index, of: bytes, keeping: set, percent: percent) {
                    writer.append(bytes[index])
                } else {
                    writer.append(escapeOf: bytes[index])
                }
            }
        }
    }

    /// The first byte that an escaped text cannot hold: one outside the set, or a `%` without its two digits.
    package static func firstIllegal(in text: Substring.UTF8View, keeping set: ByteSet) -> UInt8? {
        withBytes(of: text) { bytes in
            for index in bytes.indices where !isKept(at: index, of: bytes, keeping: set, percent: .kept) {
                return bytes[index]
            }
            return nil
        }
    }

    @inline(__always)
    private static func isKept(
        at index: Int, of bytes: UnsafeBufferPointer<UInt8>, keeping set: ByteSet, percent: Percent
    ) -> Bool {
        if set.contains(bytes[index]) { return true }
        guard percent != .escaped, bytes[index] == UInt8(ascii: "%") else { return false }
        if percent == .untouched { return true }
        guard bytes.count - index > 2 else { return false }
        return hexValue(bytes[index + 1]) != nil && hexValue(bytes[index + 2]) != nil
    }

    /// The bytes side by side in memory, where nearly every string has them already.
    // Performance: see `ByteSet.contains`.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func withBytes<Result>(
        of text: Substring.UTF8View, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        text.withContiguousStorageIfAvailable(body) ?? Array(text).withUnsafeBufferPointer(body)
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

    /// The bytes with every escape undone once; what is no escape stays.
    package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), bytes.count - index > 2, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// A text with every escape undone once; what is no escape stays, and what then is no UTF-8 is replaced.
    package static func decodedText(_ text: some StringProtocol) -> String {
        String(decoding: decoded(Array(text.utf8)), as: UTF8.self)
    }

    /// A name or a value of a form or a query with every escape undone, and a blank for each plus sign.
    package static func decodedItem(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        decoded(bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
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
