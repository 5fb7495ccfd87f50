// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Cuts a JSON document (RFC 8259) into its tokens, and checks that their order is that of JSON.
///
/// It decodes nothing: a number of forty digits and a name that occurs twice stay as they are. It does not call itself, so a
/// level of nesting costs one byte.
package struct JSONTokenizer {
    /// A part of a document: a bracket, a comma, a colon, or a whole text, number or word.
    package enum Kind: Sendable { case opening, closing, comma, colon, name, string, number, literal }

    /// A token, its quotes included.
    package struct Token: Sendable {
        package let kind: Kind
        package let range: Range<Int>
    }

    /// The reason why there is no next token.
    package enum Fault: Error {
        /// A byte that is not allowed in its place, or a value that is nested too deep.
        case malformed
        /// The bytes end before the document does.
        case cut
    }

    private static let escapes = ByteSet(#""\/bfnrt"#)
    private static let numeric = ByteSet("+-.eE0123456789")

    private enum Expectation { case value, name, colon, separator }

    private let bytes: ArraySlice<UInt8>
    /// The index after the last token.
    package private(set) var position: Int
    /// The closing brackets of what is open, the innermost last.
    private var open: [UInt8] = []
    private var expectation = Expectation.value
    /// True if the last token is an opening bracket.
    private var isEmpty = false
    private let maximumDepth: Int
    private let isStrict: Bool

    /// Creates a tokenizer.
    ///
    /// - Parameters:
    ///   - bytes: The document; only the strings may hold what is not ASCII, and whether that is UTF-8 is not checked.
    ///   - maximumDepth: The most brackets around a value.
    ///   - isStrict: False to accept any escape in a string, and any digits, points and signs as a number.
    package init(_ bytes: ArraySlice<UInt8>, maximumDepth: Int, isStrict: Bool = true) {
        self.bytes = bytes
        position = bytes.startIndex
        self.maximumDepth = maximumDepth
        self.isStrict = isStrict
    }

    /// The number of brackets that are open after the last token.
    package var depth: Int { open.count }

    /// True if the last token ended the document.
    package var isComplete: Bool { expectation == .separator && open.isEmpty }

    /// Reads the next token; `nil` at the end of a complete document.
    package mutating func next() throws(Fault) -> Token? {
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

    private mutating func read(_ byte: UInt8) throws(Fault) -> Kind {
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

    private mutating func value(_ byte: UInt8) throws(Fault) -> Kind {
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

    private mutating func scalar(_ byte: UInt8) throws(Fault) -> Kind {
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

    /// Passes a token of one byte.
    private mutating func mark(_ kind: Kind, then next: Expectation) -> Kind {
        position += 1
        expectation = next
        return kind
    }

    private mutating func string() throws(Fault) {
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

    /// Passes what follows a backslash.
    private mutating func escape() throws(Fault) {
        let letter = try byte()
        guard isStrict else { return }
        guard letter == UInt8(ascii: "u") else {
            if Self.escapes.contains(letter) { return }
            throw .malformed
        }
        for _ in 0..<4 where PercentEncoding.hexValue(try byte()) == nil { throw .malformed }
    }

    private mutating func number() throws(Fault) -> Kind {
        let hasSign = take(UInt8(ascii: "-"))
        guard isStrict else {
            guard hasSign || peek.isASCIIDigit else { throw .malformed }
            while Self.numeric.contains(peek) { position += 1 }
            return .number
        }
        // A zero stands alone before the point.
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return .number
    }

    private mutating func digits() throws(Fault) {
        guard peek.isASCIIDigit else { throw .malformed }
        while peek.isASCIIDigit { position += 1 }
    }

    private mutating func literal(_ word: StaticString) throws(Fault) -> Kind {
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

    private mutating func byte() throws(Fault) -> UInt8 {
        guard position < bytes.endIndex else { throw .cut }
        defer { position += 1 }
        return bytes[position]
    }
}
