// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An authentication challenge from a `WWW-Authenticate` field (RFC 9110, section 11.6.1).
package struct AuthenticationChallenge: Equatable, Sendable {
    /// The scheme in lower case, such as `digest`.
    package let scheme: String
    /// The parameters; names in lower case, values without quotes.
    package var parameters: [String: String] = [:]

    package init(scheme: String, parameters: [String: String] = [:]) {
        self.scheme = scheme.lowercased()
        self.parameters = parameters
    }

    /// The maximum number of challenges, and the maximum number of parameters of each.
    private static let (maximumChallenges, maximumParameters) = (16, 32)

    /// Parses the challenges of one or more fields.
    ///
    /// A challenge that is invalid, or repeats a parameter with a different value, is skipped together with the rest of
    /// its field. An unquoted value may be empty, or contain characters that are allowed only in a quoted one
    /// (`nonce=abc==`, `domain=/`): servers send such challenges, and curl accepts them.
    ///
    /// - Parameter values: The field values, each a list of challenges.
    /// - Returns: The challenges, in order.
    package static func parse(_ values: [String]) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        for value in values {
            var scanner = Scanner(rest: value.utf8[...])
            while challenges.count < maximumChallenges, let challenge = scanner.challenge(maximumParameters) {
                challenges.append(challenge)
            }
        }
        return challenges
    }

    /// Parses the parameters of a field without a scheme, such as `Authentication-Info`.
    ///
    /// - Parameter value: The field value.
    /// - Returns: The parameters.
    package static func parameters(_ value: String) -> [String: String] {
        var scanner = Scanner(rest: value.utf8[...])
        var parameters: [String: String] = [:]
        scanner.skipCommas()
        _ = scanner.parameters(into: &parameters, atMost: maximumParameters)
        return parameters
    }
}

/// A scanner for a list of challenges.
private struct Scanner {
    var rest: Substring.UTF8View

    /// Returns the next challenge; `nil` at the end and for an invalid challenge.
    mutating func challenge(_ maximumParameters: Int) -> AuthenticationChallenge? {
        skipCommas()
        guard let scheme = token() else { return nil }
        var challenge = AuthenticationChallenge(scheme: scheme)
        guard skipSpaces() else { return rest.isEmpty || rest.first == UInt8(ascii: ",") ? challenge : nil }
        if skipToken68() { return challenge }
        return parameters(into: &challenge.parameters, atMost: maximumParameters) ? challenge : nil
    }

    /// Parses comma-separated `name=value` pairs up to the next challenge; returns `false` if they are invalid.
    mutating func parameters(into parameters: inout [String: String], atMost limit: Int) -> Bool {
        while true {
            let start = rest
            guard let name = token()?.lowercased() else { return rest.isEmpty }
            skipSpaces()
            guard skip(UInt8(ascii: "=")) else {
                // The name is the scheme of the next challenge.
                rest = start
                return true
            }
            skipSpaces()
            guard let value = rest.first == UInt8(ascii: "\"") ? quotedString() : bareValue(),
                parameters[name] ?? value == value, parameters.count < limit
            else { return false }
            parameters[name] = value
            skipSpaces()
            guard rest.first == UInt8(ascii: ",") else { return rest.isEmpty }
            skipCommas()
        }
    }

    mutating func skipCommas() {
        rest = rest.drop { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
    }

    @discardableResult
    private mutating func skipSpaces() -> Bool {
        let count = rest.count
        rest = rest.drop(while: Self.isSpace)
        return rest.count < count
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func token() -> String? {
        let text = rest.prefix(while: HeaderRules.isTokenByte)
        guard !text.isEmpty else { return nil }
        rest = rest[text.endIndex...]
        return String(Substring(text))
    }

    /// Returns an unquoted value: visible ASCII up to the next comma or space; it may be empty.
    private mutating func bareValue() -> String {
        let text = rest.prefix { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
        rest = rest[text.endIndex...]
        return String(Substring(text))
    }

    /// Skips the single token68 value that some schemes have instead of parameters.
    private mutating func skipToken68() -> Bool {
        let text = rest.prefix(while: Self.isToken68)
        let after = rest[text.endIndex...].drop { $0 == UInt8(ascii: "=") }
        guard !text.isEmpty else { return rest.isEmpty || rest.first == UInt8(ascii: ",") }
        let end = after.drop(while: Self.isSpace)
        guard end.isEmpty || end.first == UInt8(ascii: ",") else { return false }
        rest = end
        return true
    }

    private mutating func quotedString() -> String? {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isToken68(_ byte: UInt8) -> Bool {
        ByteSet.unreserved.contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}
