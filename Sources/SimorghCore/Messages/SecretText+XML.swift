// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SecretText {
    private static let sectionStart = Array("<![CDATA[".utf8)
    private static let commentStart = Array("<!--".utf8)

    /// The `>` behind the attributes, or the blanks, of the tag whose name ends here; `nil` where there are none, or no
    /// content.
    func endOfAttributes(before end: Int) -> Int? {
        guard Self.isXMLBlank(bytes[index]) else { return nil }
        var opening: Quote?
        var hasAttribute = false
        var place = index
        // No attribute holds a `<`: so far no other tag looks.
        while place < end, bytes[place] != UInt8(ascii: "<") {
            if let found = quote(at: place, before: end) {
                if let begun = opening {
                    if found.closes(begun) { opening = nil }
                } else {
                    opening = found
                }
                place = found.end
                continue
            }
            if opening == nil, bytes[place] == UInt8(ascii: ">") {
                guard hasAttribute || bytes[index..<place].allSatisfy(Self.isXMLBlank) else { return nil }
                return bytes[place - 1] != UInt8(ascii: "/") ? place : nil
            }
            if bytes[place] == UInt8(ascii: "=") { hasAttribute = true }
            place += max(1, run(at: place, before: end))
        }
        return nil
    }

    /// Hides the text of an element whose tag ended here, its CDATA sections and comments, up to the next tag.
    mutating func hideContent(before end: Int) {
        while true {
            let stop = Self.end(of: bytes[index..<end]) { $0 == UInt8(ascii: "<") }
            if !bytes[index..<stop].allSatisfy(Self.isXMLBlank) {
                hide(until: stop)
            } else if stop > index {
                // Blanks stand between this tag and what follows it.
                copy(through: stop - 1)
            }
            guard index == stop else { return }
            let isSection = bytes[stop..<end].starts(with: Self.sectionStart)
            guard isSection || bytes[stop..<end].starts(with: Self.commentStart) else { return }
            let start = isSection ? Self.sectionStart : Self.commentStart
            let mark = Array((isSection ? "]]>" : "-->").utf8)
            copy(through: stop + start.count - 1)
            if copyMask() {
                // Before an end is looked for, which may be far: what follows would look for it again.
                guard bytes[index..<end].starts(with: mark) else { return }
            } else {
                var place = index
                while place < end, !bytes[place..<end].starts(with: mark) { place += 1 }
                hide(until: place)
            }
            guard index < end else { return }
            copy(through: index + mark.count - 1)
        }
    }

    private static func isXMLBlank(_ byte: UInt8) -> Bool { " \n\r\t".utf8.contains(byte) }
}
