// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A `Strict-Transport-Security` field (RFC 6797, section 6.1).
package struct HSTSField: Sendable, Hashable {
    /// The time for which the host requires TLS, in seconds; zero ends the requirement.
    package let maximumAge: Int64
    /// True if the hosts below the host require TLS, too.
    package let includesSubdomains: Bool

    /// The longest time that is kept: two years, the age that preload lists recommend.
    package static let longestAge: Int64 = 2 * 365 * 86_400
    /// The longest field that is parsed, in bytes.
    private static let maximumBytes = 4096

    /// Parses the value of a field; `nil` if it does not follow the grammar, so that it has to be ignored.
    ///
    /// Unknown directives are ignored. A directive that occurs twice, a missing `max-age`, and a value of
    /// `includeSubDomains` make the field invalid.
    ///
    /// - Parameter text: The value.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumBytes else { return nil }
        var parser = Parser(bytes: bytes)
        var seen: Set<String> = []
        var age: Int64?
        var includesSubdomains = false
        repeat {
            parser.skipSpace()
            guard let name = parser.token() else {
                // A directive may be empty.
                if parser.isAtDelimiter { continue }
                return nil
            }
            parser.skipSpace()
            var value: [UInt8]?
            if parser.skip(UInt8(ascii: "=")) {
                parser.skipSpace()
                value = parser.value()
                if value == nil { return nil }
                parser.skipSpace()
            }
            guard parser.isAtDelimiter, seen.insert(name).inserted else { return nil }
            switch name {
            case "max-age":
                guard let value, !value.isEmpty, value.allSatisfy(\.isASCIIDigit) else { return nil }
                // A number that is too large for an integer is longer than any time that is kept.
                age = min(Int64(String(decoding: value, as: UTF8.self)) ?? .max, Self.longestAge)
            case "includesubdomains":
                guard value == nil else { return nil }
                includesSubdomains = true
            default: break
            }
        } while parser.skip(UInt8(ascii: ";"))
        guard let age else { return nil }
        maximumAge = age
        self.includesSubdomains = includesSubdomains
    }

    private struct Parser {
        let bytes: [UInt8]
        var position = 0

        var isAtDelimiter: Bool { position == bytes.count || bytes[position] == UInt8(ascii: ";") }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        mutating func skipSpace() {
            while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        }

        /// Returns the token in lowercase; `nil` if no token is next.
        mutating func token() -> String? {
            let start = position
            while position < bytes.count, HeaderRules.isTokenByte(bytes[position]) { position += 1 }
            return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        }

        /// Returns a token or the content of a quoted string; `nil` if there is neither.
        mutating func value() -> [UInt8]? {
            guard skip(UInt8(ascii: "\"")) else { return token().map { Array($0.utf8) } }
            var content: [UInt8] = []
            while position < bytes.count {
                var byte = bytes[position]
                position += 1
                if byte == UInt8(ascii: "\"") { return content }
                if byte == UInt8(ascii: "\\") {
                    guard position < bytes.count else { return nil }
                    byte = bytes[position]
                    position += 1
                }
                content.append(byte)
            }
            return nil
        }
    }
}
