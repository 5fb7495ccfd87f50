// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The allowed bytes of a request's head, so that no field can end its line or start another one.
///
/// They are the same for all HTTP versions, because the version is known only on the connection.
package enum RequestRules {
    /// Checks the parts of a head except its fields.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - authority: The host, with its port if it has one.
    ///   - path: The path and the query.
    ///   - usesAbsoluteForm: True if the request line has the absolute URL, as a proxy requires (RFC 9112, section
    ///     3.2.2).
    /// - Throws: `TransportError` if a part is invalid.
    package static func check(
        method: String, authority: String, path: String, usesAbsoluteForm: Bool
    ) throws(TransportError) {
        guard !method.isEmpty else { throw .invalid(.invalidMethod, message: "the method is empty") }
        guard all(method, satisfy: isToken) else {
            throw .invalid(
                .invalidMethod, message: "the method contains a character that RFC 9110 does not allow in a token")
        }
        guard all(authority, satisfy: isTarget) else {
            throw .invalid(.invalidURL, message: "the URL's host contains a character that is not allowed")
        }
        guard !usesAbsoluteForm || path != "*" else {
            throw .invalid(.invalidURL, message: "OPTIONS * cannot be sent through a proxy")
        }
        guard all(path, satisfy: isTarget) else {
            throw .invalid(
                .invalidURL, message: "the URL's path or query contains characters that must be percent-encoded")
        }
        guard path.isEmpty || path.utf8.first == UInt8(ascii: "/") || path == "*" else {
            throw .invalid(.invalidURL, message: "the URL's path does not start with \"/\"")
        }
    }

    /// Checks a field.
    ///
    /// - Parameter field: The field.
    /// - Throws: `TransportError` if the field is invalid; the error omits its value, which may be secret.
    package static func check(_ field: HTTPField) throws(TransportError) {
        guard all(field.name.rawName, satisfy: isToken), !field.name.rawName.isEmpty else {
            throw .invalid(
                .invalidHeader, message: "the name of the field \(printable(field.name.rawName)) is not a token")
        }
        guard field.withUnsafeBytesOfValue({ HeaderRules.isValue(UnsafeRawBufferPointer($0)) }) else {
            throw invalidValue(of: field.name)
        }
    }

    /// Checks the value of a field that the engine adds, in the bytes that are sent: an `HTTPField` would repair the
    /// value first, and then pass.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the field, for the error.
    /// - Throws: `TransportError` if the value is invalid; the error omits it.
    package static func check(_ value: String, of name: HTTPField.Name) throws(TransportError) {
        guard all(value, satisfy: HeaderRules.isValueByte) else { throw invalidValue(of: name) }
    }

    private static func invalidValue(of name: HTTPField.Name) -> TransportError {
        .invalid(
            .invalidHeader,
            message: "the value of the field \(name.rawName) contains a line break, a NUL or another control character")
    }

    /// Returns true if each byte of a text is allowed.
    @inline(__always)
    private static func all(_ text: String, satisfy isAllowed: (UInt8) -> Bool) -> Bool {
        text.withBytes { bytes in
            for byte in bytes where !isAllowed(byte) { return false }
            return true
        }
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.value > 0x20 && $0.value < 0x7F ? Character($0) : "?" })
    }

    /// Returns true for the bytes of a token: a method or the name of a field (RFC 9110, section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "!"), UInt8(ascii: "."),
            0x23...0x27, UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Returns true for the bytes of a path, a query or a host: visible ASCII except the start of a fragment.
    private static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") }
}
