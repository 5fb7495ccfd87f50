// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// Formats JSON with indentation, without changing its tokens.
struct JSONLayout {
    private var output: [UInt8] = []
    private let input: [UInt8]
    private let starts: [Palette.Style: [UInt8]]
    private let end: [UInt8]
    /// The spaces of the deepest indentation: a name of an object that is nested too deeply is still a token.
    private let indentation = [UInt8](repeating: 0x20, count: (PrettyJSON.maximumDepth + 1) * 2)

    init(_ input: [UInt8], palette: Palette) {
        self.input = input
        starts = Dictionary(uniqueKeysWithValues: Palette.Style.allCases.map { ($0, Array(palette.start($0).utf8)) })
        end = Array(palette.end.utf8)
        output.reserveCapacity(input.count * 2)
    }

    /// Formats the whole input; returns `nil` if the output exceeds its limit.
    mutating func document() throws(JSONTokenizer.SyntaxError) -> [UInt8]? {
        var tokens = JSONTokenizer(input[...], maximumDepth: PrettyJSON.maximumDepth)
        var last: JSONTokenizer.Kind?
        while let token = try tokens.next() {
            // An empty object or array stays on its line.
            if last == .comma || (last == .opening) != (token.kind == .closing) {
                newLine(depth: token.kind == .opening ? tokens.depth - 1 : tokens.depth)
            }
            write(token)
            guard output.count <= PrettyJSON.maximumOutput else { return nil }
            last = token.kind
        }
        return output
    }

    private mutating func write(_ token: JSONTokenizer.Token) {
        let text = input[token.range]
        switch token.kind {
        case .opening, .closing, .comma: output.append(contentsOf: text)
        case .colon: output.append(contentsOf: ": ".utf8)
        case .name: write(text, style: .key)
        case .string: write(text, style: .string)
        case .number: write(text, style: .number)
        case .literal: write(text, style: .literal)
        }
    }

    private mutating func newLine(depth: Int) {
        output.append(0x0A)
        output.append(contentsOf: indentation[..<(depth * 2)])
    }

    /// Writes a token in a style.
    ///
    /// Control characters that a terminal would interpret become JSON escapes with the same meaning.
    private mutating func write(_ part: ArraySlice<UInt8>, style: Palette.Style) {
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
