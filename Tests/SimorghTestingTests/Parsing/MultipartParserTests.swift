// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MultipartParserTests {
    private static let body =
        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b"
        + "\r\ncontent-disposition: form-data; name=\"f\"; filename=\"x;\\\"%22y.txt\"\r\nContent-Type: text/plain\r\n\r\n"
        + "line\r\n--not it\r\n-\r\n\r\n--b--\r\nepilogue"

    @Test("Parts are equal, however the body is split", arguments: [1, 2, 3, 5, 7, 11, 64, 1000])
    func cuts(size: Int) throws {
        var parser = MultipartParser(boundary: "b")
        var parts: [(head: MultipartParser.Head, text: String)] = []
        var ended = 0
        let bytes = Array(Self.body.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            for event in try parser.read(bytes[start..<min(bytes.count, start + size)]) {
                switch event {
                case .began(let head): parts.append((head, ""))
                case .bytes(let bytes): parts[parts.count - 1].text += String(decoding: bytes, as: UTF8.self)
                case .ended: ended += 1
                }
            }
        }
        #expect(parser.isComplete)
        #expect(ended == 2)
        try #require(parts.count == 2)
        #expect(parts[0].head.name == "a")
        #expect(parts[0].head.filename == nil)
        #expect(parts[0].text == "one")
        #expect(parts[1].head.filename == "x;\"\"y.txt")
        #expect(parts[1].head.contentType == "text/plain")
        #expect(parts[1].text == "line\r\n--not it\r\n-\r\n")
    }

    @Test(
        "A malformed body is rejected",
        arguments: [
            "x--b\r\n", "--bx\r\n", "--b\r\nno colon\r\n\r\n", "--b\r\nContent-Disposition: form-data\r\n\r\n",
            "--b\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\n",
            "--b\r\nX: \(String(repeating: "x", count: 17_000))\r\n\r\n",
            "--b\r\n" + String(repeating: "x", count: 20_000),
            String(repeating: "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n", count: 1001),
        ])
    func refused(body: String) {
        var parser = MultipartParser(boundary: "b")
        #expect(throws: MultipartParser.ParseError.self) { try parser.read(body.utf8) }
    }

    @Test(
        "A damaged body gives the same parts or the same error however it is split, and never traps", arguments: 0..<50)
    func damaged(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        for _ in 0..<20 {
            var bytes = Array(Self.body.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let whole = Self.outcome(of: bytes, by: bytes.count)
            #expect(Self.outcome(of: bytes, by: Int.random(in: 1...9, using: &random)) == whole)
        }
    }

    /// Returns the parts as text, and the outcome.
    private static func outcome(of bytes: [UInt8], by size: Int) -> String {
        var parser = MultipartParser(boundary: "b")
        var text = ""
        do throws(MultipartParser.ParseError) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                for event in try parser.read(bytes[start..<min(bytes.count, start + size)]) {
                    switch event {
                    case .began(let head): text += "[\(head)]"
                    case .bytes(let bytes): text += "\(bytes)"
                    case .ended: text += "[ended]"
                    }
                }
            }
            return text.replacing("][", with: ", ") + " \(parser.isComplete)"
        } catch {
            return error.message
        }
    }

    @Test("A body without its closing delimiter is incomplete")
    func incomplete() throws {
        var parser = MultipartParser(boundary: "b")
        _ = try parser.read("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b".utf8)
        #expect(!parser.isComplete)
        _ = try parser.read("--".utf8)
        #expect(parser.isComplete)
    }

    @Test(
        "A boundary is read from the content type if it is valid",
        arguments: [
            ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data; charset=x; boundary=\"a b\"", "a b"),
            ("multipart/mixed; boundary=abc", nil), ("multipart/form-data", nil),
            ("multipart/form-data; boundary=\"\"", nil), ("multipart/form-data; boundary=\"a \"", nil),
            ("multipart/form-data; boundary=a@b", nil),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", nil),
        ])
    func boundaries(type: String, boundary: String?) {
        #expect((try? MultipartParser.boundary(of: type)) == boundary)
    }
}
