// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The members of fields whose values are lists (RFC 9110, section 5.6.1).
package enum FieldList {
    /// The members of all lines of a field, without the blanks around them; empty ones are left out.
    ///
    /// A comma in a quoted string does not part members.
    package static func members(_ name: HTTPField.Name, of fields: HTTPFields) -> [String] {
        fields[values: name].flatMap { members(of: $0) }
    }

    /// The members of one line.
    package static func members(of value: String) -> [String] {
        var members: [String] = []
        var start = value.utf8.startIndex
        var (isQuoted, isEscaped) = (false, false)
        var index = start
        while index < value.utf8.endIndex {
            let byte = value.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                append(value[start..<index], to: &members)
                start = value.utf8.index(after: index)
            }
            index = value.utf8.index(after: index)
        }
        if isQuoted {
            // A quote that nobody closes is none: it must not hide what stands behind it.
            for part in value[start...].cut(at: ",") { append(part, to: &members) }
        } else {
            append(value[start...], to: &members)
        }
        return members
    }

    /// The names that a list of field names has; what is no name is left out.
    package static func names(_ name: HTTPField.Name, of fields: HTTPFields) -> [HTTPField.Name] {
        members(name, of: fields).compactMap { HTTPField.Name($0) }
    }

    private static func append(_ part: Substring, to members: inout [String]) {
        let member = part.trimmingBlanks
        if !member.isEmpty { members.append(String(member)) }
    }
}
