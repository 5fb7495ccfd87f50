// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The values of sensitive names in a body.
///
/// They are searched for in other output.
package enum SensitiveValues {
    /// The size of the largest body to scan, in bytes.
    package static let maximumBodyLength = 64 * 1024

    /// Returns the values of sensitive names in JSON, JSON lines or a form.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: Its media type.
    ///   - isSecret: Returns true if a name is sensitive, in JSON or in a form.
    /// - Returns: The values. For names with other common meanings, such as `key`, only values that contain a digit.
    package static func found(
        in body: Data, type: String?, where isSecret: (_ name: [UInt8], _ inForm: Bool) -> Bool
    ) -> Set<String> {
        guard !body.isEmpty, body.count <= maximumBodyLength else { return [] }
        var found: Set<String> = []
        switch RedactedBody.Kind(type: type, start: body.prefix(512)) {
        case .form:
            for item in body.split(separator: UInt8(ascii: "&")) {
                let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                let name = PercentEncoding.decodedItem(parts[0])
                guard isSecret(name, true) else { continue }
                for value in [Array(parts[1]), PercentEncoding.decodedItem(parts[1])] {
                    add(String(decoding: value, as: UTF8.self), of: name, into: &found)
                }
            }
        case .json:
            if let json = try? JSON(parsing: body) {
                collect(json, of: nil, into: &found, where: isSecret)
            } else {
                for line in body.split(separator: 0x0A) {
                    guard let start = line.firstIndex(where: { "{[".utf8.contains($0) }),
                        let json = try? JSON(parsing: Data(line[start...]))
                    else { continue }
                    collect(json, of: nil, into: &found, where: isSecret)
                }
            }
        case .text, .binary: break
        }
        return found
    }

    /// Returns the values of sensitive names in a JSON text; nothing for other text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isSecret: Returns true if a name is sensitive; see ``found(in:type:where:)``.
    /// - Returns: The values.
    package static func found(
        inJSON text: String, where isSecret: (_ name: [UInt8], _ inForm: Bool) -> Bool
    ) -> Set<String> {
        guard let first = text.utf8.first(where: { !$0.isJSONSpace }), "{[".utf8.contains(first) else {
            return []
        }
        return found(in: Data(text.utf8), type: "application/json", where: isSecret)
    }

    private static func collect(
        _ json: JSON, of name: [UInt8]?, into found: inout Set<String>, where isSecret: ([UInt8], Bool) -> Bool
    ) {
        switch json {
        case .object(let members):
            // If a session or a key is an object, only its members with sensitive names are secret.
            let outer = name.flatMap { SensitiveNames.isSensitiveInText(SensitiveNames.plain($0)) ? $0 : nil }
            for (member, value) in members {
                let inner = Array(member.utf8)
                collect(value, of: isSecret(inner, false) ? inner : outer, into: &found, where: isSecret)
            }
        case .array(let elements):
            for element in elements { collect(element, of: name, into: &found, where: isSecret) }
        case .string(let text): if let name { add(text, of: name, into: &found) }
        case .number(let number): if let name { add("\(number)", of: name, into: &found) }
        case .bool, .null: break
        }
    }

    private static func add(_ value: String, of name: [UInt8], into found: inout Set<String>) {
        let hasDigit = value.utf8.contains(where: \.isASCIIDigit)
        if hasDigit || SensitiveNames.isSensitiveInText(SensitiveNames.plain(name)) { found.insert(value) }
    }
}
