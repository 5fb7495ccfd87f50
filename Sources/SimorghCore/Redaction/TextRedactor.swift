// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Redacts secrets in running text, found by the text before them.
///
/// These are `password=x`, `token: x`, `<secret>x</secret>`, `Bearer x`, and the user info of a URL. A JSON Web Token
/// is redacted anywhere.
///
/// It decodes nothing: ``SecretFinder`` handles escapes.
package struct TextRedactor {
    private static let mask = Array(RedactionRules.mask.utf8)
    /// The names whose value is the rest of the line.
    private static let restOfLineNames: Set<String> = ["authorization", "proxyauthorization", "cookie", "setcookie"]
    // Performance: byte sets, because `contains` of a string literal reads the literal each time.
    private static let gap = ByteSet("\"'\\ ")
    private static let delimiters = ByteSet(":=")
    private static let valueEnds = ByteSet(" ,;&<>\"'\n\r\t}])")
    private static let lineEnds = ByteSet("\"'\n\r\\")
    private static let credentialEnds = ByteSet(" ,;\"'\n\r\t<>\\")
    private static let authorityEnds = ByteSet("/?# \"'\n\r\t<>")
    private static let afterStrings = ByteSet(",:}]\n\r")
    private static let itemStarts = ByteSet("?&")
    private static let schemeStarts = ByteSet("bBdDnN-_.")
    private static let schemeLetters = ByteSet("crte")
    private static let quotes = ByteSet("\"'")
    private static let words = ByteSet.letters.union(.digits).union(ByteSet("_-."))
    /// The number of bytes in which the delimiter after a name, or after a string, must be found.
    private static let reach = 64

    let bytes: [UInt8]
    var index = 0
    private let rules: RedactionRules
    private let isSecretItem: (_ name: [UInt8]) -> Bool
    /// The ranges to replace, in ascending order.
    ///
    /// User info of URLs is removed; other ranges are masked.
    private var spans: [(range: Range<Int>, isUser: Bool)] = []
    /// The JSON strings of the text; empty if the text is not treated as JSON.
    private var strings: JSONStringMap
    /// The `>` of the last tag with attributes whose element is sensitive.
    private var tagEnd = -1

    /// Returns the redacted text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - rules: The user's own names.
    ///   - afterJSON: True if ``JSONRedactor`` has redacted the text. Its JSON stays valid: names are then detected
    ///     inside strings and in the text around JSON.
    ///   - isSecretItem: Returns true if the name of a query item is sensitive. Default: the rules decide.
    /// - Returns: The redacted text.
    package static func shown(
        _ text: String, by rules: RedactionRules, afterJSON: Bool = false,
        isSecretItem: ((_ name: [UInt8]) -> Bool)? = nil
    ) -> String {
        guard rules.isOn, mayHide(text) else { return text }
        var scan = TextRedactor(text, rules: rules, isSecretItem: isSecretItem, isJSON: afterJSON)
        scan.run()
        return scan.shown ?? text
    }

    /// Returns the secrets of a text, as written there.
    package static func secrets(
        in text: String, by rules: RedactionRules, isSecretItem: ((_ name: [UInt8]) -> Bool)? = nil
    ) -> [String] {
        guard rules.isOn, mayHide(text) else { return [] }
        var scan = TextRedactor(text, rules: rules, isSecretItem: isSecretItem, isJSON: false)
        scan.run()
        return scan.spans.filter { !$0.isUser }.map { String(decoding: scan.bytes[$0.range], as: UTF8.self) }
    }

    /// Returns true if a word is a JSON Web Token, independent of its name.
    package static func isToken(_ word: some Collection<UInt8>) -> Bool {
        word.count > 20 && word.starts(with: "eyJ".utf8) && word.contains(UInt8(ascii: "."))
    }

    /// Returns true if a byte can be part of a word.
    package static func isWord(_ byte: UInt8) -> Bool { words.contains(byte) }

    /// Returns false for a text that cannot contain a secret, because it has no delimiter, scheme or token.
    private static func mayHide(_ text: String) -> Bool {
        PercentEncoding.withBytes(of: text[...].utf8) { bytes in
            bytes.indices.contains { position in
                switch bytes[position] {
                case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "<"): true
                case UInt8(ascii: "y"):
                    // The `y` of `eyJ`.
                    position > 0 && bytes.count > 20 && bytes[position - 1] == UInt8(ascii: "e")
                case 0x20:
                    // The last letters of the schemes, in lowercase. No other byte of a word maps to one of them.
                    position > 4 && Self.schemeLetters.contains(bytes[position - 1] | 0x20)
                default: false
                }
            }
        }
    }

    private init(
        _ text: String, rules: RedactionRules, isSecretItem: ((_ name: [UInt8]) -> Bool)?, isJSON: Bool
    ) {
        bytes = Array(text.utf8)
        strings = JSONStringMap(of: bytes, isJSON: isJSON)
        self.rules = rules
        self.isSecretItem = isSecretItem ?? { rules.isSecret($0, inQuery: true) }
    }

    private mutating func run() {
        while index < bytes.count {
            if Self.isWord(bytes[index]) {
                takeWord()
                continue
            }
            index += 1
            if index - 1 == tagEnd {
                hideContent(before: textEnd(from: tagEnd))
            } else if bytes[index - 1] == UInt8(ascii: "/") {
                skipUserInfo()
            }
        }
    }

    /// The text with each secret replaced by the mask; `nil` if there is no secret.
    private var shown: String? {
        guard !spans.isEmpty else { return nil }
        var shown: [UInt8] = []
        shown.reserveCapacity(bytes.count)
        var end = 0
        for span in spans {
            shown += bytes[end..<span.range.lowerBound]
            if !span.isUser { shown += Self.mask }
            end = span.range.upperBound
        }
        return String(decoding: shown + bytes[end...], as: UTF8.self)
    }

    // MARK: Names and their values

    private mutating func takeWord() {
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        let word = bytes[start..<index]
        if Self.isToken(word) { return hide(start..<index) }
        let startsTag = startsTag(start)
        // Longer names are ignored.
        guard word.count <= 256, startsTag || canBeName(word) else { return }
        let name = SensitiveNames.plain(word)
        if Redaction.schemes.contains(name), index < bytes.count, bytes[index] == 0x20 {
            return hideCredentials(isBearer: name == "bearer")
        }
        let isItem = start > 0 && Self.itemStarts.contains(bytes[start - 1])
        let isSecret = SensitiveNames.isSensitiveInText(name) || rules.isSecret(own: name)
        guard
            isSecret || isItem && index < bytes.count && bytes[index] == UInt8(ascii: "=") && isSecretItem(Array(word))
        else { return }
        takeValue(of: name, startsTag: startsTag)
    }

    /// Redacts the value of a sensitive name.
    private mutating func takeValue(of name: String, startsTag: Bool) {
        // In a JSON string the value ends at the end of the string.
        var end = strings.end(around: index - 1, in: bytes)
        let isNested = isEscapedQuote(index, before: end)
        var position = Self.end(of: bytes[index..<end]) { !Self.gap.contains($0) }
        if position == end, end < bytes.count {
            // The string is the name of a JSON member, which JSONRedactor handles, unless this is `"name" = "value"`.
            let next = Self.end(of: bytes[(end + 1)...]) { $0 != 0x20 }
            guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return }
            position = next
            end = bytes.count
        }
        guard position < end else { return }
        if startsTag {
            // A quote inside the tag or its content ends the supposed string that a lone quote began.
            end = textEnd(ofString: end)
            if bytes[position] == UInt8(ascii: ">") {
                index = position + 1
                return hideContent(before: end)
            }
        }
        guard Self.delimiters.contains(bytes[position]) else {
            // The attributes are scanned before the content.
            if startsTag { tagEnd = endOfAttributes(before: end) ?? tagEnd }
            return
        }
        index = Self.end(of: bytes[(position + 1)..<end]) { $0 != 0x20 }
        // Checked before the search for the end, which may be far away and would be repeated for the next name.
        if skipMask() { return }
        // Two lone quotes are not a string: the second one begins the value.
        if index == end { end = textEnd(ofString: end) }
        let run = EscapeSequence.run(at: index, in: bytes)
        if index + run < end, Self.quotes.contains(bytes[index + run]) {
            index += run + 1
            if skipMask() { return }
            hide(index..<endOfQuoted(by: bytes[index - 1], after: run, before: end))
        } else if isNested {
            // A number or an object in nested JSON stays, because redacting it would make the JSON invalid.
            return
        } else if Self.restOfLineNames.contains(name) {
            hide(index..<Self.end(of: bytes[index..<end]) { Self.lineEnds.contains($0) })
        } else {
            let isJSON = end < bytes.count && strings.contains(index)
            hide(
                index..<Self.end(of: bytes[index..<end]) { byte in
                    Self.valueEnds.contains(byte) || isJSON && byte == UInt8(ascii: "\\")
                })
        }
    }

    /// Returns true if a delimiter follows a word, or the word can be a scheme.
    ///
    /// Neither is true for most words.
    private func canBeName(_ word: ArraySlice<UInt8>) -> Bool {
        guard index < bytes.count, let first = word.first else { return false }
        if bytes[index] == 0x20, Self.schemeStarts.contains(first) { return true }
        // Quotes and backslashes can be between a name and its value.
        let rest = bytes[index...].prefix(Self.reach)
        guard let next = rest.firstIndex(where: { !Self.gap.contains($0) }) else { return true }
        // In JSON a line break can end a supposed string.
        return Self.delimiters.contains(bytes[next]) || bytes[next] == 0x0A && !strings.isEmpty
    }

    /// Redacts the credentials after the space after a scheme, unless they are a word of a sentence.
    private mutating func hideCredentials(isBearer: Bool) {
        let start = index + 1
        let end = Self.end(of: bytes[start...]) { Self.credentialEnds.contains($0) }
        // Not the first letter, since a word may begin with a capital.
        let isCode = bytes[start..<end].dropFirst().contains {
            $0.isASCIIDigit || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "=")
        }
        if end - start > 7, isBearer || isCode { hide(start..<end) }
    }

    /// Returns true if a quote with backslashes before it begins at an index, as in JSON in a JSON string.
    private func isEscapedQuote(_ position: Int, before end: Int) -> Bool {
        let quote = position + EscapeSequence.run(at: position, in: bytes)
        return quote > position && quote < end && Self.quotes.contains(bytes[quote])
    }

    /// Returns the end of a quoted value whose opening quote has `run` backslashes before it.
    private func endOfQuoted(by quote: UInt8, after run: Int, before end: Int) -> Int {
        var position = index
        var slashes = 0
        while position < end, bytes[position] != 0x0A {
            // Quotes in the value, and after a backslash at its end, have more backslashes.
            if bytes[position] == quote, slashes % (2 * (run + 1)) == run { return position - run }
            slashes = bytes[position] == UInt8(ascii: "\\") ? slashes + 1 : 0
            position += 1
        }
        return position
    }

    /// Removes the user info of the URL whose slashes end here.
    ///
    /// JSON can have escaped them (`\/`).
    private mutating func skipUserInfo() {
        var position = index - 1
        if position > 0, bytes[position - 1] == UInt8(ascii: "\\") { position -= 1 }
        guard position > 0, bytes[position - 1] == UInt8(ascii: "/") else { return }
        position -= 1
        if position > 0, bytes[position - 1] == UInt8(ascii: "\\") { position -= 1 }
        guard position > 0, bytes[position - 1] == UInt8(ascii: ":") else { return }
        let authority = bytes[index...].prefix { !Self.authorityEnds.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
        spans.append((index..<at + 1, true))
        index = at + 1
    }

    // MARK: Redacting

    /// Redacts a range, unless it is already a mask, and continues after it.
    mutating func hide(_ range: Range<Int>) {
        index = range.lowerBound
        guard !range.isEmpty, !skipMask() else { return }
        spans.append((range, false))
        index = range.upperBound
    }

    /// Skips a mask, whose bracket would be a delimiter; returns false if there is no mask.
    mutating func skipMask() -> Bool {
        guard bytes[index...].starts(with: Self.mask) else { return false }
        index += Self.mask.count
        return true
    }

    static func end(of bytes: ArraySlice<UInt8>, where isEnd: (UInt8) -> Bool) -> Int {
        bytes.firstIndex(where: isEnd) ?? bytes.endIndex
    }

    // MARK: JSON strings

    /// Returns the end of the JSON string around an index, or the end of the text outside a JSON string.
    private mutating func textEnd(from position: Int) -> Int {
        textEnd(ofString: strings.end(around: position, in: bytes))
    }

    /// Returns the index of a quote, or the end of the text if no JSON string ends there.
    private func textEnd(ofString quote: Int) -> Int {
        guard quote < bytes.count else { return quote }
        let next = bytes[(quote + 1)...].prefix(Self.reach).first { $0 != 0x20 && $0 != 0x09 }
        return next.map { Self.afterStrings.contains($0) } ?? true ? quote : bytes.count
    }
}
