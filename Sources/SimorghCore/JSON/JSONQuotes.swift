// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Follows the strings of JSON byte by byte, in text that may be cut anywhere and may be no JSON at all.
struct JSONQuotes: Sendable {
    /// True from an opening quote to the byte before its closing quote.
    private(set) var isInside = false
    private var isEscaped = false

    /// Takes the next byte.
    ///
    /// - Returns: True if it belongs to a string, its quotes included.
    @inline(__always)
    @discardableResult
    mutating func take(_ byte: UInt8) -> Bool {
        guard isInside else {
            isInside = byte == UInt8(ascii: "\"")
            return isInside
        }
        pass(byte)
        return true
    }

    /// Reads the rest of the string that the last byte was inside of.
    ///
    /// - Returns: The index after its closing quote; `nil` if it goes on after the range.
    mutating func end(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            pass(bytes[index])
            index += 1
            if !isInside { return index }
        }
        return nil
    }

    /// Takes a byte inside of a string.
    @inline(__always)
    private mutating func pass(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInside = false
        }
    }
}
