// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The redaction of text whose names and delimiters are escaped.
///
/// ``NestedSecretFinder`` uses it after ``TextRedactor``, for a URL in a URL (`%3Ftoken%3Dx`) or JSON inside a JSON
/// string (`{\"token\":1}`).
struct NestedTextRedactor: Sendable {
    private static let fields: Set<String> = ["authorization", "proxyauthorization", "cookie", "setcookie"]
    private static let mask = Array(RedactionRules.mask.utf8)

    let bytes: [UInt8]
    private let isSecret: @Sendable (String) -> Bool
    /// Returns true if the name of a query item is sensitive.
    private var isSecretItem: @Sendable ([UInt8]) -> Bool
    var index = 0
    private var shown: [UInt8] = []
    /// The redacted secrets.
    private var hidden: [String] = []
    /// The JSON strings of the text; empty if the text is not treated as JSON.
    private var strings: JSONStringMap
    /// The last percent escape that was found.
    private var escape = Escape(code: 0, depth: 0, end: -1)

    /// Returns the redacted text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - rules: The user's own names.
    ///   - afterJSON: True if ``JSONRedactor`` has redacted the text. Its JSON then stays valid.
    ///   - isSecretItem: Returns true if the name of a query item is sensitive. Default: the rules decide.
    /// - Returns: The redacted text.
    static func shown(
        _ text: String, by rules: RedactionRules, afterJSON: Bool,
        isSecretItem: (@Sendable (_ name: [UInt8]) -> Bool)? = nil
    ) -> String {
        guard rules.isOn, mayHide(text) else { return text }
        var scan = NestedTextRedactor(text, rules: rules, isJSON: afterJSON)
        if let isSecretItem { scan.isSecretItem = isSecretItem }
        return String(decoding: scan.run(), as: UTF8.self)
    }

    /// Returns the secrets in a text, as written there.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - rules: The user's own names.
    ///   - isSecretItem: Returns true if the name of a query item is sensitive. Default: `nil`, the rules decide.
    /// - Returns: The secrets.
    static func secrets(
        in text: String, by rules: RedactionRules, isSecretItem: (@Sendable (_ name: [UInt8]) -> Bool)? = nil
    ) -> [String] {
        guard rules.isOn, mayHide(text) else { return [] }
        var scan = NestedTextRedactor(text, rules: rules, isJSON: false)
        if let isSecretItem { scan.isSecretItem = isSecretItem }
        _ = scan.run()
        return scan.hidden
    }

    /// Returns true if a text contains a delimiter before a secret, or is long enough to be a token.
    private static func mayHide(_ text: String) -> Bool {
        text.utf8.count > 20 || text.utf8.contains { ":=< %".utf8.contains($0) }
    }

    private init(_ text: String, rules: RedactionRules, isJSON: Bool) {
        bytes = Array(text.utf8)
        strings = JSONStringMap(of: bytes, isJSON: isJSON)
        isSecret = { name in SensitiveNames.isSensitiveInText(name) || rules.isSecret(own: name) }
        isSecretItem = { name in rules.isSecret(name, inQuery: true) }
        shown.reserveCapacity(bytes.count)
    }

    private mutating func run() -> [UInt8] {
        while index < bytes.count {
            guard TextRedactor.isWord(bytes[index]) else {
                takeOther()
                continue
            }
            var start = index
            while index < bytes.count, TextRedactor.isWord(bytes[index]) { index += 1 }
            if start > 0, bytes[start - 1] == UInt8(ascii: "\\"), Self.isQuoteCode(bytes[start..<index]) {
                shown += bytes[start..<start + 5]
                start += 5
                guard start < index else { continue }
            }
            let word = bytes[start..<index]
            if TextRedactor.isToken(word) {
                hidden.append(String(decoding: word, as: UTF8.self))
                shown += Self.mask
                continue
            }
            shown += word
            let before = start == escape.end ? escape.code : start > 0 ? bytes[start - 1] : 0
            takeValue(
                after: word,
                isItem: before == UInt8(ascii: "?") || before == UInt8(ascii: "&"))
        }
        return shown
    }

    /// Copies a byte that is not part of a word.
    ///
    /// The user info of a URL is skipped at the two slashes before it.
    private mutating func takeOther() {
        if let found = escape(at: index, before: bytes.count), !found.mayBeWord {
            self.escape = found
            copy(through: found.end - 1)
            return skipUserInfo()
        }
        copy(through: index)
        skipUserInfo()
    }

