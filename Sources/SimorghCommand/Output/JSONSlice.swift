// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import SimorghSupport

/// Extracts values from JSON documents without decoding: numbers, names and their order stay as the server sent them.
package enum JSONSlice {
    /// Returns the text of a value in a document.
    ///
    /// If a member occurs more than once, the first one is used, as `JSONDecoder` does.
    ///
    /// - Parameters:
    ///   - document: The document, in UTF-8.
    ///   - path: The names of members and the indexes of elements, from the outside in; empty for the whole document.
    /// - Returns: The text of the value, on one line; `nil` if the document is not valid JSON, or has no such value.
    package static func text(in document: Data, at path: [String]) -> String? {
        guard let text = String(validating: document, as: UTF8.self), PrettyJSON.isJSON(text) else { return nil }
        let bytes = Array(text.utf8)
        var tokens = JSONTokenizer(bytes[...], maximumDepth: PrettyJSON.maximumValidationDepth)
        var first = try? tokens.next()
        for component in path {
            guard let parent = first, parent.kind == .opening else { return nil }
            let isArray = bytes[parent.range.lowerBound] == UInt8(ascii: "[")
            first = isArray ? element(component, in: &tokens) : member(component, of: bytes, in: &tokens)
        }
        guard let first else { return nil }
        return String(decoding: onOneLine(bytes, from: first, in: &tokens), as: UTF8.self)
    }

    /// Returns the first token of an element of the array that was opened last.
    private static func element(_ component: String, in tokens: inout JSONTokenizer) -> JSONTokenizer.Token? {
        guard let index = Int(component) else { return nil }
        let depth = tokens.depth
        var position = 0
        while let token = try? tokens.next(), tokens.depth >= depth {
            if token.kind == .comma, tokens.depth == depth {
                position += 1
            } else if position == index {
                return token
            }
        }
        return nil
    }

    /// Returns the first token of the value of a member of the object that was opened last.
    private static func member(
        _ component: String, of bytes: [UInt8], in tokens: inout JSONTokenizer
    ) -> JSONTokenizer.Token? {
        let depth = tokens.depth
        while let token = try? tokens.next(), tokens.depth >= depth {
            guard token.kind == .name, tokens.depth == depth, name(bytes[token.range]) == component else { continue }
            _ = try? tokens.next()
            return try? tokens.next()
        }
        return nil
    }

    /// Returns the unescaped text of a quoted name.
    private static func name(_ quoted: ArraySlice<UInt8>) -> String? {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(quoted))
    }

    /// Returns a value unchanged, or without white space between its tokens if that contains line breaks.
    private static func onOneLine(
        _ bytes: [UInt8], from first: JSONTokenizer.Token, in tokens: inout JSONTokenizer
    ) -> ArraySlice<UInt8> {
        let depth = first.kind == .opening ? tokens.depth - 1 : tokens.depth
        var line = bytes[first.range]
        while tokens.depth > depth, let token = try? tokens.next() { line += bytes[token.range] }
        // A JSON string cannot contain a raw line break, so any line break is between two tokens.
        let value = bytes[first.range.lowerBound..<tokens.position]
        return value.contains(where: { $0 == 0x0A || $0 == 0x0D }) ? line : value
    }
}
#endif
