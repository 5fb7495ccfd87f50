// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// What may stand behind the size of a chunk: `;name`, `;name=token` and `;name="text"` (RFC 9112, 7.1.1), without the
/// blanks that the grammar allows for bad old times.
enum ChunkExtensions {
    /// Whether bytes are extensions, and nothing but extensions; nothing at all is.
    static func areValid(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = bytes
        while let first = rest.first {
            guard first == UInt8(ascii: ";"), takeToken(from: &rest, after: 1) else { return false }
            guard rest.first == UInt8(ascii: "=") else { continue }
            guard rest.dropFirst().first == UInt8(ascii: "\"") else {
                guard takeToken(from: &rest, after: 1) else { return false }
                continue
            }
            guard takeText(from: &rest) else { return false }
        }
        return true
    }

    private static func takeToken(from rest: inout Slice<UnsafeRawBufferPointer>, after count: Int) -> Bool {
        rest = rest.dropFirst(count)
        let end = rest.firstIndex { !HeaderRules.isTokenByte($0) } ?? rest.endIndex
        guard end > rest.startIndex else { return false }
        rest = rest[end...]
        return true
    }

    /// Takes an equals sign and a quoted string.
    private static func takeText(from rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        rest = rest.dropFirst(2)
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
