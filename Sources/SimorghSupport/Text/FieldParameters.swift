// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A parser for the parameters of fields such as `Content-Type` and `Content-Disposition` (RFC 9110, section 5.6.6).
///
/// It is as lenient as browsers.
package enum FieldParameters {
    /// Parses the parameters of a field value.
    ///
    /// - Parameter bytes: The field value.
    /// - Returns: The names in lower case with their unquoted values, in order.
    package static func read(_ bytes: [UInt8]) -> [(name: String, value: [UInt8])] {
        var found: [(String, [UInt8])] = []
        // The value begins with a media type or a disposition type, which some servers omit.
        var position = bytes.firstIndex(of: UInt8(ascii: ";")) ?? 0
        if let mark = bytes.firstIndex(of: UInt8(ascii: "=")), mark < position { position = 0 }
        while position < bytes.count {
            while position < bytes.count, bytes[position] == 0x3B || bytes[position].isBlank { position += 1 }
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "="), bytes[position] != 0x3B {
                position += 1
            }
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
            let name = bytes[start..<position].trimmingBlanks
            position += 1
            while position < bytes.count, bytes[position].isBlank { position += 1 }
            var value: [UInt8] = []
            if position < bytes.count, bytes[position] == 0x22 {
                position += 1
                while position < bytes.count, bytes[position] != 0x22 {
                    if bytes[position] == 0x5C, position + 1 < bytes.count { position += 1 }
                    value.append(bytes[position])
                    position += 1
                }
                while position < bytes.count, bytes[position] != 0x3B { position += 1 }
            } else {
                let start = position
                while position < bytes.count, bytes[position] != 0x3B { position += 1 }
                value = Array(bytes[start..<position].trimmingBlanks)
            }
            found.append((String(decoding: name, as: UTF8.self).lowercased(), value))
        }
        return found
    }
}
