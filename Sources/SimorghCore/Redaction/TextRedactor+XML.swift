// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension TextRedactor {
    private static let section = (start: Array("<![CDATA[".utf8), end: Array("]]>".utf8))
    private static let comment = (start: Array("<!--".utf8), end: Array("-->".utf8))

    /// Returns true if a word is the name of an XML element, with an optional prefix: `<x:password`.
    func startsTag(_ start: Int) -> Bool {
        guard start > 0 else { return false }
        if bytes[start - 1] == UInt8(ascii: "<") { return true }
        guard bytes[start - 1] == UInt8(ascii: ":") else { return false }
        // Longer prefixes are ignored.
        let prefix = bytes[max(0, start - 33)..<start - 1]
        guard let first = prefix.lastIndex(where: { !Self.isWord($0) }) else { return false }
        return bytes[first] == UInt8(ascii: "<")
    }

    /// Returns the `>` after the attributes or spaces of the tag whose name ends here.
    ///
    /// `nil` if there are no attributes or spaces, or the element has no content.
    func endOfAttributes(before end: Int) -> Int? {
        guard Self.isXMLBlank(bytes[index]) else { return nil }
        var quote: UInt8?
        var hasAttribute = false
        var position = index
        // An attribute cannot contain `<`, so the search ends at the next tag.
        while position < end, bytes[position] != UInt8(ascii: "<") {
            let byte = bytes[position]
            if byte == quote {
                quote = nil
            } else if quote == nil {
                if byte == UInt8(ascii: ">") {
                    guard hasAttribute || bytes[index..<position].allSatisfy(Self.isXMLBlank) else { return nil }
                    return bytes[position - 1] != UInt8(ascii: "/") ? position : nil
                }
                if byte == UInt8(ascii: "=") { hasAttribute = true }
                if "\"'".utf8.contains(byte) { quote = byte }
            }
            position += 1
        }
        return nil
    }

    /// Redacts the text of an element, its CDATA sections and comments, up to the next tag.
    mutating func hideContent(before end: Int) {
        while index < end {
            let stop = Self.end(of: bytes[index..<end]) { $0 == UInt8(ascii: "<") }
            if bytes[index..<stop].allSatisfy(Self.isXMLBlank) { index = stop } else { hide(index..<stop) }
            guard index == stop else { return }
            let isSection = bytes[stop..<end].starts(with: Self.section.start)
            let (start, mark) = isSection ? Self.section : Self.comment
            guard bytes[stop..<end].starts(with: start) else { return }
            index = stop + start.count
            // Checked before the search for the end, which may be far away and would be repeated for the next section.
            if skipMask() {
                guard index < end, bytes[index..<end].starts(with: mark) else { return }
            } else {
                var position = index
                while position < end, !bytes[position..<end].starts(with: mark) { position += 1 }
                hide(index..<position)
            }
            guard index < end else { return }
            index += mark.count
        }
    }

    private static let blanks = ByteSet(" \n\r\t")

    private static func isXMLBlank(_ byte: UInt8) -> Bool { blanks.contains(byte) }
}
