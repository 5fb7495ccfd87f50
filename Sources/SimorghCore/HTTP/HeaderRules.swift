// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// Creates header fields from names and values, and rejects what a field may not contain (RFC 9110, section 5).
///
/// The types of HTTPTypes silently change an invalid value into a valid one. Here it is an error, because a line
/// break in a value is either a mistake or an attack.
package enum HeaderRules {
    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value; spaces around it are removed.
    /// - Returns: The field.
    /// - Throws: ``InvalidRequestError`` that contains the name, and never the value.
    package static func field(name: String, value: String) throws(InvalidRequestError) -> HTTPField {
        guard name.utf8.allSatisfy(isTokenByte), let fieldName = HTTPField.Name(name) else {
            throw refusal("the header name \(shown(name)) is not a token (RFC 9110)")
        }
        try check(value: value, of: name)
        return HTTPField(name: fieldName, value: value)
    }

    /// Sets fields; each replaces all fields of the same name, compared without case.
    ///
    /// - Parameters:
    ///   - headers: Names and values.
    ///   - fields: The fields to change.
    /// - Throws: ``InvalidRequestError`` that contains the name, and never the value.
    package static func set(_ headers: [String: String], in fields: inout HTTPFields) throws(InvalidRequestError) {
        // Sorted by name, so that the same request is always the same bytes.
        for name in headers.count > 1 ? headers.keys.sorted() : Array(headers.keys) {
            guard let value = headers[name] else { continue }
            let field = try field(name: name, value: value)
            // Sets the field, not its value: setting the value would split cookies.
            fields[fields: field.name] = [field]
        }
    }

    /// Creates fields from names and values; of two with the same name the later remains.
    ///
    /// - Parameter headers: Names and values.
    /// - Returns: The fields.
    /// - Throws: ``InvalidRequestError`` that contains the name, and never the value.
    package static func fields(_ headers: [String: String]) throws(InvalidRequestError) -> HTTPFields {
        var fields = HTTPFields()
        try set(headers, in: &fields)
        return fields
    }

    /// Checks fields that other code created, such as an interceptor or a parser.
    ///
    /// - Parameter fields: The fields.
    /// - Throws: ``InvalidRequestError`` that contains the name, and never the value.
    package static func check(_ fields: HTTPFields) throws(InvalidRequestError) {
        for field in fields where !field.withUnsafeBytesOfValue({ isValue(UnsafeRawBufferPointer($0)) }) {
            throw invalidValue(of: field.name.rawName)
        }
    }

    /// Checks a field value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name, for the error.
    /// - Throws: ``InvalidRequestError`` that contains the name, and never the value.
    package static func check(value: String, of name: String) throws(InvalidRequestError) {
        guard value.utf8.allSatisfy(isValueByte) else { throw invalidValue(of: name) }
    }

    /// Returns the value of `Authorization` for a bearer token (RFC 6750).
    ///
    /// - Parameter token: The token.
    /// - Returns: The value.
    /// - Throws: ``InvalidRequestError`` if the token is empty or contains what no field may; the error does not contain
    ///   the token.
    package static func bearer(_ token: String) throws(InvalidRequestError) -> String {
        try check(value: token, of: "Authorization")
        guard !token.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
            throw refusal("the token for the header Authorization is empty")
        }
        return "Bearer \(token)"
    }

    package static func isTokenByte(_ byte: UInt8) -> Bool { token.contains(byte) }

    private static let token = ByteSet.letters.union(.digits).union(ByteSet("!#$%&'*+-.^_`|~"))

    /// Returns true if a byte may appear in a field value (RFC 9110, section 5.5).
    ///
    /// The tab is the only control character allowed.
    @inlinable
    @inline(__always)
    package static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    /// Returns true if a byte may appear in the value of a received field.
    ///
    /// CR, LF and NUL make a message dangerous; other control characters are kept (RFC 9110, section 5.5).
    ///
    /// - Parameter byte: The byte.
    /// - Returns: True if the byte is allowed.
    package static func isReceivableByte(_ byte: UInt8) -> Bool { byte != 0 && byte != 0x0A && byte != 0x0D }

    /// Returns true if bytes may be the value of a received field.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: True if all bytes are allowed.
    package static func isReceivable(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.allSatisfy(isReceivableByte) }

    /// Returns true if all bytes may appear in a field value; checks eight bytes at a time if all are valid.
    package static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The highest bit of a byte is set in `low` if that byte, or one below it, is less than 0x20, and in
            // `delete` likewise if it is 0x7F. There are false positives but no false negatives, so a hit is checked
            // byte by byte.
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let other = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let delete = (other &- 0x0101_0101_0101_0101) & ~other
            if (low | delete) & 0x8080_8080_8080_8080 != 0 {
                for position in index..<index + 8 where !isValueByte(bytes[position]) { return false }
            }
            index += 8
        }
        while index < bytes.count {
            guard isValueByte(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    /// Returns true if all bytes are ASCII.
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

    private static func invalidValue(of name: String) -> InvalidRequestError {
        refusal("the value of the header \(shown(name)) holds a line break, a NUL or another control character")
    }

    private static func refusal(_ message: String) -> InvalidRequestError {
        InvalidRequestError(.invalidHeader, message: message)
    }

    /// Returns a name made safe for a message: escaped, and of limited length.
    private static func shown(_ name: String) -> String {
        name.utf8.allSatisfy(isTokenByte) && !name.isEmpty ? name : String(reflecting: String(name.prefix(64)))
    }
}
