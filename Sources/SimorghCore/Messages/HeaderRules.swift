// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

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
        for field in fields where !field.withUnsafeBytesOfValue({ $0.allSatisfy(isValueByte) }) {
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

    private static func invalidValue(of name: String) -> InvalidRequest {
        refusal("the value of the header \(shown(name)) holds a line break, a NUL or another control character")
    }

    private static func refusal(_ message: String) -> InvalidRequest { InvalidRequest(.invalidHeader, message) }

    /// A name made safe for a message: escaped, and not longer than a name is.
    private static func shown(_ name: String) -> String {
        name.utf8.allSatisfy(isTokenByte) && !name.isEmpty ? name : String(reflecting: String(name.prefix(64)))
    }
}
