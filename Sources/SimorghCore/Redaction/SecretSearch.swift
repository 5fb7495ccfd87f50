// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A reader that compares secrets with a text in which characters can be escaped.
package protocol EscapeReader: Sendable {
    /// Returns the first byte that the escape sequence at an index decodes to; `nil` if no sequence begins there.
    func firstDecodedByte(at index: Int, in bytes: [UInt8]) -> UInt8?

    /// Returns the end of a secret that begins at an index, with any characters escaped; `nil` if it does not match.
    func end(of secret: [UInt8], at index: Int, in bytes: [UInt8]) -> Int?
}

/// A search for copies of known secrets in texts.
///
/// It finds literal copies, and copies escaped once as in a URL (`%2B`), a form (`+` for a space) or a JSON string
/// (`\/`, `\u002B`).
package struct SecretSearch: Sendable {
    /// The largest number of digits and signs that is treated as a JSON number, in bytes.
    private static let maximumNumberLength = 400

    /// The secrets, in any order.
    package let secrets: [String]
    private let byFirst: [UInt8: [[UInt8]]]
    private let reader: any EscapeReader

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - secrets: The secrets. Empty ones are ignored.
    ///   - reader: The reader of escapes. Default: decodes one level.
    package init(_ secrets: [String] = [], reader: any EscapeReader = SingleEscapes()) {
        self.secrets = secrets
        self.reader = reader
        guard !secrets.isEmpty else {
            byFirst = [:]
            return
        }
        var byFirst: [UInt8: [[UInt8]]] = [:]
        for secret in secrets {
            let bytes = Array(secret.utf8)
            if let first = bytes.first { byFirst[first, default: []].append(bytes) }
        }
        self.byFirst = byFirst
    }

    /// A reader of one level of escapes.
    package struct SingleEscapes: EscapeReader {
        package init() {}

        package func firstDecodedByte(at index: Int, in bytes: [UInt8]) -> UInt8? {
            "%+\\".utf8.contains(bytes[index]) ? EscapeSequence.decoded(at: index, in: bytes)?.bytes.first : nil
        }

        package func end(of secret: [UInt8], at index: Int, in bytes: [UInt8]) -> Int? {
            let (end, count) = commonEnd(of: secret, at: index, in: bytes)
            return count == secret.count ? end : nil
        }

        /// Returns the end of the bytes that are equal, and their number after decoding.
        package func commonEnd(of secret: [UInt8], at index: Int, in bytes: [UInt8]) -> (end: Int, count: Int) {
            var position = index
            var count = 0
            while count < secret.count, position < bytes.count {
                if "%+\\".utf8.contains(bytes[position]), let unit = EscapeSequence.decoded(at: position, in: bytes),
                    secret[count...].starts(with: unit.bytes)
                {
                    position = unit.end
                    count += unit.bytes.count
                } else {
                    guard bytes[position] == secret[count] else { break }
                    position += 1
                    count += 1
                }
            }
            return (position, count)
        }
    }

    /// Returns a text with the secrets redacted.
    ///
    /// Overlapping secrets are redacted as one.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - number: The replacement of a JSON number that is or contains a secret, so that JSON stays valid; `nil`, the
    ///     default, if the text is not JSON.
    /// - Returns: The redacted text.
    package func hidden(in text: String, numbersAs number: String? = nil) -> String {
        guard !byFirst.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let spans = places(in: bytes)
        guard !spans.isEmpty else { return text }
        var shown: [UInt8] = []
        var end = 0
        var quotes = JSONQuotes()
        var position = 0
        for span in spans where span.upperBound > end {
            for byte in bytes[position..<span.lowerBound] {
                // A JSON string cannot span lines.
                if byte == 0x0A { quotes = JSONQuotes() }
                quotes.take(byte)
            }
            position = span.lowerBound
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
        for position in bytes.indices {
            guard let end = end(ofSecretAt: position, in: bytes) else { continue }
            if let last = spans.last, position < last.upperBound {
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                spans.append(position..<end)
            }
        }
        return spans
    }

    /// Returns the secrets that may begin at an index, as they are or escaped.
    package func candidates(at position: Int, in bytes: [UInt8]) -> [[UInt8]] {
        let literal = byFirst[bytes[position]] ?? []
        guard let first = reader.firstDecodedByte(at: position, in: bytes), first != bytes[position] else {
            return literal
        }
        return literal + (byFirst[first] ?? [])
    }

    /// Returns the end of the longest secret that begins at an index.
    private func end(ofSecretAt position: Int, in bytes: [UInt8]) -> Int? {
        var end: Int?
        for secret in candidates(at: position, in: bytes) {
            if bytes[position...].starts(with: secret) { end = max(end ?? 0, position + secret.count) }
            if let found = reader.end(of: secret, at: position, in: bytes) { end = max(end ?? 0, found) }
        }
        return end
    }

    // MARK: Numbers of JSON

    /// Returns the JSON number that contains a secret; `nil` if the secret is in other text.
    private static func number(around span: Range<Int>, in bytes: [UInt8]) -> Range<Int>? {
        guard span.count <= maximumNumberLength, bytes[span].allSatisfy(isNumeric) else { return nil }
        var (start, end) = (span.lowerBound, span.upperBound)
        let (first, last) = (max(0, start - maximumNumberLength), min(bytes.count, end + maximumNumberLength))
        while start > first, isNumeric(bytes[start - 1]) { start -= 1 }
        while end < last, isNumeric(bytes[end]) { end += 1 }
        if isEventData(start..<end, in: bytes) { return start..<end }
        let before = bytes[..<start].suffix(maximumNumberLength).last(where: { !$0.isJSONSpace })
        let after = bytes[end...].prefix(maximumNumberLength).first(where: { !$0.isJSONSpace })
        switch (before, after) {
        case (nil, nil): return start..<end
        case (let before?, let after?):
            return ":,[".utf8.contains(before) && ",]}".utf8.contains(after) ? start..<end : nil
        default: return nil
        }
    }

    /// Returns true if a range is the whole data of an event stream line: `data: 7`.
    private static func isEventData(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let after = bytes[range.upperBound...].prefix(maximumNumberLength).first(where: { !$0.isBlank })
        guard after.map(isLineBreak) ?? true else { return false }
        var position = range.lowerBound
        while position > 0, position > range.lowerBound - maximumNumberLength, bytes[position - 1].isBlank {
            position -= 1
        }
        guard bytes[..<position].suffix(5).elementsEqual("data:".utf8) else { return false }
        return position == 5 || isLineBreak(bytes[position - 6])
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || "+-.eE".utf8.contains(byte)
    }
}
