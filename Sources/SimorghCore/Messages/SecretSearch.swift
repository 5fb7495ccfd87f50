// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Secrets that are looked for in texts, all at once: made ready once, as one request is shown in many texts.
///
/// A copy is found however it is escaped: as JSON does it (`\/`, `\u002B`), and JSON in a string of JSON, and as URLs
/// and forms do (`%2B`, `%252B`, `+` for a blank).
package struct SecretSearch: Sendable {
    /// No escape of an escape is looked at that is deeper: a text may be nothing but backslashes.
    private static let longestRun = 64
    private static let deepest = 8
    /// No longer number is taken for one.
    private static let longestNumber = 400
    private static let backslash = UInt8(ascii: "\\")
    private static let percent = UInt8(ascii: "%")

    /// What is looked for, in any order.
    package let secrets: [String]
    private let byFirst: [UInt8: [[UInt8]]]

    /// - Parameter secrets: What is looked for; an empty text is not.
    package init(_ secrets: [String] = []) {
        self.secrets = secrets
        var byFirst: [UInt8: [[UInt8]]] = [:]
        for secret in secrets {
            let bytes = Array(secret.utf8)
            if let first = bytes.first { byFirst[first, default: []].append(bytes) }
        }
        self.byFirst = byFirst
    }

    /// A text without the secrets; where one reaches into another both are hidden as one.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - number: What stands for a number of JSON that is or holds a secret, so that JSON stays JSON; `nil`, the
    ///     default, where the text is none.
    /// - Returns: The text, its secrets hidden.
    package func hidden(in text: String, numbersAs number: String? = nil) -> String {
        guard !byFirst.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let spans = places(in: bytes)
        guard !spans.isEmpty else { return text }
        var shown: [UInt8] = []
        var end = 0
        var quotes = Quotes()
        for span in spans where span.upperBound > end {
            quotes.go(to: span.lowerBound, in: bytes)
            if let number, !quotes.isInside, let whole = Self.number(around: span, in: bytes) {
                shown += bytes[end..<max(end, whole.lowerBound)]
                shown += number.utf8
                end = whole.upperBound
            } else {
                shown += bytes[end..<max(end, span.lowerBound)]
                shown += RedactionRules.mask.utf8
                end = span.upperBound
            }
        }
        shown += bytes[end...]
        return String(decoding: shown, as: UTF8.self)
    }

    private func places(in bytes: [UInt8]) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        for place in bytes.indices {
            guard let end = end(ofSecretAt: place, in: bytes) else { continue }
            if let last = spans.last, place < last.upperBound {
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                spans.append(place..<end)
            }
        }
        return spans
    }

    /// Where the longest secret ends that begins at a place.
    private func end(ofSecretAt place: Int, in bytes: [UInt8]) -> Int? {
        var end: Int?
        for secret in byFirst[bytes[place]] ?? [] {
            if let found = Self.end(of: secret, at: place, in: bytes) {
                end = max(end ?? 0, found)
            } else if secret.last == UInt8(ascii: "2"), bytes[place...].starts(with: secret) {
                // With what follows it here, the `%2` at its end may seem an escape.
                end = max(end ?? 0, place + secret.count)
            }
        }
        guard let first = Self.escape(at: place, in: bytes)?.bytes.first, first != bytes[place] else { return end }
        for secret in byFirst[first] ?? [] {
            if let found = Self.end(of: secret, at: place, in: bytes) { end = max(end ?? 0, found) }
        }
        return end
    }

    /// Where a secret ends that stands at a place, any of its characters escaped; `nil` where it does not.
    private static func end(of secret: [UInt8], at start: Int, in bytes: [UInt8]) -> Int? {
        var place = start
        var index = 0
        while index < secret.count {
            guard place < bytes.count else { return nil }
            if bytes[place] == backslash, secret[index] == backslash {
                let (wanted, found) = (run(at: index, in: secret), run(at: place, in: bytes))
                guard found >= wanted else { return nil }
                index += wanted
                // One more than an even number of them escapes what follows.
                place += found > wanted && !found.isMultiple(of: 2) ? found - 1 : found
            } else if bytes[place] == percent, secret[index] == percent {
                // Each time that it was escaped there is one more `25` behind it.
                let (wanted, found) = (percents(at: index + 1, in: secret), percents(at: place + 1, in: bytes))
                guard found >= wanted else { return nil }
                index += 1 + 2 * wanted
                place += 1 + 2 * found
            } else if let unit = escape(at: place, in: bytes), secret[index...].starts(with: unit.bytes) {
                place = unit.end
                index += unit.bytes.count
            } else {
                guard bytes[place] == secret[index] else { return nil }
                place += 1
                index += 1
            }
        }
        return place
    }

    /// What the escape at a place stands for, and where it ends; `nil` where there is none.
    private static func escape(at place: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        switch bytes[place] {
        case UInt8(ascii: "+"): return ([0x20], place + 1)
        case UInt8(ascii: "%"): return percentEscape(at: place, in: bytes)
        case backslash: return backslashEscape(at: place, in: bytes)
        default: return nil
        }
    }

    private static func percentEscape(at place: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        var digits = place + 1
        guard var code = hexadecimal(2, at: digits, in: bytes) else { return nil }
        // What was escaped again has `%25` for its `%`.
        var depth = 0
        while code == 0x25, depth < deepest, let inner = hexadecimal(2, at: digits + 2, in: bytes) {
            code = inner
            digits += 2
            depth += 1
        }
        return ([UInt8(truncatingIfNeeded: code)], digits + 2)
    }

    private static func backslashEscape(at place: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        let letter = place + run(at: place, in: bytes)
        guard letter < bytes.count else { return nil }
        switch bytes[letter] {
        case UInt8(ascii: "u"): return scalar(at: letter, in: bytes)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"): return ([bytes[letter]], letter + 1)
        case UInt8(ascii: "n"): return ([0x0A], letter + 1)
        case UInt8(ascii: "r"): return ([0x0D], letter + 1)
        case UInt8(ascii: "t"): return ([0x09], letter + 1)
        default: return nil
        }
    }

    /// `u002B`, or a pair of two such halves with backslashes between them.
    private static func scalar(at letter: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        guard var code = hexadecimal(4, at: letter + 1, in: bytes) else { return nil }
        var end = letter + 5
        if (0xD800..<0xDC00).contains(code) {
            let second = end + run(at: end, in: bytes)
            guard second > end, second < bytes.count, bytes[second] == UInt8(ascii: "u"),
                let low = hexadecimal(4, at: second + 1, in: bytes), (0xDC00..<0xE000).contains(low)
            else { return nil }
            code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            end = second + 5
        }
        guard let scalar = UnicodeScalar(code) else { return nil }
        return (Array(String(scalar).utf8), end)
    }

    /// How many backslashes follow one another from a place on.
    private static func run(at place: Int, in bytes: [UInt8]) -> Int {
        var end = place
        while end < bytes.count, end < place + longestRun, bytes[end] == backslash { end += 1 }
        return end - place
    }

    /// How many `25` follow one another from a place on.
    private static func percents(at place: Int, in bytes: [UInt8]) -> Int {
        var count = 0
        while count < longestRun, hexadecimal(2, at: place + 2 * count, in: bytes) == 0x25 { count += 1 }
        return count
    }

    /// The number that so many hexadecimal digits make.
    private static func hexadecimal(_ count: Int, at place: Int, in bytes: [UInt8]) -> UInt32? {
        guard place + count <= bytes.count else { return nil }
        var code: UInt32 = 0
        for byte in bytes[place..<place + count] {
            guard let digit = PercentEncoding.hexValue(byte) else { return nil }
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    // MARK: Numbers of JSON

    /// Whether a place stands in a string of JSON.
    private struct Quotes {
        private(set) var isInside = false
        private var isEscaped = false
        private var place = 0

        init() {}

        mutating func go(to end: Int, in bytes: [UInt8]) {
            while place < end {
                let byte = bytes[place]
                if byte == 0x0A {
                    // No string of JSON goes on in the next line.
                    isInside = false
                } else if byte == UInt8(ascii: "\""), !isEscaped {
                    isInside.toggle()
                }
                isEscaped = isInside && byte == UInt8(ascii: "\\") && !isEscaped
                place += 1
            }
        }
    }

    /// The number in which a secret stands, where JSON would have one; `nil` where it stands in other text.
    private static func number(around span: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        guard span.count <= longestNumber, bytes[span].allSatisfy(isNumeric) else { return nil }
        var (start, end) = (span.lowerBound, span.upperBound)
        let (first, last) = (max(0, start - longestNumber), min(bytes.count, end + longestNumber))
        while start > first, isNumeric(bytes[start - 1]) { start -= 1 }
        while end < last, isNumeric(bytes[end]) { end += 1 }
        if isEventData(start..<end, in: bytes) { return start..<end }
        let before = bytes[..<start].suffix(longestNumber).last(where: { !isBlank($0) })
        let after = bytes[end...].prefix(longestNumber).first(where: { !isBlank($0) })
        switch (before, after) {
        case (nil, nil): return start..<end
        case (let before?, let after?):
            return ":,[".utf8.contains(before) && ",]}".utf8.contains(after) ? start..<end : nil
        default: return nil
        }
    }

    /// Whether a line of an event stream gives nothing but a range as its data: `data: 7`.
    private static func isEventData(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let after = bytes[range.upperBound...].prefix(longestNumber).first(where: { !isSpace($0) })
        guard after.map(isLineBreak) ?? true else { return false }
        var place = range.lowerBound
        while place > 0, place > range.lowerBound - longestNumber, isSpace(bytes[place - 1]) { place -= 1 }
        guard bytes[..<place].suffix(5).elementsEqual("data:".utf8) else { return false }
        return place == 5 || isLineBreak(bytes[place - 6])
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || "+-.eE".utf8.contains(byte)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
}
