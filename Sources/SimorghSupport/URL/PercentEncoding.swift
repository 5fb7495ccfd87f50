// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Percent-encoding for URLs and forms, into a single buffer of the exact size.
package enum PercentEncoding {
    /// The treatment of a `%` in the text.
    package enum Percent: Sendable {
        /// It is an ordinary character and is escaped.
        case escaped
        /// It is kept as an escape if two hexadecimal digits follow, and escaped otherwise.
        case kept
        /// It is always kept: a server that names a resource `100%` accepts no other form.
        case untouched
    }

    /// Returns the text with every byte outside the set escaped.
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

    /// Returns the number of bytes that ``write(_:keeping:percent:to:)`` writes.
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

    /// Returns the first byte that is invalid in an escaped text: one outside the set, or a `%` without two digits.
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

    /// Calls a function with the bytes in contiguous memory, which nearly all strings provide without a copy.
    // Performance: see `ByteSet.contains`.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func withBytes<Result>(
        of text: Substring.UTF8View, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        text.withContiguousStorageIfAvailable(body) ?? Array(text).withUnsafeBufferPointer(body)
    }

    /// Returns the bytes with escapes decoded repeatedly until none is left, in linear time.
    package static func decodedThroughout(_ bytes: Substring.UTF8View) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        for byte in bytes {
            decoded.append(byte)
            // A decoded byte may complete another escape: `%252e` becomes `%2e`, and that a dot.
            while decoded.count >= 3, decoded[decoded.count - 3] == UInt8(ascii: "%"),
                let high = hexValue(decoded[decoded.count - 2]), let low = hexValue(decoded[decoded.count - 1])
            {
                decoded.removeLast(3)
                decoded.append(high << 4 | low)
            }
        }
        return decoded
    }

    /// Returns the bytes with escapes decoded once; invalid escapes are kept.
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

    /// Returns a text with escapes decoded once; invalid escapes are kept, and invalid UTF-8 is replaced.
    package static func decodedText(_ text: some StringProtocol) -> String {
        String(decoding: decoded(Array(text.utf8)), as: UTF8.self)
    }

    /// Returns a name or value of a form or query with escapes decoded, and a space for each plus sign.
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
