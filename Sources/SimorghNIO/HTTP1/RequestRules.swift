// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// What a request's head may hold, byte for byte, so that nobody's field can end its line or begin another; the same for
/// every version of HTTP, since which one is spoken is found out only on the connection.
enum RequestRules {
    /// Checks all of a head but its fields.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - authority: The host, with its port where it is written.
    ///   - path: The path and the query.
    ///   - isWhole: Whether a proxy is asked, which wants the whole URL.
    /// - Throws: What cannot be sent.
    static func check(
        _ method: String, _ authority: String, _ path: String, isWhole: Bool
    ) throws(TransportError) {
        guard all(method, isToken), !method.isEmpty else {
            throw .invalid(.invalidMethod, "the method is not a token")
        }
        guard all(authority, isTarget), !isWhole || path != "*" else {
            throw .invalid(.invalidURL, "the URL's host is not valid, or OPTIONS * is asked of a proxy")
        }
        guard all(path, isTarget), path.isEmpty || path.utf8.first == UInt8(ascii: "/") || path == "*" else {
            throw .invalid(.invalidURL, "the URL's path or query holds what has to be escaped")
        }
    }

    /// Checks a field.
    ///
    /// - Parameter field: The field.
    /// - Throws: What is wrong with it; its value is not told, as it may be secret.
    static func check(_ field: HTTPField) throws(TransportError) {
        guard all(field.name.rawName, isToken), !field.name.rawName.isEmpty else {
            throw .invalid(.invalidHeader, "the name of the field \(printable(field.name.rawName)) is not a token")
        }
        guard field.withUnsafeBytesOfValue({ HeaderRules.isValue(UnsafeRawBufferPointer($0)) }) else {
            throw invalidValue(of: field.name)
        }
    }

    /// Checks the value of a field that the engine adds, in the bytes that go out: as a field's value it would be mended
    /// first, and then found to be right.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The field's name, for the error.
    /// - Throws: What is wrong with it; the value is not told.
    static func check(_ value: String, of name: HTTPField.Name) throws(TransportError) {
        guard all(value, HeaderRules.isValueByte) else { throw invalidValue(of: name) }
    }

    private static func invalidValue(of name: HTTPField.Name) -> TransportError {
        .invalid(
            .invalidHeader,
            "the value of the field \(name.rawName) holds a line break, a NUL or another control character")
    }

    /// Whether each byte of a text passes.
    @inline(__always)
    private static func all(_ text: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
        text.withBytes { bytes in
            for byte in bytes where !isAllowed(byte) { return false }
            return true
        }
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.value > 0x20 && $0.value < 0x7F ? Character($0) : "?" })
    }

    /// What a method or a field's name may hold (RFC 9110, section 5.6.2).
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

    /// What a path, a query or a host may hold: visible ASCII, but what begins a fragment.
    private static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") }
}
