// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Splits texts for a log that truncates long messages.
package enum LogPieces {
    /// The bytes of a message that the unified log keeps: it truncates a message, with its overhead, at 1 KiB.
    package static let unifiedLogLimit = 960

    /// Splits a text, at the end of a line if possible, and never within a character of Unicode.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The largest size of a piece in UTF-8, in bytes; at least 4.
    /// - Returns: The pieces, at least one; without the line breaks at which the text was split.
    package static func split(_ text: String, limit: Int = unifiedLogLimit) -> [Substring] {
        let limit = max(4, limit)
        var rest = Substring(text)
        var pieces: [Substring] = []
        while rest.utf8.count > limit {
            let bytes = rest.utf8
            var end = bytes.index(bytes.startIndex, offsetBy: limit)
            // A byte of the form 10xxxxxx continues a character.
            while bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
            var next = end
            if bytes[end] == UInt8(ascii: "\n") {
                next = bytes.index(after: end)
            } else if let line = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")), line > bytes.startIndex {
                (end, next) = (line, bytes.index(after: line))
            }
            pieces.append(Substring(bytes[..<end]))
            rest = Substring(bytes[next...])
        }
        if !rest.isEmpty || pieces.isEmpty { pieces.append(rest) }
        return pieces
    }
}
