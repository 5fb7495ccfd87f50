// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import TestSupport
import Testing

@Suite("Response head cache", .timeLimit(.minutes(10)))
struct ResponseHeadCacheTests {
    private static let lines = [
        "Server: a", "Server: b", "Connection: keep-alive", "Connection: close", "Content-Length: 2",
        "Content-Length: 3", "Transfer-Encoding: chunked", "Content-Encoding: gzip", "X-A: 1", "X-A:  1", "x-a: 1",
        "X-A: \u{FC}", "ETag: \"0123456789-0123456789\"", "Bad\u{7F}: a", " folded", "Set-Cookie: a=b",
        "X-Long: \(String(repeating: "l", count: 900))",
    ]

    @Test("A parser that caches earlier heads reads random heads like a new parser", arguments: 0..<20)
    func sequences(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        var parser = ResponseParser()
        var head = ["HTTP/1.1 200 OK", "Content-Length: 2"]
        var repeats = 0
        for _ in 0..<500 {
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 1...head.count, using: &random)
                let line = Self.lines[Int.random(in: 0..<Self.lines.count, using: &random)]
                switch Int.random(in: 0..<3, using: &random) {
                case 0: head.insert(line, at: place)
                case 1 where place < head.count: head[place] = line
                default: if place < head.count { head.remove(at: place) }
                }
            }
            if head.count > 8 { head.removeLast(5) }
            head[0] =
                "HTTP/1.\(Int.random(in: 0..<8, using: &random) == 0 ? 0 : 1) \(["200", "304", "103"].randomElement(using: &random) ?? "200") OK"
            let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n2\r\nab\r\n0\r\n\r\n").utf8)
            let cut = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...bytes.count, using: &random) : 0
            let pieces = [bytes[..<cut], bytes[cut...]]
            var limits = ResponseLimits()
            if Int.random(in: 0..<8, using: &random) == 0 { limits.headerFields = 3 }
            if Int.random(in: 0..<8, using: &random) == 0 { limits.headBytes = 64 }
            let isHead = Int.random(in: 0..<8, using: &random) == 0
            let used = ResponseParserTests.read(pieces, isHead: isHead, limits: limits, &parser)
            let new = ResponseParserTests.read(pieces, isHead: isHead, limits: limits)
            #expect(used == new, "\(head)")
            guard used.fault == nil else {
                // An invalid response ends its connection, and so its parser.
                parser = ResponseParser()
                head = ["HTTP/1.1 200 OK", "Content-Length: 2"]
                continue
            }
            repeats += 1
        }
        #expect(repeats > 50)
    }

    @Test("A cached head is not reused if the limits have changed")
    func limits() {
        var parser = ResponseParser()
        let bytes = [Array("HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\nContent-Length: 0\r\n\r\n".utf8)]
        #expect(ResponseParserTests.read(bytes, isHead: false, limits: ResponseLimits(), &parser).isWhole)
        var limits = ResponseLimits()
        limits.headerFields = 2
        #expect(ResponseParserTests.read(bytes, isHead: false, limits: limits, &parser).fault == .tooManyFields(2))
    }
}
