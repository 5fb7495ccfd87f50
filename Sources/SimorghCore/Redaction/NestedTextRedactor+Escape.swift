// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension NestedTextRedactor {
    /// A percent-escaped byte of a URL in a text: `%3D`, or `%253D` in a URL in a URL.
    struct Escape {
        let code: UInt8
        /// The number of times that the byte was escaped.
        let depth: Int
        let end: Int

        /// True if both hex digits are letters, so that it may be the beginning of a word after a percent sign.
        var mayBeWord: Bool { code >> 4 > 9 && code & 0xF > 9 }
    }

    /// The deepest level of escapes that is decoded, the same as for query items.
    private static let maximumDepth = 4

    /// Returns the escape that begins at an index.
    func escape(at position: Int, before end: Int) -> Escape? {
        guard position < end, bytes[position] == UInt8(ascii: "%") else { return nil }
        var next = position + 1
        var depth = 1
        while depth < Self.maximumDepth, next + 3 < end, bytes[next] == UInt8(ascii: "2"),
            bytes[next + 1] == UInt8(ascii: "5"),
            Self.code(high: bytes[next + 2], low: bytes[next + 3]) != nil
        {
            next += 2
            depth += 1
        }
        guard next + 1 < end, let code = Self.code(high: bytes[next], low: bytes[next + 1]) else { return nil }
        return Escape(code: code, depth: depth, end: next + 2)
    }

    private static func code(high: UInt8, low: UInt8) -> UInt8? {
        guard let high = PercentEncoding.hexValue(high), let low = PercentEncoding.hexValue(low) else { return nil }
        return high << 4 | low
    }

    /// Returns the character at an index, escaped or not.
    func character(at position: Int, before end: Int) -> Escape? {
        guard position < end else { return nil }
        return escape(at: position, before: end) ?? Escape(code: bytes[position], depth: 0, end: position + 1)
    }

    /// Redacts the value after an escaped delimiter.
    mutating func hideEscaped(_ delimiter: Escape, before end: Int) {
        let opening = copyOpening(before: end)
        // Checked before the search for the end, which may be far away and would be repeated for the next name.
        if copyMask() { return }
        let isNest = escape(at: index, before: end).map { "{[".utf8.contains($0.code) } ?? false
        // Encoders of JSON in URLs leave some bytes unescaped, which do not end a string.
        let ends = Array((opening == nil ? " ,;&<>\"'\n\r\t}])\\" : " &<>\"\n\r\t\\").utf8)
        var position = index
        var run = 0
        var runStart = index
        while position < end, !ends.contains(bytes[position]) {
            let found = escape(at: position, before: end)
            // A byte that was escaped more often belongs to the value.
            let code = found.map { $0.depth <= delimiter.depth ? $0.code : 0 } ?? 0
            if let opening {
                if "\n\r".utf8.contains(code) || opening.closes(at: code, after: run) { break }
            } else if "&#\n\r".utf8.contains(code) || !isNest && "\"'".utf8.contains(code) {
                break
            }
            if run == 0 { runStart = position }
            run = code == UInt8(ascii: "\\") ? run + 1 : 0
            position = found?.end ?? position + 1
        }
        // The backslashes before the closing quote belong to the quote.
        hide(until: run > 0 && run == opening?.run ? runStart : position)
    }

    /// An escaped quote, with the number of backslashes before it.
    private struct EscapedQuote {
        let code: UInt8
        let run: Int

        /// Returns true if a byte after `run` backslashes ends the string; see ``Quote/closes(_:)``.
        func closes(at code: UInt8, after run: Int) -> Bool {
            code == self.code && run % (2 * (self.run + 1)) == self.run
        }
    }

    /// Copies the opening quote of a value, and the spaces before the value.
    private mutating func copyOpening(before end: Int) -> EscapedQuote? {
        var position = index
        while position < end {
            if bytes[position] == UInt8(ascii: "+") {
                position += 1
            } else if let blank = escape(at: position, before: end), " \t".utf8.contains(blank.code) {
                position = blank.end
            } else {
                break
            }
        }
        if position > index { copy(through: position - 1) }
        var run = 0
        while let slash = escape(at: position, before: end), slash.code == UInt8(ascii: "\\") {
            position = slash.end
            run += 1
        }
        guard let mark = escape(at: position, before: end), "\"'".utf8.contains(mark.code) else { return nil }
        copy(through: mark.end - 1)
        return EscapedQuote(code: mark.code, run: run)
    }

    /// Returns the end of the credentials after a scheme and a space.
    ///
    /// `isCode` is true if they are not a word of a language.
    func credentials(after blank: Escape) -> (end: Int, isCode: Bool) {
        let isEscaped = blank.depth > 0
        var isCode = false
        var position = blank.end
        while position < bytes.count {
            let found = isEscaped ? escape(at: position, before: bytes.count) : nil
            let code = found?.code ?? bytes[position]
            if found.map({ $0.depth <= blank.depth }) ?? true {
                if " ,;\"'\n\r\t<>\\".utf8.contains(code) || isEscaped && "&#".utf8.contains(code) { break }
            }
            // Not the first letter, since a word may begin with a capital.
            if position > blank.end, Self.isCode(code) { isCode = true }
            position = found?.end ?? position + 1
        }
        return (position, isCode)
    }

    private static func isCode(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: "=")
    }

    /// Skips the user info of the URL whose slashes end here, also escaped as in a URL (`%2F`) or in JSON (`\/`).
    mutating func skipUserInfo() {
        let last = bytes[index - 1]
        guard last == UInt8(ascii: "/") || last | 0x20 == UInt8(ascii: "f"),
            let slash = before(index, code: UInt8(ascii: "/")),
            let other = before(slash.start, code: UInt8(ascii: "/")),
            before(other.start, code: UInt8(ascii: ":")) != nil
        else { return }
        var position = index
        var end: Int?
        while position < bytes.count {
            var code = bytes[position]
            var next = position + 1
            if let found = escape(at: position, before: bytes.count), found.depth <= slash.depth {
                code = found.code
                next = found.end
            }
            if "/?# \"'\n\r\t<>".utf8.contains(code) { break }
            if code == UInt8(ascii: "@") { end = next }
            position = next
        }
        if let end { index = end }
    }

    /// Returns the start of the byte that ends at an index, and its escape depth, if it is the given byte.
    private func before(_ position: Int, code: UInt8) -> (start: Int, depth: Int)? {
        guard position > 0 else { return nil }
        if bytes[position - 1] == code {
            let isEscaped = code == UInt8(ascii: "/") && position > 1 && bytes[position - 2] == UInt8(ascii: "\\")
            return (isEscaped ? position - 2 : position - 1, 0)
        }
        guard position > 2, Self.code(high: bytes[position - 2], low: bytes[position - 1]) == code else { return nil }
        var start = position - 3
        var depth = 1
        while depth < Self.maximumDepth, start > 1, bytes[start] == UInt8(ascii: "5"),
            bytes[start - 1] == UInt8(ascii: "2")
        {
            start -= 2
            depth += 1
        }
        return bytes[start] == UInt8(ascii: "%") ? (start, depth) : nil
    }
}
