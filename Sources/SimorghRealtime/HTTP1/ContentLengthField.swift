// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
import SimorghSupport

/// The value of a `Content-Length` field.
///
/// The same number repeated, in one field or in several, counts as that number (RFC 9110, section 8.6). Different
/// numbers are rejected, because two parsers might disagree about the end of the body.
package struct ContentLengthField {
    /// The length; `nil` until a field has one.
    package private(set) var length: Int?
    /// True if the number was repeated.
    package private(set) var isRepeated = false

    package init() {}

    /// Adds the value of a field.
    ///
    /// - Parameter value: The value.
    /// - Throws: ``ResponseParser/Fault`` for a value that is not a number, or a number that differs from an earlier
    ///   one.
    package mutating func take(_ value: String) throws(ResponseParser.ParseError) {
        if let length = Self.number(value) { return try take(length) }
        for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let length = Self.number(Substring(part.trimmingBlanks)) else {
                throw .malformed("Content-Length is not one number")
            }
            try take(length)
        }
    }

    private mutating func take(_ number: Int) throws(ResponseParser.ParseError) {
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
    /// Replaces all `Content-Length` fields with one.
    ///
    /// - Parameter length: The length.
    package mutating func unifyLength(_ length: Int) { self[.contentLength] = String(length) }
}
