// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The extensions behind the size of a chunk: `;name`, `;name=token` and `;name="text"` (RFC 9112, 7.1.1).
///
/// Blanks around the semicolon and the equals sign are skipped, as a recipient must (RFC 9110, section 5.6.3). Blanks with
/// nothing behind them are no part of the grammar, and are refused.
enum ChunkExtensions {
    /// Whether bytes are extensions, and nothing but extensions; nothing at all is.
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

    /// Takes a delimiter with the blanks around it; takes nothing if there is another byte.
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

    /// Takes a quoted string.
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
