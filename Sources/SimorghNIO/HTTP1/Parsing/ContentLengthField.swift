// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// The value of a `Content-Length` field.
///
/// The same number several times, in one field or in several, is that number (RFC 9110, section 8.6). Different numbers
/// are refused: two readers may take the body to end in two places.
struct ContentLengthField {
    /// The length; `nil` until a field gives one.
    private(set) var length: Int?
    /// True if the number was given more than once.
    private(set) var isRepeated = false

    /// Takes the value of a field.
    ///
    /// - Parameter value: The value.
    /// - Throws: ``ResponseParser/Fault`` for what is not a number, and for another number than before.
    mutating func take(_ value: String) throws(ResponseParser.Fault) {
        if let length = Self.number(value) { return try take(length) }
        for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let length = Self.number(Substring(part.trimmingBlanks)) else {
                throw .malformed("the length of the body is not one number")
            }
            try take(length)
        }
    }

    private mutating func take(_ number: Int) throws(ResponseParser.Fault) {
        if let length {
            guard length == number else { throw .malformed("the body has two lengths: \(length) and \(number)") }
            isRepeated = true
        }
        length = number
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy(ByteSet.digits.contains)
        else { return nil }
        return Int(text)
    }
}

extension HTTPFields {
    /// Replaces all fields `Content-Length` by one.
    ///
    /// - Parameter length: Its number.
    mutating func unifyLength(_ length: Int) { self[.contentLength] = String(length) }
}
