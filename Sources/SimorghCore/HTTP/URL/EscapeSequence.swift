// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A decoder for one escape sequence of a URL or of a JSON string.
package enum EscapeSequence {
    /// The largest number of consecutive backslashes that is counted, because a text may consist only of backslashes.
    package static let maximumRun = 64

    /// Returns the bytes that the escape sequence at an index encodes, and the index after it.
    ///
    /// - Parameters:
    ///   - index: The index of the `%`, `+` or backslash.
    ///   - bytes: The text.
    /// - Returns: `nil` if no escape sequence begins there.
    package static func decoded(at index: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        switch bytes[index] {
        case UInt8(ascii: "+"): return ([0x20], index + 1)
        case UInt8(ascii: "%"):
            return number(ofDigits: 2, at: index + 1, in: bytes).map { ([UInt8(truncatingIfNeeded: $0)], index + 3) }
        case UInt8(ascii: "\\"): return letter(at: index + 1, in: bytes)
        default: return nil
        }
    }

    /// Returns the bytes that a letter after a backslash encodes, and the index after the letter.
    package static func letter(at index: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "u"): return scalar(at: index, in: bytes).map { (Array(String($0.scalar).utf8), $0.end) }
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\\"):
            return ([bytes[index]], index + 1)
        case UInt8(ascii: "n"): return ([0x0A], index + 1)
        case UInt8(ascii: "r"): return ([0x0D], index + 1)
        case UInt8(ascii: "t"): return ([0x09], index + 1)
        default: return nil
        }
    }

    /// Returns the character that `u002B` or `ud83d\ude00` encodes, and the index after it.
    ///
    /// - Parameters:
    ///   - index: The index of the `u`.
    ///   - bytes: The text.
    /// - Returns: `nil` if there are fewer than four digits, or if a surrogate has no second half.
    package static func scalar(at index: Int, in bytes: [UInt8]) -> (scalar: UnicodeScalar, end: Int)? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "u"),
            var code = number(ofDigits: 4, at: index + 1, in: bytes)
        else { return nil }
        var end = index + 5
        if (0xD800..<0xDC00).contains(code) {
            // JSON inside a JSON string has several backslashes between the halves.
            let second = end + run(at: end, in: bytes)
            guard second > end, second < bytes.count, bytes[second] == UInt8(ascii: "u"),
                let low = number(ofDigits: 4, at: second + 1, in: bytes), (0xDC00..<0xE000).contains(low)
            else { return nil }
            code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            end = second + 5
        }
        return UnicodeScalar(code).map { ($0, end) }
    }

    /// Returns the number of consecutive backslashes at an index.
    package static func run(at index: Int, in bytes: [UInt8]) -> Int {
        var end = index
        while end < bytes.count, end < index + maximumRun, bytes[end] == UInt8(ascii: "\\") { end += 1 }
        return end - index
    }

    /// Returns the value of hexadecimal digits; `nil` if there are fewer digits.
    package static func number(ofDigits count: Int, at index: Int, in bytes: [UInt8]) -> UInt32? {
        guard index + count <= bytes.count else { return nil }
        var number: UInt32 = 0
        for byte in bytes[index..<index + count] {
            guard let digit = PercentEncoding.hexValue(byte) else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }
}
