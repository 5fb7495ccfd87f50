// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("multipart/mixed parser", .timeLimit(.minutes(5)))
struct MultipartMixedParserTests {
    /// The parts of a body, and the error that ended it.
    struct Reading: Equatable {
        var parts: [String] = []
        var types: [String?] = []
        var error: GraphQLProtocolError.Reason?
    }

    /// Parses a body in pieces of the given sizes, which repeat.
    static func read(
        _ body: [UInt8], boundary: String = "b", limit: Int = 1000, sizes: [Int] = [.max]
    ) -> Reading {
        var reading = Reading()
        guard var parser = MultipartMixedParser(boundary: Array(boundary.utf8), limit: limit) else {
            reading.error = .malformedMultipart
            return reading
        }
        var rest = body[...]
        var index = 0
        do throws(GraphQLProtocolError) {
            while !rest.isEmpty {
                let piece = Array(rest.prefix(max(1, sizes[index % sizes.count])))
                rest = rest.dropFirst(piece.count)
                index += 1
                var position = 0
                while position < piece.count {
                    let part = try piece.withUnsafeBufferPointer { bytes throws(GraphQLProtocolError) in
                        try parser.next(in: UnsafeRawBufferPointer(bytes), at: &position)
                    }
                    guard let part else { break }
                    reading.parts.append(String(decoding: part.body, as: UTF8.self))
                    reading.types.append(part.contentType)
                }
            }
            try parser.finish()
        } catch {
            reading.error = error.reason
        }
        return reading
    }

    static func read(_ body: String, boundary: String = "b", limit: Int = 1000, sizes: [Int] = [.max]) -> Reading {
        read(Array(body.utf8), boundary: boundary, limit: limit, sizes: sizes)
    }

    @Test(
        "Parts are the same wherever the body is split",
        arguments: [
            ("--b\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{}\r\n--b--", ["{}"]),
            ("--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n", ["one", "two"]),
            ("preamble\r\n--b  \t\r\n\r\none\r\n--b--epilogue\r\n--b\r\n\r\n", ["one"]),
            ("\r\n--b\r\nX: 1\r\nY: 2\r\n folded\r\n\r\n\r\n\r--b\n--b\r\r\n--b--", ["\r\n\r--b\n--b\r"]),
            ("--b\r\n\r\n\r\n--b--", [""]), ("--b\r\n\r\n--b--", [""]),
            ("--b\r\n\r\n\r\r\r\n-\r\n--\r\n--b--", ["\r\r\r\n-\r\n--"]),
            // As Strawberry writes them: with a heartbeat as the preamble, and two delimiters at the end.
            ("\r\nA: b\r\n\r\n{}\r\n--b\r\nA: b\r\n\r\none\r\n--b\r\n--b--\r\n", ["one"]),
            ("--b--", []),
        ])
    func splits(body: String, parts: [String]) {
        for sizes in [[.max], [1], [2], [3], [1, 5], [7, 1, 1]] {
            let reading = Self.read(body, sizes: sizes)
            #expect(reading.parts == parts)
            #expect(reading.error == nil)
        }
    }

    @Test("The media type of a part is read without its parameters")
    func types() {
        let body = "--b\r\ncontent-TYPE: Application/JSON; charset=utf-8\r\n\r\n{}\r\n--b\r\n\r\n{}\r\n--b--"
        #expect(Self.read(body).types == ["application/json", nil])
    }

    @Test("A part is returned as soon as the delimiter after it has arrived")
    func eager() throws {
        var parser = try #require(MultipartMixedParser(boundary: Array("graphql".utf8), limit: 100))
        let body = Array("--graphql\r\n\r\none\r\n--graphql".utf8)
        var position = 0
        let part = try body.withUnsafeBytes { try parser.next(in: $0, at: &position) }
        #expect(part?.body == Data("one".utf8))
        #expect(!parser.isClosed)
    }

