// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The extensions after the size of a chunk: `;name`, `;name=token` and `;name="text"` (RFC 9112, section 7.1.1).
///
/// Whitespace around the semicolon and the equals sign is skipped, as a recipient must (RFC 9110, section 5.6.3).
/// Trailing whitespace is not part of the grammar, and is rejected.
enum ChunkExtensions {
    /// Returns true if the bytes are extensions and nothing else; true for no bytes.
    static func areValid(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard take(UInt8(ascii: ";"), from: &rest), takeToken(from: &rest) else { return false }
            guard take(UInt8(ascii: "="), from: &rest) else { continue }
            let isText = rest.first == UInt8(ascii: "\"")
            guard isText ? takeText(from: &rest) : takeToken(from: &rest) else { return false }
        }
        return true
    }

    /// Consumes a delimiter and the whitespace around it; consumes nothing if the next byte is another one.
    private static func take(_ delimiter: UInt8, from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let ahead = rest.drop(while: \.isBlank)
        guard ahead.first == delimiter else { return false }
        rest = ahead.dropFirst().drop(while: \.isBlank)
        return true
    }

    private static func takeToken(from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        let end = rest.firstIndex { !HeaderRules.isTokenByte($0) } ?? rest.endIndex
        guard end > rest.startIndex else { return false }
        rest = rest[end...]
        return true
    }

    /// Consumes a quoted string.
    private static func takeText(from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        rest = rest.dropFirst()
        var isEscaped = false
        while let byte = rest.popFirst() {
            guard HeaderRules.isValueByte(byte) else { return false }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return true
            }
        }
        return false
    }
}
