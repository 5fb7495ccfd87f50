// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import TestSupport
import Testing

@Suite("ResponseParser", .timeLimit(.minutes(10)))
struct ResponseParserTests {
    /// The result of reading some bytes, in a form that does not depend on how they were split.
    struct Reading: Equatable, CustomStringConvertible {
        var statuses: [Int] = []
        var fields: [String] = []
        var bytes: [UInt8] = []
        var isWhole = false
        var keepsAlive = false
        var contentLength: Int?
        var codings: [String] = []
        var rest = ""
        var fault: ResponseParser.ParseError?
        /// The body, decoded as a whole: a piece may end within a character.
        var body: String { String(decoding: bytes, as: UTF8.self) }

        var description: String {
            "\(statuses) \(fields) \(body) \(isWhole ? "whole" : "part") \(rest) \(fault.map { "\($0)" } ?? "")"
        }
    }

    /// Reads bytes that arrive in pieces.
    static func read(
        _ pieces: some Sequence<some Sequence<UInt8>>, isHead: Bool = false, limits: ResponseLimits = ResponseLimits()
    ) -> Reading {
        var parser = ResponseParser()
        return read(pieces, isHead: isHead, limits: limits, &parser)
    }

    /// Reads with a parser that may have read before.
    static func read(
        _ pieces: some Sequence<some Sequence<UInt8>>, isHead: Bool, limits: ResponseLimits,
        _ parser: inout ResponseParser
    ) -> Reading {
        parser.begin(isHead: isHead, limits: limits)
        var reading = Reading()
        var buffer = ByteBuffer()
        for piece in pieces {
            buffer.writeBytes(piece)
            do {
                while let event = try parser.next(&buffer) {
                    switch event {
                    case .head(let head):
                        reading.statuses.append(head.response.status.code)
                        reading.fields = head.response.headerFields.map { "\($0.name.rawName)=\($0.value)" }
                        reading.keepsAlive = head.shape.keepsAlive
                        reading.contentLength = head.contentLength
                        reading.codings = head.codings
                    case .body(let part): reading.bytes += part.readableBytesView
                    case .end: reading.isWhole = true
                    }
                }
            } catch {
                reading.fault = error
                return reading
            }
        }
        if parser.isUntilClose { reading.isWhole = true }
        reading.rest = String(buffer: buffer)
        return reading
    }

