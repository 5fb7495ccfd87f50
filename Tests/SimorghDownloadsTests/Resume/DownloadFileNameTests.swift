// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadFileNameTests {
    private static let harmless: [(String, String?)] = [
        ("photo.png", "photo.png"), ("../../evil", "evil"), ("/etc/passwd", "passwd"), ("a\\b\\c.txt", "c.txt"),
        ("..", nil),
        (".", nil), ("", nil), ("...", nil), (".bashrc", "bashrc"), ("  .hidden", "hidden"), ("a/..", nil),
        ("name. . ", "name"),
        ("a\u{0}b", "ab"), ("a\r\nb.txt", "ab.txt"), ("evil\u{202E}gpj.exe", "evilgpj.exe"),
        ("a:b*c?.txt", "a_b_c_.txt"),
        ("CON", "_CON"), ("con.txt", "_con.txt"), ("nul.tar.gz", "_nul.tar.gz"), ("COM1", "_COM1"),
        ("console", "console"),
        ("مرغ.pdf", "مرغ.pdf"), ("a b.txt", "a b.txt"), ("\u{200B}", nil), ("-rf", "-rf"),
    ]

    @Test("clean() removes paths and reserved names", arguments: harmless)
    func clean(name: String, expected: String?) { #expect(DownloadFileName.clean(name) == expected) }

    @Test("A long name keeps its extension and whole characters")
    func long() {
        let name = DownloadFileName.clean(String(repeating: "é", count: 400) + ".tar.gz")
        #expect(name?.utf8.count ?? 0 <= 255)
        #expect(name?.hasSuffix("é.gz") == true || name?.hasSuffix(".gz") == true)
        let numbered = DownloadFileName.numbered(name ?? "", with: 12)
        #expect(numbered.utf8.count <= 255 && numbered.hasSuffix(" (12).gz"))
        #expect(DownloadFileName.clean(String(repeating: "a", count: 300))?.utf8.count == 255)
    }

    private static let urls: [(String, String?)] = [
        ("https://a.test/x/photo%20of%20me.png?q=1#f", "photo of me.png"), ("https://a.test/", nil),
        ("https://a.test", nil),
        ("https://a.test/..%2F..%2Fevil", "../../evil"), ("https://a.test/%252e", "%2e"), ("https://a.test/%ff", nil),
    ]

    @Test("The last segment of a URL is decoded once", arguments: urls)
    func segments(url: String, expected: String?) { #expect(DownloadFileName.lastSegment(of: url) == expected) }

    private static let fields: [(String, String?)] = [
        ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
        ("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"), ("attachment; filename=\"a;b.txt\"; x=1", "a;b.txt"),
        ("attachment; filename=a.txt; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
        ("attachment; filename*=utf-8'en'%C3%A4.txt; filename=x", "ä.txt"),
        ("attachment; filename*=iso-8859-1''%E4.txt", "ä.txt"), ("attachment; filename*=UTF-8''%ff; filename=b", "b"),
        ("attachment; filename*=koi8-r''%c1; filename=b", "b"), ("attachment; filename*=UTF-8''%e; filename=b", "b"),
        ("attachment", nil), ("", nil), ("filename=a.txt", "a.txt"), ("inline; FILENAME = \"A\"", "A"),
        ("attachment; filename=\"unfinished", "unfinished"),
        ("attachment; filename=John's%20Resume.pdf; filename*=UTF-8''John's%20Resume.pdf", "John's Resume.pdf"),
        ("attachment; filename*=UTF-8''it's'all.txt", "it's'all.txt"),
        ("attachment; filename*=UTF-8'x; filename=b", "b"),
        ("attachment; filename=\"%EC%82%AC.jpg\"", "사.jpg"), ("attachment; filename=\"50%25 off.txt\"", "50% off.txt"),
        ("attachment; filename=\"100%.txt\"", "100%.txt"), ("attachment; filename=\"%zz.txt\"", "%zz.txt"),
        ("attachment; filename=\"%FF.txt\"", "%FF.txt"), ("attachment; filename=\"%252e\"", "%2e"),
        ("attachment; filename=\"=?UTF-8?B?w6Q=?=.txt\"", "=?UTF-8?B?w6Q=?=.txt"),
    ]

    private static let bytes: [([UInt8], String)] = [
        (
            Array("attachment; filename=\"na".utf8) + [0xEF] + Array("ve caf".utf8) + [0xE9] + Array(".txt\"".utf8),
            "naïve café.txt"
        ),
        (Array("attachment; filename=\"naïve.txt\"".utf8), "naïve.txt"),
    ]

    @Test("Content-Disposition bytes that are not UTF-8 are decoded as ISO-8859-1", arguments: bytes)
    func latin1(bytes: [UInt8], expected: String) throws {
        let name = try #require(HTTPField.Name("Content-Disposition"))
        let field = bytes.withUnsafeBytes { HTTPField(name: name, value: $0) }
        var fields = HTTPFields()
        fields.append(field)
        let text = try #require(ContentDisposition.text(in: fields))
        #expect(ContentDisposition.fileName(text) == expected)
        #expect(ContentDisposition.text(in: [:]) == nil)
    }

    @Test("A percent-encoded path in a plain filename is removed, too")
    func decodedAttack() {
        let field = "attachment; filename=\"..%2F..%2Fetc%2Fpasswd%00\""
        #expect(DownloadFileName.choose(given: nil, disposition: field, url: "https://a.test/") == "passwd")
    }

    @Test("Content-Disposition: filename* takes precedence if it can be decoded", arguments: fields)
    func dispositions(field: String, expected: String?) { #expect(ContentDisposition.fileName(field) == expected) }

    @Test("SIM17: %20 is a space, and the detected type adds a missing extension")
    func choice() {
        let url = "https://a.test/my%20photo"
        #expect(DownloadFileName.choose(given: nil, url: url) == "my photo")
        #expect(DownloadFileName.choose(given: "photo", url: url, detected: "png") == "photo.png")
        #expect(DownloadFileName.choose(given: "photo.jpg", url: url, detected: "png") == "photo.jpg")
        #expect(DownloadFileName.choose(given: nil, disposition: "attachment; filename=x.pdf", url: url) == "x.pdf")
        #expect(DownloadFileName.choose(given: "..", url: "https://a.test/") == "download")
    }

    @Test("Random names are cleaned to one harmless path segment")
    func random() {
        var random = SeededNumbers(17)
        let pieces = ["a", ".", "..", "/", "\\", "%2e", "\u{0}", " ", "\u{202E}", "é", "CON", ":", "\n", "漢", ".gz"]
        for _ in 0..<3000 {
            let name = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            guard let clean = DownloadFileName.clean(name) else { continue }
            #expect(!clean.isEmpty && clean.utf8.count <= 255 && !clean.hasPrefix("."))
            #expect(!clean.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 < 0x20 })
            #expect(DownloadFileName.clean(clean) != nil)
        }
    }
}
