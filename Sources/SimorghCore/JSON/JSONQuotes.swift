// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A tracker for the strings of JSON, byte by byte, in text that may be split anywhere and may not be JSON.
struct JSONQuotes: Sendable {
    /// True from an opening quote to the byte before its closing quote.
    private(set) var isInside = false
    private var isEscaped = false

    /// Processes the next byte.
    ///
    /// - Returns: True if the byte belongs to a string, including its quotes.
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

    /// Processes the rest of the string that contained the last byte.
    ///
    /// - Returns: The index after its closing quote; `nil` if the string continues after the range.
    mutating func end(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            pass(bytes[index])
            index += 1
            if !isInside { return index }
        }
        return nil
    }

    /// Processes a byte inside a string.
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