    static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nCONNECTION: Close\r\n\r\nhello and more",
        "HTTP/1.1 200\r\nTransfer-Encoding: Chunked\r\n\r\n3;a=\"b\"\r\nhel\r\n02\r\nlo\r\n0\r\nX-T: 1\r\n\r\nmore",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.0 204 None\r\nA:\r\n\r\n",
        "HTTP/1.0 200 OK\nConnection: keep-alive\nX-A:  b \n\nuntil the end",
        "HTTP/1.1 200 OK\r\nX-Long: a b c\r\nContent-Encoding: gzip, br\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-\u{FC}: a\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nX-A: \u{FC}\u{20AC}\r\nContent-Length: 2\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello!\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello",
        "HTTP/1.0 103 Early Hints\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello",
    ]

    @Test("A response is read alike, however it is split", arguments: answers)
    func pieces(_ answer: String) {
        let bytes = Array(answer.utf8)
        let whole = Self.read([bytes])
        #expect(Self.read(bytes.map { [$0] }) == whole)
        for cut in bytes.indices.dropFirst() {
            #expect(Self.read([bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)")
        }
    }

    @Test("A response ends after Content-Length bytes, and the rest stays in the buffer")
    func length() {
        let reading = Self.read([Array(Self.answers[1].utf8)])
        #expect(reading.body == "hello")
        #expect(reading.isWhole)
        #expect(reading.rest == " and more")
        #expect(!reading.keepsAlive)
        #expect(reading.fields == ["content-length=5", "CONNECTION=Close"])
        #expect(reading.contentLength == 5)
    }

    @Test("Connection and version of an interim response do not affect the final one")
    func interimOfConnection() {
        let reading = Self.read([Array(Self.answers[11].utf8)])
        #expect(reading.body == "he")
        #expect(reading.isWhole)
        #expect(reading.keepsAlive)
        #expect(reading.rest == "llo")
    }

    @Test("Chunks are joined, and chunk extensions and trailers are not part of the body")
    func chunks() {
        let reading = Self.read([Array(Self.answers[2].utf8)])
        #expect(reading.body == "hello")
        #expect(reading.isWhole)
        #expect(reading.rest == "more")
        #expect(reading.keepsAlive)
        #expect(reading.contentLength == nil)
    }

    @Test("Interim responses precede the final one")
    func interim() {
        let reading = Self.read([Array(Self.answers[3].utf8)])
        #expect(reading.statuses == [100, 103, 204])
        #expect(reading.isWhole)
        #expect(reading.fields == ["A="])
        #expect(!reading.keepsAlive)
    }

    @Test("Lines may end in LF, and HTTP/1.0 may keep the connection")
    func old() {
        let reading = Self.read([Array(Self.answers[4].utf8)])
        #expect(reading.fields == ["Connection=keep-alive", "X-A=b"])
        #expect(reading.keepsAlive)
        #expect(reading.body == "until the end")
        #expect(reading.isWhole)
    }

    @Test("Content codings are reported in the order in which they were applied")
    func codings() {
        let reading = Self.read([Array(Self.answers[5].utf8)])
        #expect(reading.fields.first == "X-Long=a b c")
        #expect(reading.codings == ["gzip", "br"])
    }

    @Test("A field value that is not UTF-8 keeps its bytes")
    func bytes() throws {
        var parser = ResponseParser()
        parser.begin(isHead: false, limits: ResponseLimits())
        var buffer = ByteBuffer(bytes: Array("HTTP/1.1 200 OK\r\nX-A: ".utf8) + [0xE4] + Array("\r\n\r\n".utf8))
        guard case .head(let head)? = try parser.next(&buffer) else {
            Issue.record("no head")
            return
        }
        let field = try #require(head.response.headerFields.first)
        #expect(field.withUnsafeBytesOfValue { Array($0) } == [0xE4])
    }

    @Test(
        "A response to HEAD has no body, whatever its fields say",
        arguments: ["Content-Length: 5", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "A: b"]
    )
    func head(_ field: String) {
        let reading = Self.read([Array("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n".utf8)], isHead: true)
        #expect(reading.isWhole)
        #expect(reading.fault == nil)
        #expect(reading.keepsAlive)
    }

    static let malformed = [
        "SSH-2.0-OpenSSH_9.2\r\n", "<html>", "HTTP/2.0 200 OK\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 20 OK\r\n",
        "HTTP/1.1 099 OK\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1  200 OK\r\n", "HTTP/1.x 200 OK\r\n",
        "HTTP/1.2 200 OK\r\n",
        "\r\nHTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nA B: c\r\n", "HTTP/1.1 200 OK\r\nA : c\r\n", "HTTP/1.1 200 OK\r\n: c\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\n A: from nowhere\r\n",
        "HTTP/1.1 200 OK\r\nA: b\u{0}c\r\n", "HTTP/1.1 200 OK\r\nA: b\rc\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n \0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 304 NM\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1,\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 0\r\n\r\n",
        "HTTP/1.1 200 O\rK\r\n", "HTTP/1.1 200 OK\r\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 101 Go\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 204 None\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip, chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: ,\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked;a=b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chun ked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: \"chunked\"\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 3\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n X: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n \0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n;a\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\t\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a \r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 a=b\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1; =b\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a= \r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n 1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a==b\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=\"b\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a\u{7F}\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000000000000000\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nno colon\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "a", count: 9000),
        "HTTP/1.1 200 " + String(repeating: "a", count: 9000),
    ]

    @Test("An ambiguous or malformed response is refused", arguments: malformed)
    func refused(_ answer: String) {
        for pieces in [[Array(answer.utf8)], answer.utf8.map { [$0] }] {
            guard case .malformed? = Self.read(pieces).fault else {
                Issue.record("taken for \(Self.read(pieces))")
                return
            }
        }
    }

    @Test("A head or trailer is refused as soon as it exceeds its limits")
    func limits() {
        var limits = ResponseLimits()
        limits.headBytes = 100
        limits.headerFields = 3
        let start = "HTTP/1.1 200 OK\r\n"
        let chunked = start + "Transfer-Encoding: chunked\r\n\r\n0\r\n"
        func fault(_ text: String) -> ResponseParser.ParseError? {
            Self.read(text.utf8.map { [$0] }, limits: limits).fault
        }
        #expect(fault(start + "A: " + String(repeating: "a", count: 95) + "\r\n\r\n") == nil)
        #expect(fault(start + "A: " + String(repeating: "a", count: 96) + "\r\n\r\n") == .headTooLarge(100))
        #expect(fault(start + "A: " + String(repeating: "a", count: 200)) == .headTooLarge(100))
        #expect(fault(start + "A: b\r\nA: b\r\nA: b\r\n\r\n") == nil)
        #expect(fault(start + "A: b\r\nA: b\r\nA: b\r\nA: b\r\n") == .tooManyFields(3))
        #expect(fault(chunked + "A: b\r\nA: b\r\nA: b\r\nA: b\r\n") == .tooManyFields(3))
        #expect(fault(chunked + String(repeating: "a", count: 200)) == .headTooLarge(100))
    }

    @Test("Random bytes and randomly damaged responses never trap or loop forever")
    func random() {
        var random = SeededNumbers(42)
        let alphabet = Array("HTP/1. 20\r\n:;aContent-Lgh5chunked".utf8) + [0, 0x7F, 0xC3, 0xFF]
        for _ in 0..<300 {
            var bytes = Array(Self.answers[Int.random(in: 0..<Self.answers.count, using: &random)].utf8)
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            #expect(Self.read([bytes[..<cut], bytes[cut...]]) == Self.read(bytes.map { [$0] }))
        }
    }

    @Test(
        "Framing fields must be ASCII: characters whose lowercase form is ASCII are refused",
        arguments: [
            "Transfer-Encoding: chun\u{212A}ed", "Transfer-Encoding: chunked\u{E9}", "Content-Length: \u{665}",
            "Connection: \u{212A}eep-alive",
        ])
    func notASCII(_ field: String) {
        let reading = Self.read(["HTTP/1.1 200 OK\r\n\(field)\r\n\r\n5\r\nhello\r\n0\r\n\r\n".utf8])
        guard case .malformed = reading.fault else {
            Issue.record("\(reading)")
            return
        }
    }

    @Test("Chunk extensions are accepted, but not more bytes of them than of the body")
    func extensions() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let signed = "1;s=" + String(repeating: "a", count: 100) + "\r\nx\r\n"
        let fine = Self.read([(head + String(repeating: signed, count: 3000) + "0\r\n\r\n").utf8])
        #expect(fine.isWhole)
        let long = "1;s=" + String(repeating: "a", count: 8000) + "\r\nx\r\n"
        let flood = Self.read([(head + String(repeating: long, count: 100) + "0\r\n\r\n").utf8])
        #expect(flood.fault == .malformed("the chunks of the body have more extensions than bytes"))
        #expect(flood.body.utf8.count < 10)
        let again = Self.read([(head + String(repeating: long, count: 5) + "0\r\n\r\n").utf8])
        #expect(again.isWhole)
    }
}
