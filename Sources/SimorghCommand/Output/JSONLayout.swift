// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// Reads JSON (RFC 8259) byte by byte and writes it indented.
///
/// Nothing is decoded: a number of forty digits and a name that comes twice stay as they are. No recursion, so that
/// depth costs one byte a level.
struct JSONLayout {
    private enum Expectation { case value, key, separator }

    private(set) var output: [UInt8] = []
    private let input: [UInt8]
    private var position = 0
    private var open: [UInt8] = []
    private let starts: [Palette.Style: [UInt8]]
    private let end: [UInt8]
    private let indentation: [UInt8]
    private let maximumDepth: Int
    private let keepsOutput: Bool

    init(
        _ input: [UInt8], _ palette: Palette, maximumDepth: Int = PrettyJSON.maximumDepth, keepsOutput: Bool = true
    ) {
        self.input = input
        self.maximumDepth = maximumDepth
        indentation = Array(repeating: 0x20, count: maximumDepth * 2)
        self.keepsOutput = keepsOutput
        starts = Dictionary(uniqueKeysWithValues: Palette.Style.allCases.map { ($0, Array(palette.start($0).utf8)) })
        end = Array(palette.end.utf8)
        if keepsOutput { output.reserveCapacity(input.count * 2) }
    }

    /// Lays out the whole input; `false` if it is no JSON or exceeds a bound.
    mutating func document() -> Bool {
        var expectation = Expectation.value
        while output.count <= PrettyJSON.maximumOutput {
            skipSpace()
            guard let byte = peek else { return expectation == .separator && open.isEmpty }
            switch expectation {
            case .value:
                guard let next = value(byte) else { return false }
                expectation = next
            case .key:
                guard byte == UInt8(ascii: "\""), string(.key) else { return false }
                skipSpace()
                guard take(UInt8(ascii: ":")) else { return false }
                write(": ")
                expectation = .value
            case .separator:
                guard let next = separator(byte) else { return false }
                expectation = next
            }
        }
        return false
    }

    /// Reads a value, or the opening of one, and says what comes next.
    private mutating func value(_ byte: UInt8) -> Expectation? {
        switch byte {
        case UInt8(ascii: "{"): return opening(byte, closing: UInt8(ascii: "}"), then: .key)
        case UInt8(ascii: "["): return opening(byte, closing: UInt8(ascii: "]"), then: .value)
        case UInt8(ascii: "\""): return string(.string) ? .separator : nil
        case UInt8(ascii: "t"): return literal("true") ? .separator : nil
        case UInt8(ascii: "f"): return literal("false") ? .separator : nil
        case UInt8(ascii: "n"): return literal("null") ? .separator : nil
        default: return number() ? .separator : nil
        }
    }

    private mutating func opening(_ byte: UInt8, closing: UInt8, then next: Expectation) -> Expectation? {
        position += 1
        write(byte)
        skipSpace()
        if take(closing) {
            write(closing)
            return .separator
        }
        guard open.count < maximumDepth else { return nil }
        open.append(closing)
        newLine()
        return next
    }

    private mutating func separator(_ byte: UInt8) -> Expectation? {
        guard let closing = open.last else { return nil }
        position += 1
        if byte == UInt8(ascii: ",") {
            write(byte)
            newLine()
            return closing == UInt8(ascii: "}") ? .key : .value
        }
        guard byte == closing else { return nil }
        open.removeLast()
        newLine()
        write(byte)
        return .separator
    }

    private mutating func string(_ style: Palette.Style) -> Bool {
        let start = position
        position += 1
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                write(input[start..<position], style)
                return true
            case UInt8(ascii: "\\"):
                guard escape() else { return false }
            case ..<0x20:
                return false
            default:
                break
            }
        }
        return false
    }

    /// What follows a backslash.
    private mutating func escape() -> Bool {
        guard let byte = peek else { return false }
        position += 1
        guard byte == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(byte) }
        for _ in 0..<4 {
            guard let digit = peek, Character(UnicodeScalar(digit)).isHexDigit, digit < 0x80 else { return false }
            position += 1
        }
        return true
    }

    private mutating func number() -> Bool {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let startsWithZero = peek == UInt8(ascii: "0")
        guard let whole = digits(), whole == 1 || !startsWithZero else { return false }
        if take(UInt8(ascii: ".")), digits() == nil { return false }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() != nil else { return false }
        }
        write(input[start..<position], .number)
        return true
    }

    /// How many digits stand here, which are passed; `nil` for none.
    private mutating func digits() -> Int? {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position > start ? position - start : nil
    }

    private mutating func literal(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= input.count, input[position..<end].elementsEqual(word.description.utf8) else { return false }
        write(input[position..<end], .literal)
        position = end
        return true
    }

    private var peek: UInt8? { position < input.count ? input[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func newLine() {
        guard keepsOutput else { return }
        output.append(0x0A)
        output.append(contentsOf: indentation[..<(open.count * 2)])
    }

    private mutating func write(_ byte: UInt8) {
        if keepsOutput { output.append(byte) }
    }

    private mutating func write(_ text: StaticString) {
        if keepsOutput { output.append(contentsOf: text.description.utf8) }
    }

    /// Writes a part of the input in a style.
    ///
    /// What a terminal would obey becomes an escape of JSON, which means the same.
    private mutating func write(_ part: ArraySlice<UInt8>, _ style: Palette.Style) {
        guard keepsOutput else { return }
        output.append(contentsOf: starts[style] ?? [])
        defer { output.append(contentsOf: end) }
        guard part.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return output.append(contentsOf: part) }
        var lead: UInt8 = 0
        for byte in part {
            if byte == 0x7F {
                output.append(contentsOf: #"\u007f"#.utf8)
            } else if lead == 0xC2, byte < 0xA0 {
                output.removeLast()
                output.append(contentsOf: #"\u00"#.utf8)
                output.append(contentsOf: String(byte, radix: 16).utf8)
            } else {
                output.append(byte)
            }
            lead = byte
        }
    }
}
#endif
