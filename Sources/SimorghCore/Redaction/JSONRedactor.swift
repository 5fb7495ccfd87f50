// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Redacts the values of sensitive names in streamed JSON.
///
/// A value type without I/O.
///
/// The JSON can be split anywhere and can be surrounded by other text, as in an event stream. Incomplete JSON and text
/// that is not JSON pass through unchanged.
package struct JSONRedactor: Sendable {
    private enum Mode: Sendable {
        case plain
        case string
        /// The value of a sensitive name is expected.
        case awaited
        /// The bytes so far of what can be `null`, `true` or `false`.
        case literal([UInt8])
        case hiddenString
        case hiddenScalar
        case hiddenNest(depth: Int)
    }

    private static let mask = Array("\"\(RedactionRules.mask)\"".utf8)
    /// The length from which names are ignored.
    private static let maximumNameLength = 256

    private let isSecret: @Sendable ([UInt8]) -> Bool
    private var mode = Mode.plain
    /// The state of the current string, visible or redacted.
    private var quotes = JSONQuotes()
    /// The string that ended last, while it can be a name.
    private var name: [UInt8]?
    private var text: [UInt8] = []

    package init(_ rules: RedactionRules) { isSecret = { rules.isSecret($0) } }

    /// Creates a redactor.
    ///
    /// - Parameter isSecret: Returns true if a name is sensitive.
    package init(where isSecret: @escaping @Sendable (_ name: [UInt8]) -> Bool) { self.isSecret = isSecret }

    /// Redacts the next bytes and returns the visible ones.
    package mutating func mask(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var shown: [UInt8] = []
        for byte in bytes { take(byte, into: &shown) }
        return shown
    }

    private mutating func take(_ byte: UInt8, into shown: inout [UInt8]) {
        switch mode {
        case .plain: takePlain(byte, into: &shown)
        case .string:
            shown.append(byte)
            quotes.take(byte)
            if byte == 0x0A {
                // A JSON string cannot span lines: this was a lone quote in other text.
                mode = .plain
                quotes = JSONQuotes()
            } else if !quotes.isInside {
                mode = .plain
                name = text.count < Self.maximumNameLength ? text : nil
            } else if text.count < Self.maximumNameLength {
                text.append(byte)
            }
        case .awaited: takeAwaited(byte, into: &shown)
        case .literal(let literal): takeLiteral(byte, after: literal, into: &shown)
        case .hiddenString:
            quotes.take(byte)
            if !quotes.isInside { mode = .plain }
        case .hiddenScalar:
            guard JSONText.endsScalar(byte) else { return }
            mode = .plain
            takePlain(byte, into: &shown)
        case .hiddenNest(let depth):
            if !quotes.take(byte) { takeNested(byte, depth: depth) }
        }
    }

    private mutating func takePlain(_ byte: UInt8, into shown: inout [UInt8]) {
        shown.append(byte)
        switch byte {
        case UInt8(ascii: "\""):
            mode = .string
            quotes.take(byte)
            text.removeAll(keepingCapacity: true)
            name = nil
        case UInt8(ascii: ":"):
            if let name = name.take(), isSecret(Self.unescaped(name)) { mode = .awaited }
        default: if !byte.isJSONSpace { name = nil }
        }
    }

    private mutating func takeAwaited(_ byte: UInt8, into shown: inout [UInt8]) {
        switch byte {
        case _ where byte.isJSONSpace: shown.append(byte)
        case UInt8(ascii: "\""):
            shown += Self.mask
            mode = .hiddenString
            quotes.take(byte)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            shown += Self.mask
            mode = .hiddenNest(depth: 1)
        case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"): mode = .literal([byte])
        case UInt8(ascii: ","), UInt8(ascii: "}"):
            mode = .plain
            shown.append(byte)
        default:
            shown += Self.mask
            mode = .hiddenScalar
        }
    }

    /// Keeps the literals `null`, `true` and `false`, and redacts words that only begin like them.
    private mutating func takeLiteral(_ byte: UInt8, after literal: [UInt8], into shown: inout [UInt8]) {
        guard JSONText.endsScalar(byte) else {
            if literal.count < 5 {
                mode = .literal(literal + [byte])
            } else {
                shown += Self.mask
                mode = .hiddenScalar
            }
            return
        }
        shown += ["null", "true", "false"].contains(String(decoding: literal, as: UTF8.self)) ? literal : Self.mask
        mode = .plain
        takePlain(byte, into: &shown)
    }

    private mutating func takeNested(_ byte: UInt8, depth: Int) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): mode = .hiddenNest(depth: depth + 1)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): mode = depth == 1 ? .plain : .hiddenNest(depth: depth - 1)
        default: break
        }
    }

    /// Returns a name with its escapes decoded, such as `\u0074`.
    private static func unescaped(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(UInt8(ascii: "\\")) else { return name }
        var plain: [UInt8] = []
        var index = 0
        while index < name.count {
            if name[index] == UInt8(ascii: "\\"), let found = EscapeSequence.scalar(at: index + 1, in: name) {
                plain += Array(String(found.scalar).utf8)
                index = found.end
            } else {
                plain.append(name[index])
                index += 1
            }
        }
        return plain
    }
}
