// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// A field value with parameters, such as `form-data; name="file"`.
package struct HeaderParameters: Sendable, Hashable {
    /// The text before the first semicolon.
    package let value: String
    private var parameters: [String: String] = [:]

    /// Parses a value; `nil` if its parameters are malformed.
    package init?(_ text: String) {
        var rest = text[...]
        let end = rest.firstIndex(of: ";") ?? rest.endIndex
        value = String(rest[..<end].trimmingBlanks)
        rest = rest[end...]
        while let first = rest.first {
            guard first == ";" else { return nil }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { break }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            guard let value = Self.takeValue(&rest), parameters[name] == nil else { return nil }
            parameters[name] = value
            rest = rest.drop { $0 == " " || $0 == "\t" }
        }
    }

    /// Returns the value of a parameter; the name is in lower case.
    package subscript(name: String) -> String? { parameters[name] }

    private static func takeValue(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != ";" }
            rest = rest[value.endIndex...]
            return String(value.trimmingBlanks)
        }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return Self.unescaped(value)
            // Only these two characters are ever escaped by a backslash; browsers send file paths with bare
            // backslashes.
            case "\\" where rest.first == "\"" || rest.first == "\\":
                if let escaped = rest.popFirst() { value.append(escaped) }
            default: value.append(character)
            }
        }
        return nil
    }

    /// Decodes the escapes of WHATWG's form encoding in a name: line endings and quotes.
    private static func unescaped(_ text: String) -> String {
        guard text.contains("%") else { return text }
        var result = ""
        var rest = text[...]
        while let character = rest.first {
            if rest.hasPrefix("%22") {
                result += "\""
            } else if rest.hasPrefix("%0D") {
                result += "\r"
            } else if rest.hasPrefix("%0A") {
                result += "\n"
            } else {
                result.append(character)
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(3)
        }
        return result
    }
}
