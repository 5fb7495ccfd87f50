// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import Testing

/// Forms that RFC 9110 and RFC 9112 make a user agent accept.
@Suite("ResponseParser: forms that a client must accept", .timeLimit(.minutes(5)))
struct LenientReadingTests {
    private typealias Reading = ResponseParserTests.Reading

    /// Reads a response in one piece and byte by byte, twice with the same parser, and expects the same each time.
    private static func read(_ text: String, limits: ResponseLimits = ResponseLimits()) -> Reading {
        let bytes = Array(text.utf8)
        var parser = ResponseParser()
        let whole = ResponseParserTests.read([bytes], isHead: false, limits: limits, &parser)
        #expect(ResponseParserTests.read([bytes], isHead: false, limits: limits, &parser) == whole, "repeated")
        #expect(ResponseParserTests.read(bytes.map { [$0] }, limits: limits) == whole, "byte by byte")
        return whole
    }

    @Test(
        "obs-fold: the line break becomes a space (RFC 9112, 5.2)",
        arguments: [
            ("X-A: one\r\n two", "one two"), ("X-A: one\r\n\ttwo", "one two"), ("X-A:\r\n two", "two"),
            ("X-A: one  \r\n   two \t\r\n\t three", "one two three"), ("X-A: one\r\n \r\n two", "one two"),
            ("X-A: one\r\n ", "one"), ("X-A: one\n two", "one two"), ("X-A: one\r\n two: three", "one two: three"),
            ("X-A: a\u{1B}\r\n b", "a\u{1B} b"), ("X-A: \u{E9}\r\n \u{FC}", "\u{E9} \u{FC}"),
        ])
    func folded(field: String, value: String) {
        let reading = Self.read("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\nX-B: c\r\n\r\nok")
        #expect(reading.fields == ["X-A=\(value)", "Content-Length=2", "X-B=c"])
        #expect(reading.body == "ok" && reading.isWhole && reading.fault == nil)
    }

    @Test(
        "obs-fold: a folded field that frames the body is read whole",
        arguments: [
            "Content-Length:\r\n 2\r\n\r\nok", "Content-Length: 2,\r\n 2\r\n\r\nok",
            "Transfer-Encoding:\r\n chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            "Connection: x,\r\n close\r\nContent-Length: 2\r\n\r\nok",
        ])
    func foldedFraming(rest: String) {
        let reading = Self.read("HTTP/1.1 200 OK\r\n\(rest)")
        #expect(reading.body == "ok" && reading.isWhole && reading.fault == nil)
        #expect(reading.keepsAlive == !rest.contains("close"))
    }

    @Test("obs-fold: a head that differs from the last one only in its folded line is parsed again")
    func foldedMemory() {
        var parser = ResponseParser()
        func fields(_ fields: String) -> [String] {
            let bytes = Array("HTTP/1.1 200 OK\r\n\(fields)\r\nContent-Length: 0\r\n\r\n".utf8)
            return ResponseParserTests.read([bytes], isHead: false, limits: ResponseLimits(), &parser).fields
        }
        #expect(fields("X-A: one\r\n two\r\nX-B: b") == ["X-A=one two", "X-B=b", "Content-Length=0"])
        #expect(fields("X-A: one\r\nX-B: b") == ["X-A=one", "X-B=b", "Content-Length=0"])
        #expect(fields("X-A: one\r\n six\r\nX-B: b") == ["X-A=one six", "X-B=b", "Content-Length=0"])
        #expect(fields("X-A: one\r\nX-B: b\r\n c") == ["X-A=one", "X-B=b c", "Content-Length=0"])
    }

    @Test("obs-fold: folded lines count towards the limit of a head")
    func foldedLimit() {
        var limits = ResponseLimits()
        limits.headBytes = 1000
        let long = "HTTP/1.1 200 OK\r\nX-A: a\r\n" + String(repeating: " a\r\n", count: 300) + "\r\n"
        #expect(Self.read(long, limits: limits).fault == .headTooLarge(1000))
        // Many lines cost no more than their bytes.
        limits.headBytes = 4_000_000
        let many = "HTTP/1.1 200 OK\r\nX-A: a\r\n" + String(repeating: " a\r\n", count: 500_000) + "\r\n"
        let reading = ResponseParserTests.read([Array(many.utf8)], limits: limits)
        #expect(reading.fault == nil && reading.fields.first?.utf8.count == 1_000_005)
    }

