// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A parser for fields whose values are lists (RFC 9110, section 5.6.1).
package enum FieldList {
    /// Returns the members of all lines of a field, trimmed; empty members are left out.
    ///
    /// A comma in a quoted string does not separate members.
    package static func members(_ name: HTTPField.Name, of fields: HTTPFields) -> [String] {
        var members: [String] = []
        for field in fields where field.name == name { members += Self.members(of: field.value) }
        return members
    }

    /// Returns the members of one line.
    package static func members(of value: String) -> [String] {
        var members: [String] = []
        forEachMember(of: value) { member in
            members.append(String(decoding: UnsafeBufferPointer(rebasing: member), as: UTF8.self))
        }
        return members
    }

    /// Calls a function with the bytes of each member of one line; the bytes are valid only during the call.
    static func forEachMember(of value: String, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void) {
        func take(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
            let member = part.trimmingBlanks
            if !member.isEmpty { body(member) }
        }
        var value = value
        value.withUTF8 { bytes in
            var start = 0
            var (isQuoted, isEscaped) = (false, false)
            for (index, byte) in bytes.enumerated() {
                if isEscaped {
                    isEscaped = false
                } else if isQuoted, byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isQuoted.toggle()
                } else if byte == UInt8(ascii: ","), !isQuoted {
                    take(bytes[start..<index])
                    start = index + 1
                }
            }
            if isQuoted {
                // An unterminated quote is ignored: it must not hide the members behind it.
                for part in bytes[start...].split(separator: UInt8(ascii: ",")) { take(part) }
            } else {
                take(bytes[start...])
            }
        }
    }

    /// Returns the field names in a list; invalid ones are left out.
    package static func names(_ name: HTTPField.Name, of fields: HTTPFields) -> [HTTPField.Name] {
        members(name, of: fields).compactMap { HTTPField.Name($0) }
    }
}
