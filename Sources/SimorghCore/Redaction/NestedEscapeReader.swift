// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A reader of nested escapes: a URL in a URL in a URL (`%252B`), JSON in a string of a JSON string (`\\\/`).
struct NestedEscapeReader: EscapeReader {
    /// The deepest level of escapes that is decoded.
    private static let maximumDepth = 8
    private static let backslash = UInt8(ascii: "\\")
    private static let percent = UInt8(ascii: "%")

    func firstDecodedByte(at index: Int, in bytes: [UInt8]) -> UInt8? {
        Self.escape(at: index, in: bytes)?.bytes.first
    }

    func end(of secret: [UInt8], at start: Int, in bytes: [UInt8]) -> Int? {
        var position = start
        var index = 0
        while index < secret.count {
            guard position < bytes.count else { return nil }
            if bytes[position] == Self.backslash, secret[index] == Self.backslash {
                let (required, found) = (
                    EscapeSequence.run(at: index, in: secret), EscapeSequence.run(at: position, in: bytes)
                )
                guard found >= required else { return nil }
                index += required
                // An odd backslash after the pairs escapes the next character.
                position += found > required && !found.isMultiple(of: 2) ? found - 1 : found
            } else if bytes[position] == Self.percent, secret[index] == Self.percent {
                // Each level of escaping adds one `25`.
                let (required, found) = (
                    Self.percents(at: index + 1, in: secret), Self.percents(at: position + 1, in: bytes)
                )
                guard found >= required else { return nil }
                index += 1 + 2 * required
                position += 1 + 2 * found
            } else if let unit = Self.escape(at: position, in: bytes), secret[index...].starts(with: unit.bytes) {
                position = unit.end
                index += unit.bytes.count
            } else {
                guard bytes[position] == secret[index] else { return nil }
                position += 1
                index += 1
            }
        }
        return position
    }

    /// Returns the bytes of the escape sequence at an index, and the index after it; `nil` if there is no sequence.
    private static func escape(at position: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        switch bytes[position] {
        case UInt8(ascii: "+"): return ([0x20], position + 1)
        case percent: return percentEscape(at: position, in: bytes)
        case backslash: return backslashEscape(at: position, in: bytes)
        default: return nil
        }
    }

    private static func percentEscape(at position: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        var digits = position + 1
        guard var code = EscapeSequence.number(ofDigits: 2, at: digits, in: bytes) else { return nil }
        // Each further level escapes `%` as `%25`.
        var depth = 0
        while code == 0x25, depth < maximumDepth,
            let inner = EscapeSequence.number(ofDigits: 2, at: digits + 2, in: bytes)
        {
            code = inner
            digits += 2
            depth += 1
        }
        return ([UInt8(truncatingIfNeeded: code)], digits + 2)
    }

    private static func backslashEscape(at position: Int, in bytes: [UInt8]) -> (bytes: [UInt8], end: Int)? {
        EscapeSequence.letter(at: position + EscapeSequence.run(at: position, in: bytes), in: bytes)
    }

    /// Returns the number of consecutive `25` from an index on.
    private static func percents(at position: Int, in bytes: [UInt8]) -> Int {
        var count = 0
        while count < EscapeSequence.maximumRun,
            EscapeSequence.number(ofDigits: 2, at: position + 2 * count, in: bytes) == 0x25
        { count += 1 }
        return count
    }
}
