// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Counts the levels of a property list in XML.
///
/// It reads comments, CDATA, processing instructions and tags as the decoder does, and refuses them where the decoder would:
/// otherwise a comment that only one of the two sees could hide levels.
struct XMLPropertyListScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Throws if the property list is too deep, or is not XML in UTF-8.
    mutating func check() throws {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try checkEncoding()
        var depth = 0
        var isFirst = true
        while true {
            // The decoder reports a text between elements.
            guard let mark = index(of: "<") else {
                if isFirst { throw PropertyListBounds.refusal("is neither XML in UTF-8 nor binary") }
                return
            }
            if isFirst, !bytes[position..<mark].allSatisfy({ " \t\r\n".utf8.contains($0) }) {
                throw PropertyListBounds.refusal("is neither XML in UTF-8 nor binary")
            }
            isFirst = false
            position = mark
            if starts(with: "<!--") {
                position += 4
                try skip(to: "-->")
            } else if starts(with: "<?>") {
                // The decoder ends such an instruction here inside an element, and later outside of one.
                throw Self.malformed
            } else if starts(with: "<?") {
                position += 1
                try skip(to: "?>")
            } else if starts(with: "<!") {
                guard depth == 0 else { throw Self.malformed }
                try skip(to: ">")
                guard !bytes[mark..<position].contains(UInt8(ascii: "[")) else { throw Self.malformed }
            } else if starts(with: "</") {
                depth -= 1
                try skip(to: ">")
            } else if try readTag() {
                depth += 1
                // One more for the element plist.
                guard depth <= PropertyListBounds.maximumDepth + 1 else {
                    throw PropertyListBounds.refusal("has more than \(PropertyListBounds.maximumDepth) levels")
                }
            }
        }
    }

    /// Reads a tag, and the content and the end of an element without members; returns true for a tag that opens a level.
    private mutating func readTag() throws -> Bool {
        let isContainer = ["<array", "<dict", "<plist"].contains { starts(with: $0) }
        let isText = ["<string", "<key"].contains { starts(with: $0) }
        try skip(to: ">")
        guard bytes[position - 2] != UInt8(ascii: "/") else { return false }
        guard !isContainer else { return true }
        while true {
            guard let mark = index(of: "<") else { throw Self.malformed }
            position = mark
            if starts(with: "</") {
                try skip(to: ">")
                return false
            }
            guard isText, starts(with: "<![CDATA[") else { throw Self.malformed }
            position += 9
            try skip(to: "]]>")
        }
    }

    /// Throws if the XML declaration names another encoding than UTF-8, which would hide the tags.
    private func checkEncoding() throws {
        let declaration = bytes[position...].prefix { $0 != UInt8(ascii: ">") }
        let text = String(decoding: declaration, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        guard text.hasPrefix("<?xml"), let name = text.firstRange(of: "encoding=") else { return }
        let encoding = text[name.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }
        guard encoding == "utf-8" || encoding == "utf8" else {
            throw PropertyListBounds.refusal("is neither XML in UTF-8 nor binary")
        }
    }

    private static let malformed = PropertyListBounds.refusal("is malformed")

    private func index(of character: Unicode.Scalar) -> Int? {
        bytes[position...].firstIndex(of: UInt8(ascii: character))
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    /// Moves behind the next occurrence of a text.
    private mutating func skip(to text: StaticString) throws {
        let first = text.withUTF8Buffer { $0[0] }
        while let mark = bytes[position...].firstIndex(of: first) {
            position = mark
            if starts(with: text) {
                position += text.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw Self.malformed
    }
}
