// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SecretText {
    /// A byte of a URL that stands escaped in a text: `%3D`, or `%253D` in a URL in a URL.
    struct Escape {
        let code: UInt8
        /// How many times it was escaped.
        let depth: Int
        let end: Int
    }

    /// No deeper escape is looked at, as of items.
    private static let deepest = 4

    /// The escape that begins at a place.
    func escape(at place: Int, before end: Int) -> Escape? {
        guard place < end, bytes[place] == UInt8(ascii: "%") else { return nil }
        var next = place + 1
        var depth = 1
        while depth < Self.deepest, next + 3 < end, bytes[next] == UInt8(ascii: "2"),
            bytes[next + 1] == UInt8(ascii: "5"),
            Self.code(bytes[next + 2], bytes[next + 3]) != nil
        {
            next += 2
            depth += 1
        }
        guard next + 1 < end, let code = Self.code(bytes[next], bytes[next + 1]) else { return nil }
        return Escape(code: code, depth: depth, end: next + 2)
    }

    private static func code(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = PercentEncoding.hexValue(high), let low = PercentEncoding.hexValue(low) else { return nil }
        return high << 4 | low
    }

    /// What stands at a place, be it escaped or not.
    func character(at place: Int, before end: Int) -> Escape? {
        guard place < end else { return nil }
        return escape(at: place, before: end) ?? Escape(code: bytes[place], depth: 0, end: place + 1)
    }

    /// Hides the value whose delimiter stood escaped before it.
    mutating func hideEscaped(_ delimiter: Escape, before end: Int) {
        while let blank = escape(at: index, before: end), "\"' ".utf8.contains(blank.code) {
            copy(through: blank.end - 1)
        }
        let isNest = escape(at: index, before: end).map { "{[".utf8.contains($0.code) } ?? false
        var place = index
        while place < end, !" ,;&<>\"'\n\r\t}])\\".utf8.contains(bytes[place]) {
            guard let found = escape(at: place, before: end) else {
                place += 1
                continue
            }
            // What was escaped more often is the value's own.
            let mayEnd = found.depth <= delimiter.depth
            if mayEnd, "&#\n\r".utf8.contains(found.code) || !isNest && "\"'".utf8.contains(found.code) { break }
            place = found.end
        }
        hide(until: place)
    }

    /// Passes by the user of the URL whose slashes end here, be they escaped as in a URL (`%2F`) or as in JSON (`\/`).
    mutating func leaveOutUser() {
        let last = bytes[index - 1]
        guard last == UInt8(ascii: "/") || last | 0x20 == UInt8(ascii: "f"),
            let slash = before(index, UInt8(ascii: "/")),
            let other = before(slash.start, UInt8(ascii: "/")), before(other.start, UInt8(ascii: ":")) != nil
        else { return }
        var place = index
        var end: Int?
        while place < bytes.count {
            var code = bytes[place]
            var next = place + 1
            if let found = escape(at: place, before: bytes.count), found.depth <= slash.depth {
                code = found.code
                next = found.end
            }
            if "/?# \"'\n\r\t<>".utf8.contains(code) { break }
            if code == UInt8(ascii: "@") { end = next }
            place = next
        }
        if let end { index = end }
    }

    /// Where the byte begins that ends at a place, and how many times it is escaped, if it is that one.
    private func before(_ place: Int, _ code: UInt8) -> (start: Int, depth: Int)? {
        guard place > 0 else { return nil }
        if bytes[place - 1] == code {
            let isEscaped = code == UInt8(ascii: "/") && place > 1 && bytes[place - 2] == UInt8(ascii: "\\")
            return (isEscaped ? place - 2 : place - 1, 0)
        }
        guard place > 2, Self.code(bytes[place - 2], bytes[place - 1]) == code else { return nil }
        var start = place - 3
        var depth = 1
        while depth < Self.deepest, start > 1, bytes[start] == UInt8(ascii: "5"), bytes[start - 1] == UInt8(ascii: "2")
        {
            start -= 2
            depth += 1
        }
        return bytes[start] == UInt8(ascii: "%") ? (start, depth) : nil
    }
}