    /// Redacts the value after a word, if the word is a sensitive name.
    private mutating func takeValue(after word: ArraySlice<UInt8>, isItem: Bool) {
        // Longer names are ignored.
        guard word.count <= 256, canBeName(word) else { return }
        let name = SensitiveNames.plain(word)
        if Redaction.schemes.contains(name), let blank = character(at: index, before: bytes.count), blank.code == 0x20 {
            let (end, isCode) = credentials(after: blank)
            guard end - blank.end > 7, name == "bearer" || isCode else { return }
            copy(through: blank.end - 1)
            hide(until: end)
            return
        }
        let isItem = isItem && character(at: index, before: bytes.count)?.code == UInt8(ascii: "=")
        guard isSecret(name) || isItem && isSecretItem(Array(word)) else { return }
        var position = index
        // In a JSON string the value ends at the end of the string: the quote without a backslash before it.
        var end = strings.end(around: index - 1, in: bytes)
        let nameEnd = quote(at: position, before: end)
        while position < end {
            if "\"'\\ ".utf8.contains(bytes[position]) {
                position += 1
            } else if bytes[position - 1] == UInt8(ascii: "\\"), Self.isQuoteCode(bytes[position..<end]) {
                position += 5
            } else if let blank = escape(at: position, before: end), "\"'\\ ".utf8.contains(blank.code) {
                position = blank.end
            } else {
                break
            }
        }
        if position == end, end < bytes.count {
            // The string is the name of a JSON member, which JSONRedactor handles, unless this is `"name" = "value"`.
            var next = end + 1
            while next < bytes.count, bytes[next] == 0x20 { next += 1 }
            guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return }
            position = next
            end = bytes.count
        }
        guard position < end else { return }
        guard let delimiter = character(at: position, before: end), ":=".utf8.contains(delimiter.code) else {
            return
        }
        copy(through: delimiter.end - 1)
        guard delimiter.depth == 0 else { return hideEscaped(delimiter, before: end) }
        while index < end, bytes[index] == 0x20 { copy(through: index) }
        // Checked before the search for the end, which may be far away and would be repeated for the next name.
        if copyMask() { return }
        // The supposed string may be text between two lone quotes, of which the second begins the value.
        if index == end, end < bytes.count, !isEndOfString(end) { end = bytes.count }
        if let opening = quote(at: index, before: end) {
            copy(through: opening.end - 1)
            if copyMask() { return }
            hide(until: self.end(ofQuoted: opening, before: end))
        } else if let nameEnd, nameEnd.run > 0, index < end {
            let isNest = "{[".utf8.contains(bytes[index])
            let scalarEnd = Self.end(of: bytes[index..<end]) { " ,;&<>\"'\n\r\t}])\\".utf8.contains($0) }
            hide(until: isNest ? self.end(ofNestAt: index, like: nameEnd, before: end) : scalarEnd, within: nameEnd)
        } else if Self.fields.contains(name) {
            hide(until: Self.end(of: bytes[index..<end]) { "\"'\n\r\\".utf8.contains($0) })
        } else {
            let isJSON = end < bytes.count && strings.contains(index)
            hide(
                until: Self.end(of: bytes[index..<end]) { byte in
                    " ,;&<>\"'\n\r\t}])".utf8.contains(byte) || isJSON && byte == UInt8(ascii: "\\")
                })
        }
    }

    /// Returns true if a word can be a name or a scheme, judged by the next bytes.
    ///
    /// Most words need no further check.
    private func canBeName(_ word: ArraySlice<UInt8>) -> Bool {
        guard index < bytes.count else { return false }
        if bytes[index] == 0x20, let first = word.first, "bBdDnN-_.".utf8.contains(first) { return true }
        // Quotes and their escapes can be between a name and its value.
        let rest = bytes[index...].prefix(64)
        guard let next = rest.firstIndex(where: { !"\"'\\ ".utf8.contains($0) }) else { return true }
        // If the text was treated as JSON, a line break can be the end of a supposed string.
        if bytes[next] == 0x0A { return !strings.isEmpty }
        if bytes[next - 1] == UInt8(ascii: "\\") { return true }
        return character(at: next, before: bytes.count).map { ":=\"'\\ ".utf8.contains($0.code) } ?? false
    }

    /// Returns true if the bytes after a quote can follow the end of a JSON string.
    private func isEndOfString(_ quote: Int) -> Bool {
        // The number of skipped spaces is limited, because each word can trigger this check.
        let rest = bytes[(quote + 1)...].prefix(64)
        guard let next = rest.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return true }
        return ",:}]\n\r".utf8.contains(next)
    }

    // MARK: JSON in strings

    /// Returns the quote at an index, with the backslashes that begin there.
    func quote(at position: Int, before end: Int) -> Quote? {
        let mark = position + run(at: position, before: end)
        guard mark < end else { return nil }
        if bytes[mark] == UInt8(ascii: "\"") || bytes[mark] == UInt8(ascii: "'") {
            let isDouble = bytes[mark] == UInt8(ascii: "\"")
            return Quote(run: mark - position, isCode: false, isDouble: isDouble, mark: mark, end: mark + 1)
        }
        guard mark > position, Self.isQuoteCode(bytes[mark..<end]) else { return nil }
        return Quote(
            run: mark - position, isCode: true, isDouble: bytes[mark + 4] == UInt8(ascii: "2"), mark: mark,
            end: mark + 5)
    }

    /// Returns the end of the value after an opening quote.
    private func end(ofQuoted opening: Quote, before end: Int) -> Int {
        var position = opening.end
        while position < end, bytes[position] != 0x0A {
            if let found = quote(at: position, before: end) {
                if found.closes(opening) { return found.mark - opening.run }
                position = found.end
            } else {
                position += max(1, run(at: position, before: end))
            }
        }
        return position
    }

    /// Returns the end of the object or array that begins at an index, with quotes like the given one.
    private func end(ofNestAt start: Int, like: Quote, before end: Int) -> Int {
        var depth = 0
        var isInside = false
        var position = start
        while position < end, bytes[position] != 0x0A {
            if let found = quote(at: position, before: end) {
                if found.closes(like) { isInside.toggle() }
                position = found.end
                continue
            }
            if !isInside, "{[".utf8.contains(bytes[position]) { depth += 1 }
            if !isInside, "}]".utf8.contains(bytes[position]) { depth -= 1 }
            position += max(1, run(at: position, before: end))
            if depth == 0 { return position }
        }
        return position
    }

    /// Returns the number of consecutive backslashes from an index on.
    func run(at position: Int, before end: Int) -> Int {
        var next = position
        while next < end, bytes[next] == UInt8(ascii: "\\") { next += 1 }
        return next - position
    }

    /// Returns true if the bytes after a backslash begin with the code of a quote.
    private static func isQuoteCode(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "u0022".utf8) || bytes.starts(with: "u0027".utf8)
    }

    // MARK: Words

    mutating func copy(through position: Int) {
        shown += bytes[index...position]
        index = position + 1
    }

    /// Copies a mask of an earlier step, whose bracket is a delimiter here; returns false if there is no mask.
    mutating func copyMask() -> Bool {
        guard bytes[index...].starts(with: Self.mask) else { return false }
        copy(through: index + Self.mask.count - 1)
        return true
    }

    mutating func hide(until end: Int) {
        guard end > index, !copyMask() else { return }
        hidden.append(String(decoding: bytes[index..<end], as: UTF8.self))
        shown += Self.mask
        index = end
    }

    /// Redacts an unquoted value of JSON in a string, and adds quotes around the mask, so that the JSON stays valid.
    private mutating func hide(until end: Int, within quote: Quote) {
        guard end > index else { return }
        // These literals are not secret.
        if ["null", "true", "false"].contains(String(decoding: bytes[index..<end], as: UTF8.self)) {
            return copy(through: end - 1)
        }
        let mark = bytes[(quote.mark - quote.run)..<quote.end]
        shown += mark
        hide(until: end)
        shown += mark
    }

    static func end(of bytes: ArraySlice<UInt8>, where isEnd: (UInt8) -> Bool) -> Int {
        bytes.firstIndex(where: isEnd) ?? bytes.endIndex
    }
}

extension NestedTextRedactor {
    /// A quote as written in text in a string: `\"`, in a string of a string `\\\"`; some encoders write `\u0022`.
    struct Quote {
        /// The number of backslashes before the quote, which determines its nesting depth.
        let run: Int
        let isCode: Bool
        /// True for a double quote.
        let isDouble: Bool
        /// The index after the backslashes, and the end of the quote.
        let mark: Int
        let end: Int

        /// Returns true if the quote ends the string that another one begins, and is not a part of its content.
        func closes(_ opening: Quote) -> Bool {
            guard isCode == opening.isCode, isDouble == opening.isDouble else { return false }
            // Quotes in the content of the string, and after a backslash at its end, have more backslashes.
            return run % (isCode ? 4 * opening.run : 2 * (opening.run + 1)) == opening.run
        }
    }
}