    @Test("obs-fold: a folded trailer becomes one line, too")
    func foldedTrailer() throws {
        var parser = ResponseParser()
        parser.begin(isHead: false, limits: ResponseLimits())
        var buffer = ByteBuffer(
            string:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: one\r\n two\r\nX-U: u\r\n\t v\r\n\r\n")
        while try parser.next(&buffer) != nil {}
        #expect(parser.trailerFields.map { "\($0.name)=\($0.value)" } == ["X-T=one two", "X-U=u v"])
    }

    @Test(
        "Transfer-Encoding: a final coding other than chunked is read until the connection closes (RFC 9112, 6.3)",
        arguments: [
            "identity", "gzip", "foo", "chunked, identity", "deflate\r\nTransfer-Encoding: gzip", "foo;a=b", "Identity",
        ])
    func untilClose(coding: String) {
        let reading = Self.read("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        #expect(reading.body == "2\r\nok\r\n0\r\n\r\n" && reading.isWhole && reading.fault == nil)
    }

    @Test(
        "Content-Length: equal values are one (RFC 9110, 8.6)",
        arguments: [
            "5, 5", "5,5", "5 ,\t5, 5", "5\r\nContent-Length: 5", "5\r\nA: b\r\ncontent-length: 5", "5, 05",
            "5\r\nContent-Length: 5, 5",
        ])
    func lengths(value: String) {
        let reading = Self.read("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nhello and more")
        #expect(reading.body == "hello" && reading.isWhole && reading.contentLength == 5)
        #expect(reading.fields.filter { $0.lowercased().hasPrefix("content-length") } == ["Content-Length=5"])
        #expect(reading.rest == " and more")
    }

    @Test("Content-Length: a list with a malformed member is refused, also after equal values")
    func brokenLengths() {
        for value in ["5, 5, 6", "5, 5,", "5\r\nContent-Length: 5\r\nContent-Length: x"] {
            let reading = ResponseParserTests.read(["HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nhello".utf8])
            guard case .malformed? = reading.fault else {
                Issue.record("\(value) was taken for \(reading)")
                continue
            }
        }
    }

    @Test(
        "A control character other than CR, LF and NUL stays in its field", arguments: [0x01, 0x08, 0x0B, 0x1B, 0x7F])
    func control(byte: Int) throws {
        var parser = ResponseParser()
        parser.begin(isHead: false, limits: ResponseLimits())
        var buffer = ByteBuffer(
            bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: b".utf8) + [UInt8(byte)]
                + Array("c\r\n\r\n".utf8))
        guard case .head(let head)? = try parser.next(&buffer) else {
            Issue.record("no head")
            return
        }
        let field = try #require(head.response.headerFields.last)
        #expect(field.withUnsafeBytesOfValue { Array($0) } == [0x62, UInt8(byte), 0x63])
    }

    @Test(
        "Chunk extensions: blanks around the semicolon and the equals sign are skipped (RFC 9112, 7.1.1)",
        arguments: [
            "5 ;a=b", "5; a=b", "5;a = b", "5 ; a = b", "5\t;\ta\t=\t\"b c\"", "5 ;a;b ; c=d", "5;a =b", "5;a= b",
        ])
    func extensions(size: String) {
        let reading = Self.read(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nhello\r\n0\r\n\r\n")
        #expect(reading.body == "hello" && reading.isWhole && reading.fault == nil)
    }

    @Test(
        "CONNECT: Content-Length and Transfer-Encoding of a success are ignored (RFC 9110, 9.3.6)",
        arguments: [
            "Transfer-Encoding: chunked\r\nContent-Length: 10\r\n", "Content-Length: 10\r\n",
            "Content-Length: 1\r\nContent-Length: 2\r\n", "Transfer-Encoding: foo\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: x\r\n", "Via: a\r\n b\r\n",
        ])
    func tunnel(fields: String) throws {
        let proxy = try Proxy("http://proxy.example:3128")
        for status in ["200 OK", "204 None"] {
            var negotiation = ConnectNegotiation(proxy, host: "example.com", port: 443)
            var buffer = ByteBuffer(string: "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 \(status)\r\n\(fields)\r\nbehind")
            #expect(try negotiation.received(&buffer))
            #expect(String(buffer: buffer) == "behind")
        }
    }

    @Test("CONNECT: a refusal with both framing fields is no HTTP")
    func refusedTunnel() throws {
        var negotiation = ConnectNegotiation(try Proxy("http://proxy.example:3128"), host: "example.com", port: 443)
        var buffer = ByteBuffer(
            string: "HTTP/1.1 502 Bad\r\nTransfer-Encoding: chunked\r\nContent-Length: 10\r\n\r\n")
        #expect(throws: ProxyError.self) { try negotiation.received(&buffer) }
    }
}
