// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if YAML
/// Refuses aliases in keys, and too many anchors, before a YAML document is parsed.
///
/// The parser hashes each key. If a key contains aliases of aliases, that takes exponential time. The check does not
/// parse: it looks only at the token that follows an alias. libyaml knows three forms of keys:
/// - `key: value`. Such a key and its colon are on one line, so an alias in the key is not the last token of its line:
///   the check refuses an alias with another token behind it on its line.
/// - `{key}` or `{key, …}`, without a colon. A comma or a closing bracket follows the alias, if necessary on a later
///   line: the check refuses an alias if the next token is one of these, or a colon.
/// - `? key`, which may have several lines. The check refuses each question mark that may begin such a key.
///
/// Line breaks that only libyaml knows could hide the end of a line, so the check refuses them, too. It may also refuse
/// a comment or a text that looks like one of these, but only in a document with an anchor.
struct YAMLAliasCheck {
    /// The largest number of anchors.
    ///
    /// Each may be 1,000 levels deep and contain the one before it, and nodes are released recursively.
    static let maximumAnchors = 50

    /// The part of the document that is expected after an alias.
    private enum Tail {
        case none
        /// The end of the line, or a comment.
        case line
        /// The next token, on a later line.
        case token
    }

    /// The encoded line breaks of libyaml that are not ASCII, and the byte order mark, which it skips at the start of a
    /// line: U+0085, U+2028, U+2029 and U+FEFF.
    private static let separators: [[UInt8]] = [[0xC2, 0x85], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9], mark]
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: [UInt8]
    private var anchors: Set<ArraySlice<UInt8>> = []
    private var line = 1

    /// Checks a document in UTF-8.
    static func check(_ bytes: [UInt8]) throws(ContractDocumentError) {
        var check = YAMLAliasCheck(bytes)
        try check.collectAnchors()
        if !check.anchors.isEmpty { try check.checkTokens() }
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func collectAnchors() throws(ContractDocumentError) {
        // A name that is used again counts again: the parser keeps the former nodes inside the new ones.
        var count = 0
        for index in bytes.indices {
            if bytes[index] == 0x0A { line += 1 }
            guard bytes[index] == UInt8(ascii: "&"), beginsToken(at: index) else { continue }
            let name = self.name(after: index)
            guard !name.isEmpty, endsName(at: name.endIndex) else { continue }
            count += 1
            guard count <= Self.maximumAnchors else {
                throw error(
                    "the document has more than \(Self.maximumAnchors) anchors: use \"$ref\", or repeat the values")
            }
            anchors.insert(name)
        }
        line = 1
    }

    private mutating func checkTokens() throws(ContractDocumentError) {
        var (tail, isInComment) = (Tail.none, false)
        var alias: (name: ArraySlice<UInt8>, line: Int) = ([], 0)
        /// The previous byte of the line that is not blank.
        var previous: UInt8?
        var index = bytes.starts(with: Self.mark) ? Self.mark.count : 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x0A:
                line += 1
                (previous, isInComment) = (nil, false)
                if tail == .line { tail = .token }
                continue
            case 0x0D where index < bytes.count && bytes[index] == 0x0A: continue
            case 0x20, 0x09: continue
            default: break
            }
            guard !isSeparator(at: index - 1) else {
                throw error("a document with anchors may have no other line breaks than LF and CR LF, and no U+FEFF")
            }
            if tail != .none, !isInComment {
                if byte == UInt8(ascii: "#"), tail == .token || Self.isBlank(bytes[index - 2]) {
                    isInComment = true
                } else if tail == .line || ",]}:".utf8.contains(byte) {
                    line = alias.line
                    throw aliasError(alias.name)
                } else {
                    tail = .none
                }
            }
            if byte == UInt8(ascii: "?"), previous.map({ "[{,?:-".utf8.contains($0) }) ?? true {
                throw error(
                    """
                    in a document with anchors, no question mark may begin a line, or follow a bracket, a comma, a colon, \
                    a hyphen or another question mark: write "key: value" for a key, and put another character before \
                    the question mark in a text
                    """)
            }
            previous = byte
            guard byte == UInt8(ascii: "*"), beginsToken(at: index - 1) else { continue }
            let name = self.name(after: index - 1)
            guard anchors.contains(name) else { continue }
            // A comment ends here, too: it may be part of a text in which the alias only looks like one.
            (tail, isInComment) = (.line, false)
            alias = (name, line)
            index = name.endIndex
        }
    }

    private func isSeparator(at index: Int) -> Bool {
        let byte = bytes[index]
        guard byte >= 0xC2 else { return byte == 0x0D }
        return Self.separators.contains { bytes[index...].starts(with: $0) }
    }

    /// Returns true if an anchor or an alias may begin at an index.
    private func beginsToken(at index: Int) -> Bool {
        guard index > 0 else { return true }
        let previous = bytes[index - 1]
        return previous <= 0x20 || previous >= 0x80 || "[{,?:-".utf8.contains(previous)
    }

    /// Returns the name behind an ampersand or asterisk.
    private func name(after index: Int) -> ArraySlice<UInt8> {
        bytes[(index + 1)...].prefix { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
    }

    /// Returns true if libyaml allows the byte at an index behind a name; an entity such as `&amp;` is not an anchor.
    private func endsName(at index: Int) -> Bool {
        guard index < bytes.count else { return true }
        return bytes[index] <= 0x20 || bytes[index] >= 0x80 || "?:,]}%@`".utf8.contains(bytes[index])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private func aliasError(_ alias: ArraySlice<UInt8>) -> ContractDocumentError {
        let name = String(decoding: alias.prefix(100), as: UTF8.self)
        return error(
            """
            the alias *\(name) may only be at the end of a line, outside of brackets: write "key: *\(name)", and a list as \
            lines with "- *\(name)"
            """)
    }

    private func error(_ reason: String) -> ContractDocumentError { ContractDocumentError("line \(line): \(reason)") }
}
#endif