    @Test(
        "A body that ends early is truncated",
        arguments: [
            "", "--", "--b", "--b\r\n", "--b\r\n\r\n", "--b\r\n\r\none", "--b\r\n\r\none\r\n--b", "--b-", "x\r\n--c--",
        ])
    func truncated(body: String) {
        for sizes in [[.max], [1]] { #expect(Self.read(body, sizes: sizes).error == .truncated) }
    }

    @Test(
        "A malformed delimiter or header is an error",
        arguments: [
            "--bx\r\n\r\n", "--b-x", "--b \rx", "--b\n\n{}\n--b--", "--b\r\nA: b\n\n", "--b\r\n\n", "--b\r\r\n",
            "--b\r\nno colon\r\n\r\n", "--b\r\n: a\r\n\r\n", "--b\r\n--bx\r\n",
        ])
    func malformed(body: String) {
        for sizes in [[.max], [1]] { #expect(Self.read(body, sizes: sizes).error == .malformedMultipart) }
    }

    @Test("A boundary has 1 to 70 characters of RFC 2046")
    func boundaries() {
        for boundary in ["-", "graphql", "a b", String(repeating: "x", count: 70), "'()+_,-./:=?"] {
            #expect(MultipartMixedParser(boundary: Array(boundary.utf8), limit: 1) != nil)
        }
        for boundary in ["", " ", "a ", "a\r\n", "a\"", "ä", String(repeating: "x", count: 71)] {
            #expect(MultipartMixedParser(boundary: Array(boundary.utf8), limit: 1) == nil)
        }
    }

    @Test("The limit of a part is exact", arguments: [[Int.max], [1], [3]])
    func partLimit(sizes: [Int]) {
        let body = "--b\r\n\r\n12345\r\n--b--"
        #expect(Self.read(body, limit: 5, sizes: sizes).parts == ["12345"])
        #expect(Self.read(body, limit: 4, sizes: sizes).error == .limitExceeded)
        #expect(Self.read("--b\r\n\r\n\r\n--12345", limit: 4, sizes: sizes).error == .limitExceeded)
        #expect(
            Self.read("--b\r\n\r\n" + String(repeating: "x", count: 10_000), limit: 4, sizes: sizes).error
                == .limitExceeded)
    }

    @Test("The preamble, a header and the white space after a delimiter are bounded")
    func headerLimits() {
        let long = String(repeating: "x", count: MultipartMixedParser.maximumHeaderBytes + 1)
        let blank = String(repeating: " ", count: MultipartMixedParser.maximumHeaderBytes + 1)
        for body in [long, "--b\r\na: \(long)", "--b" + blank, "--b\r\n" + String(repeating: "a:b\r\n", count: 4000)] {
            for sizes in [[Int.max], [1], [1000]] { #expect(Self.read(body, sizes: sizes).error == .limitExceeded) }
        }
    }

    @Test("Random bodies: the same wherever they are split, and those of the parser of forms", arguments: 1...4)
    func random(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        let words = ["\r", "\n", "\r\n", "-", "--", "--b", "\r\n--b", "b", "x", "\r\n--b\r\n\r\n", "\r\n--b--", ":"]
        for round in 0..<1500 {
            var body = (0..<Int.random(in: 0..<14, using: &numbers)).map { _ in
                words.randomElement(using: &numbers) ?? ""
            }.joined()
            if round % 2 == 0 { body = "--b\r\n\r\n" + body + "\r\n--b--" }
            let whole = Self.read(body)
            for _ in 0..<3 {
                let sizes = (0..<3).map { _ in Int.random(in: 1...9, using: &numbers) }
                #expect(Self.read(body, sizes: sizes) == whole, "seed \(seed), \(body.debugDescription), \(sizes)")
            }
        }
        for _ in 0..<300 {
            // Contents without a delimiter: both parsers return them.
            let contents = (0..<3).map { _ in
                (0..<6).map { _ in ["\r", "\n", "-", "x", "\r\n-", "é"].randomElement(using: &numbers) ?? "" }.joined()
            }
            let body =
                contents.map { "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\($0)\r\n" }.joined() + "--b--"
            let form = try? MultipartParser.parts(of: Data(body.utf8), contentType: "multipart/form-data; boundary=b")
            #expect(form?.map { String(decoding: $0.bytes, as: UTF8.self) } == contents)
            #expect(Self.read(body).parts == contents, "seed \(seed), \(contents)")
        }
    }
}
