// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghMimeTypes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TextEncodingTests {
    @Test(
        "A label of the WHATWG standard selects its encoding, in any case",
        arguments: [
            ("UTF-8", "utf-8"), ("utf8", "utf-8"), (" utf-8\t", "utf-8"), ("unicode", "utf-16le"),
            ("UTF-16", "utf-16le"),
            ("utf-16be", "utf-16be"), ("latin1", "windows-1252"), ("ISO-8859-1", "windows-1252"),
            ("US-ASCII", "windows-1252"), ("ANSI_X3.4-1968", "windows-1252"), ("cp1252", "windows-1252"),
            ("l9", "iso-8859-15"), ("hebrew", "iso-8859-8"), ("logical", "iso-8859-8"), ("koi8-ru", "koi8-u"),
            ("tis-620", "windows-874"), ("x-mac-roman", "macintosh"),
        ])
    func label(label: String, name: String) { #expect(TextEncoding(label: label)?.name == name) }

    @Test(
        "Multi-byte legacy encodings and invalid labels are unknown",
        arguments: [
            "shift_jis", "gbk", "gb18030", "big5", "euc-kr", "iso-2022-jp", "utf-7", "", " ", "utf-8 utf8", "-",
        ])
    func unknown(label: String) { #expect(TextEncoding(label: label) == nil) }

    @Test(
        "Text is decoded in the encoding of its label",
        arguments: [
            ("utf-8", [0x63, 0x61, 0x66, 0xC3, 0xA9], "café"), ("latin1", [0x63, 0x61, 0x66, 0xE9], "café"),
            ("latin1", [0x80, 0x93, 0x94], "€“”"), ("windows-1252", [0x81, 0x8D, 0x9D], "\u{81}\u{8D}\u{9D}"),
            ("iso-8859-15", [0xA4, 0xBD], "€œ"), ("iso-8859-2", [0xB1, 0xE6], "ąć"),
            ("windows-1250", [0x9C, 0xB9], "śą"), ("windows-1251", [0xCF, 0xF0, 0xE8], "При"),
            ("koi8-r", [0xF0, 0xD2, 0xC9], "При"), ("koi8-u", [0xA4, 0xAE, 0xBE], "єўЎ"),
            ("ibm866", [0x8F, 0xE0, 0xA8], "При"), ("x-mac-cyrillic", [0x80, 0xFF], "А€"),
            ("iso-8859-5", [0xBF, 0xE0, 0xD8], "При"), ("iso-8859-7", [0xC1, 0xE1, 0xA4], "Αα€"),
            ("windows-1253", [0xC1, 0xE1], "Αα"), ("iso-8859-8", [0xF9, 0xEC], "של"),
            ("windows-1255", [0xCA], "\u{5BA}"),
            ("windows-1256", [0xE3, 0x81], "مپ"), ("windows-1254", [0xFD, 0xFE], "ış"), ("windows-874", [0xA1], "ก"),
            ("macintosh", [0x8E, 0xDB], "é€"), ("windows-1258", [0xD0], "Đ"), ("windows-1257", [0xE0], "ą"),
            ("utf-16", [0x41, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "A😀"),
            ("utf-16be", [0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00], "A😀"),
            ("utf-8", [], ""), ("utf-16", [], ""), ("latin1", [], ""),
        ] as [(String, [UInt8], String)])
    func decoding(label: String, bytes: [UInt8], text: String) throws {
        let encoding = try #require(TextEncoding(label: label))
        #expect(try encoding.decode(bytes) == text)
        // As a slice of a larger buffer.
        #expect(try encoding.decode(([0x2A] + bytes)[1...]) == text)
    }

    @Test(
        "A byte order mark overrides the label, and is not part of the text",
        arguments: [
            [0xEF, 0xBB, 0xBF, 0x41], [0xFF, 0xFE, 0x41, 0x00], [0xFE, 0xFF, 0x00, 0x41],
        ] as [[UInt8]], ["utf-8", "utf-16", "utf-16be", "latin1", "koi8-r"])
    func byteOrderMark(bytes: [UInt8], label: String) throws {
        #expect(try TextEncoding(label: label)?.decode(bytes) == "A")
    }

    @Test(
        "Invalid bytes are refused, with their offset",
        arguments: [
            ("utf-8", [0x41, 0xC3], 1), ("utf-8", [0xFF], 0), ("utf-8", [0x41, 0xED, 0xA0, 0x80], 1),
            ("utf-8", [0xC0, 0x80], 0),
            ("utf-16", [0x41], 0), ("utf-16", [0x41, 0x00, 0x41], 2), ("utf-16be", [0x00, 0x41, 0xD8, 0x00], 2),
            ("utf-16", [0x00, 0xDC, 0x41, 0x00], 0), ("iso-8859-3", [0x41, 0xA5], 1), ("windows-1253", [0xFF], 0),
            ("iso-8859-6", [0x41, 0x42, 0xFF], 2),
        ] as [(String, [UInt8], Int)])
    func undecodable(label: String, bytes: [UInt8], offset: Int) throws {
        let encoding = try #require(TextEncoding(label: label))
        let error = #expect(throws: TextEncoding.UndecodableError.self) { try encoding.decode(bytes) }
        #expect(error?.offset == offset)
        #expect(error?.encoding == encoding.name)
    }

    @Test("Each single-byte encoding decodes ASCII unchanged, and most other bytes")
    func singleByte() throws {
        let names =
            ["ibm866", "koi8-r", "macintosh"] + (2...16).map { "iso-8859-\($0)" }
            + (1250...1258).map { "windows-\($0)" }
        for name in names where !["iso-8859-9", "iso-8859-11", "iso-8859-12"].contains(name) {
            let encoding = try #require(TextEncoding(label: name), "\(name)")
            #expect(try encoding.decode(UInt8(0)..<0x80) == String(decoding: UInt8(0)..<0x80, as: UTF8.self))
            let known = (UInt8(0x80)...0xFF).filter { (try? encoding.decode([$0]))?.unicodeScalars.count == 1 }
            #expect(known.count >= 80, "\(name)")
        }
    }
}
