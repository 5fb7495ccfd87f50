// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A reader of nested escapes: a URL in a URL in a URL (`%252B`), JSON in a string of a JSON string (`\\\/`).
struct NestedEscapeReader: EscapeReader {
    /// The deepest level of escapes that is decoded.
    private static let deepest = 8
    private static let backslash = UInt8(ascii: "\\")
    private static let percent = UInt8(ascii: "%")

    func first(at index: Int, in bytes: [UInt8]) -> UInt8? { Self.escape(at: index, in: bytes)?.bytes.first }

    func end(of secret: [UInt8], at start: Int, in bytes: [UInt8]) -> Int? {
        var place = start
        var index = 0
        while index < secret.count {
            guard place < bytes.count else { return nil }
            if bytes[place] == Self.backslash, secret[index] == Self.backslash {
                let (wanted, found) = (
                    EscapeSequence.run(at: index, in: secret), EscapeSequence.run(at: place, in: bytes)
                )
                guard found >= wanted else { return nil }
                index += wanted
                // An odd backslash after the pairs escapes the next character.
                place += found > wanted && !found.isMultiple(of: 2) ? found - 1 : found
            } else if bytes[place] == Self.percent, secret[index] == Self.percent {
                // Each level of escaping adds one `25`.
                let (wanted, found) = (
                    Self.percents(at: index + 1, in: secret), Self.percents(at: place + 1, in: bytes)
                )
                guard found >= wanted else { return nil }
                index += 1 + 2 * wanted
                place += 1 + 2 * found
            } else if let unit = Self.escape(at: place, in: bytes), secret[index...].starts(with: unit.bytes) {
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

    /// Returns the bytes of the escape sequence at an index, and the index after it; `nil` if there is no sequence.
    private static func escape(at place: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        switch bytes[place] {
        case UInt8(ascii: "+"): return ([0x20], place + 1)
        case percent: return percentEscape(at: place, in: bytes)
        case backslash: return backslashEscape(at: place, in: bytes)
        default: return nil
        }
    }

    private static func percentEscape(at place: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        var digits = place + 1
        guard var code = EscapeSequence.number(ofDigits: 2, at: digits, in: bytes) else { return nil }
        // Each further level escapes `%` as `%25`.
        var depth = 0
        while code == 0x25, depth < deepest, let inner = EscapeSequence.number(ofDigits: 2, at: digits + 2, in: bytes) {
            code = inner
            digits += 2
            depth += 1
        }
        return ([UInt8(truncatingIfNeeded: code)], digits + 2)
    }

    private static func backslashEscape(at place: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        EscapeSequence.letter(at: place + EscapeSequence.run(at: place, in: bytes), in: bytes)
    }

    /// Returns the number of consecutive `25` from an index on.
    private static func percents(at place: Int, in bytes: [UInt8]) -> Int {
        var count = 0
        while count < EscapeSequence.maximumRun,
            EscapeSequence.number(ofDigits: 2, at: place + 2 * count, in: bytes) == 0x25
        { count += 1 }
        return count
    }
}
