// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Splits a JSON document (RFC 8259) into tokens, and validates their order.
///
/// It does not decode values: a number of forty digits and a duplicate name stay as they are. It is not recursive: a
/// level of nesting costs one byte.
package struct JSONTokenizer {
    /// The kind of a token.
    package enum Kind: Sendable { case opening, closing, comma, colon, name, string, number, literal }

    /// A token, including its quotation marks.
    package struct Token: Sendable {
        package let kind: Kind
        package let range: Range<Int>
    }

    /// The reason why there is no next token.
    package enum SyntaxError: Error {
        /// A byte that is not allowed at its position, or a value that is nested too deeply.
        case malformed
        /// The bytes end before the document does.
        case cut
    }

    private static let escapes = ByteSet(#""\/bfnrt"#)
    private static let numeric = ByteSet("+-.eE0123456789")

    private enum Expectation { case value, name, colon, separator }

    private let bytes: ArraySlice<UInt8>
    /// The offset after the last token.
    package private(set) var position: Int
    /// The closing brackets of the open containers, the innermost last.
    private var open: [UInt8] = []
    private var expectation = Expectation.value
    /// True if the last token is an opening bracket.
    private var isEmpty = false
    private let maximumDepth: Int
    private let isStrict: Bool

    /// Creates a tokenizer.
    ///
    /// - Parameters:
    ///   - bytes: The document. Only strings may contain non-ASCII bytes, which are not checked to be valid UTF-8.
    ///   - maximumDepth: The maximum number of brackets around a value.
    ///   - isStrict: False to accept any escape in a string, and any sequence of digits, points and signs as a number.
    package init(_ bytes: ArraySlice<UInt8>, maximumDepth: Int, isStrict: Bool = true) {
        self.bytes = bytes
        position = bytes.startIndex
        self.maximumDepth = maximumDepth
        self.isStrict = isStrict
    }

    /// The number of open brackets after the last token.
    package var depth: Int { open.count }

    /// True if the last token ended the document.
    package var isComplete: Bool { expectation == .separator && open.isEmpty }

    /// Returns the next token; `nil` at the end of a complete document.
    package mutating func next() throws(SyntaxError) -> Token? {
        while position < bytes.endIndex, bytes[position].isJSONSpace { position += 1 }
        guard position < bytes.endIndex else {
            if isComplete { return nil }
            throw .cut
        }
        let start = position
        let kind = try read(bytes[start])
        isEmpty = kind == .opening
        return Token(kind: kind, range: start..<position)
    }

    private mutating func read(_ byte: UInt8) throws(SyntaxError) -> Kind {
        switch (expectation, byte) {
        case (.separator, UInt8(ascii: "}")), (.separator, UInt8(ascii: "]")),
            (.name, UInt8(ascii: "}")) where isEmpty, (.value, UInt8(ascii: "]")) where isEmpty:
            guard open.popLast() == byte else { throw .malformed }
            return mark(.closing, then: .separator)
        case (.separator, UInt8(ascii: ",")):
            guard let closing = open.last else { throw .malformed }
            return mark(.comma, then: closing == UInt8(ascii: "}") ? .name : .value)
        case (.name, UInt8(ascii: "\"")):
            try string()
            expectation = .colon
            return .name
        case (.colon, UInt8(ascii: ":")) where depth <= maximumDepth: return mark(.colon, then: .value)
        case (.value, _) where depth <= maximumDepth: return try value(byte)
        default: throw .malformed
        }
    }

    private mutating func value(_ byte: UInt8) throws(SyntaxError) -> Kind {
        switch byte {
        case UInt8(ascii: "{"):
            open.append(UInt8(ascii: "}"))
            return mark(.opening, then: .name)
        case UInt8(ascii: "["):
            open.append(UInt8(ascii: "]"))
            return mark(.opening, then: .value)
        default:
            let kind = try scalar(byte)
            expectation = .separator
            return kind
        }
    }

    private mutating func scalar(_ byte: UInt8) throws(SyntaxError) -> Kind {
        switch byte {
        case UInt8(ascii: "\""):
            try string()
            return .string
        case UInt8(ascii: "t"): return try literal("true")
        case UInt8(ascii: "f"): return try literal("false")
        case UInt8(ascii: "n"): return try literal("null")
        default: return try number()
        }
    }

    /// Consumes a token of one byte.
    private mutating func mark(_ kind: Kind, then next: Expectation) -> Kind {
        position += 1
        expectation = next
        return kind
    }

    private mutating func string() throws(SyntaxError) {
        position += 1
        while true {
            switch try byte() {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape()
            case ..<0x20: throw .malformed
            default: break
            }
        }
    }

    /// Consumes the rest of an escape after its backslash.
    private mutating func escape() throws(SyntaxError) {
        let letter = try byte()
        guard isStrict else { return }
        guard letter == UInt8(ascii: "u") else {
            if Self.escapes.contains(letter) { return }
            throw .malformed
        }
        for _ in 0..<4 where PercentEncoding.hexValue(try byte()) == nil { throw .malformed }
    }

    private mutating func number() throws(SyntaxError) -> Kind {
        let hasSign = take(UInt8(ascii: "-"))
        guard isStrict else {
            guard hasSign || peek.isASCIIDigit else { throw .malformed }
            while Self.numeric.contains(peek) { position += 1 }
            return .number
        }
        // A leading zero must be the only digit before the decimal point.
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return .number
    }

    private mutating func digits() throws(SyntaxError) {
        guard peek.isASCIIDigit else { throw .malformed }
        while peek.isASCIIDigit { position += 1 }
    }

    private mutating func literal(_ word: StaticString) throws(SyntaxError) -> Kind {
        for offset in 0..<word.utf8CodeUnitCount where try byte() != word.utf8Start[offset] { throw .malformed }
        return .literal
    }

    /// The next byte; at the end 0, which occurs in no token.
    private var peek: UInt8 { position < bytes.endIndex ? bytes[position] : 0 }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func byte() throws(SyntaxError) -> UInt8 {
        guard position < bytes.endIndex else { throw .cut }
        defer { position += 1 }
        return bytes[position]
    }
}
