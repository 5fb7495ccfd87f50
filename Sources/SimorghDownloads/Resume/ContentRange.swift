// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The header field `Content-Range` of a response (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Hashable {
    /// The range of the body; `nil` if the server could not satisfy the request (416).
    package let range: Range<Int64>?
    /// The length of the whole file; `nil` if the server does not know it.
    package let total: Int64?

    /// Parses a value of the field.
    ///
    /// - Parameter value: The value. For a unit other than bytes and for a contradictory value, the initializer
    ///   returns `nil`.
    package init?(_ value: String) {
        let words = value.utf8.split { $0 == 0x20 || $0 == 0x09 }
        guard words.count == 2, String(words[0])?.lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let isTotalKnown = !parts[1].elementsEqual("*".utf8)
        total = isTotalKnown ? Self.number(parts[1]) : nil
        if isTotalKnown, total == nil { return nil }
        if parts[0].elementsEqual("*".utf8) {
            guard isTotalKnown else { return nil }
            range = nil
            return
        }
        let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < .max, last < total ?? .max
        else { return nil }
        range = first..<last + 1
    }

    /// Parses a number that consists only of digits; `nil` also if it is too large.
    package static func number(_ text: Substring.UTF8View) -> Int64? {
        guard !text.isEmpty, text.allSatisfy(ByteSet.digits.contains) else { return nil }
        // More than an exbibyte is not plausible and would overflow a sum.
        return Int64(Substring(text)).flatMap { $0 <= 1 << 60 ? $0 : nil }
    }

    /// Returns the value of the header field `Range`: `bytes=5-9`, or `bytes=5-` to the end of the file.
    ///
    /// - Parameters:
    ///   - start: The first byte.
    ///   - end: The byte after the last one; `nil` for the end of the file.
    /// - Returns: The value.
    package static func request(from start: Int64, to end: Int64?) -> String {
        "bytes=\(start)-\(end.map { String($0 - 1) } ?? "")"
    }
}
