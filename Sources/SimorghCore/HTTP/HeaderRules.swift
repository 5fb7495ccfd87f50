// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// Turns names and values into header fields, and refuses what no field may hold (RFC 9110, section 5).
///
/// The types of HTTPTypes make an invalid value valid without a word; here it is an error, because a line break in a
/// value is either a mistake or an attack.
package enum HeaderRules {
    /// A field.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value; spaces around it are no part of it.
    /// - Returns: The field.
    /// - Throws: ``InvalidRequest`` that tells the name, and never the value.
    package static func field(name: String, value: String) throws(InvalidRequest) -> HTTPField {
        guard name.utf8.allSatisfy(isTokenByte), let fieldName = HTTPField.Name(name) else {
            throw refusal("the header name \(shown(name)) is no token (RFC 9110)")
        }
        try check(value: value, of: name)
        return HTTPField(name: fieldName, value: value)
    }

    /// Sets fields; each replaces all of its name, whatever the case of its letters.
    ///
    /// - Parameters:
    ///   - headers: Names and values.
    ///   - fields: The fields to change.
    /// - Throws: ``InvalidRequest`` that tells the name, and never the value.
    package static func set(_ headers: [String: String], in fields: inout HTTPFields) throws(InvalidRequest) {
        // In the order of the names, so that the same request is the same bytes each time.
        for name in headers.count > 1 ? headers.keys.sorted() : Array(headers.keys) {
            guard let value = headers[name] else { continue }
            let field = try field(name: name, value: value)
            // Not by its value: that would cut cookies apart.
            fields[fields: field.name] = [field]
        }
    }

    /// The fields of names and values; of two with the same name the later stays.
    ///
    /// - Parameter headers: Names and values.
    /// - Returns: The fields.
    /// - Throws: ``InvalidRequest`` that tells the name, and never the value.
    package static func fields(_ headers: [String: String]) throws(InvalidRequest) -> HTTPFields {
        var fields = HTTPFields()
        try set(headers, in: &fields)
        return fields
    }

    /// Checks fields that somebody else made: an interceptor, a parser.
    ///
    /// - Parameter fields: The fields.
    /// - Throws: ``InvalidRequest`` that tells the name, and never the value.
    package static func check(_ fields: HTTPFields) throws(InvalidRequest) {
        for field in fields where !field.withUnsafeBytesOfValue({ isValue(UnsafeRawBufferPointer($0)) }) {
            throw invalidValue(of: field.name.rawName)
        }
    }

    /// Checks a value before it becomes one of a field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name, for the error.
    /// - Throws: ``InvalidRequest`` that tells the name, and never the value.
    package static func check(value: String, of name: String) throws(InvalidRequest) {
        guard value.utf8.allSatisfy(isValueByte) else { throw invalidValue(of: name) }
    }

    /// The value of `Authorization` for a bearer token (RFC 6750).
    ///
    /// - Parameter token: The token.
    /// - Returns: The value.
    /// - Throws: ``InvalidRequest`` when the token is empty or holds what no field may; the token is not told.
    package static func bearer(_ token: String) throws(InvalidRequest) -> String {
        try check(value: token, of: "Authorization")
        guard !token.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
            throw refusal("the token for the header Authorization is empty")
        }
        return "Bearer \(token)"
    }

    package static func isTokenByte(_ byte: UInt8) -> Bool { token.contains(byte) }

    private static let token = ByteSet.letters.union(.digits).union(ByteSet("!#$%&'*+-.^_`|~"))

    /// Whether a byte may stand in a value: no control character but the tab (RFC 9110, section 5.5).
    @inlinable
    @inline(__always)
    package static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    /// A Boolean value that indicates whether a byte may stand in the value of a field that was received.
    ///
    /// CR, LF and NUL make a message dangerous; other control characters are kept (RFC 9110, section 5.5).
    ///
    /// - Parameter byte: The byte.
    /// - Returns: True if it may.
    package static func isReceivableByte(_ byte: UInt8) -> Bool { byte != 0 && byte != 0x0A && byte != 0x0D }

    /// A Boolean value that indicates whether bytes may be the value of a field that was received.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: True if they may.
    package static func isReceivable(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy(isReceivableByte) }

    /// Whether bytes may stand in a value, all of them; looks at eight at once where nothing is amiss.
    package static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The highest bit of a byte is set in `low` where the byte, or one below it, is less than 0x20 and in
            // `delete` likewise where it is 0x7F: never too seldom, so that the bytes are looked at one by one.
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let other = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let delete = (other &- 0x0101_0101_0101_0101) & ~other
            if (low | delete) & 0x8080_8080_8080_8080 != 0 {
                for place in index..<index + 8 where !isValueByte(bytes[place]) { return false }
            }
            index += 8
        }
        while index < bytes.count {
            guard isValueByte(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    /// Whether bytes are ASCII, all of them.
    package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        var all: UInt64 = 0
        while index + 8 <= bytes.count {
            all |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            all |= UInt64(bytes[index])
            index += 1
        }
        return all & 0x8080_8080_8080_8080 == 0
    }

    private static func invalidValue(of name: String) -> InvalidRequest {
        refusal("the value of the header \(shown(name)) holds a line break, a NUL or another control character")
    }

    private static func refusal(_ message: String) -> InvalidRequest { InvalidRequest(.invalidHeader, message) }

    /// A name made safe for a message: escaped, and not longer than a name is.
    private static func shown(_ name: String) -> String {
        name.utf8.allSatisfy(isTokenByte) && !name.isEmpty ? name : String(reflecting: String(name.prefix(64)))
    }
}
