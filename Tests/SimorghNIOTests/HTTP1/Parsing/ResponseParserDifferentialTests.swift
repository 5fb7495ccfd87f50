// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SimorghCore
import SimorghNIO
import SimorghRealtime
import Testing

/// Compares ResponseParser with NIO's parser: the same on well-formed input, and never more lenient on the rest.
@Suite(.timeLimit(.minutes(10)))
struct ResponseParserDifferentialTests {
    /// A parsed response.
    struct Reading: Equatable {
        var status = 0
        var fields: [String] = []
        var body: [UInt8] = []
        var isWhole = false
    }

    /// Returns the response as NIO reads it; `nil` if NIO refuses it.
    static func theirs(_ bytes: [UInt8]) -> Reading? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        do {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)))
            let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
            try channel.writeOutbound(HTTPClientRequestPart.head(request))
            // Bytes behind the response cause a separate error, after the response was read.
            let fault = Result { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
            var reading = Reading()
            while !reading.isWhole, let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
                switch part {
                case .head(let head):
                    reading.status = Int(head.status.code)
                    // NIO keeps a tab at the end of a value, which RFC 9110 (5.5) removes.
                    reading.fields = head.headers.map { name, value in
                        "\(name.lowercased()): \(value.trimming { $0 == " " || $0 == "\t" })"
                    }
                case .body(let body): reading.body += body.readableBytesView
                case .end: reading.isWhole = true
                }
            }
            if !reading.isWhole { _ = try fault.get() }
            return reading
        } catch {
            return nil
        }
    }

    /// Returns the response as ResponseParser reads it in pieces of a size; `nil` if it refuses it.
    static func ours(_ bytes: [UInt8], piece: Int) -> Reading? {
        var parser = ResponseParser()
        parser.begin(isHead: false, limits: ResponseLimits())
        var reading = Reading()
        var buffer = ByteBuffer()
        var rest = bytes[...]
        do {
            while !rest.isEmpty, !reading.isWhole {
                buffer.writeBytes(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                while let event = try parser.next(&buffer) {
                    switch event {
                    case .head(let head):
                        reading.status = head.response.status.code
                        reading.fields = head.response.headerFields.map { "\($0.name.canonicalName): \($0.value)" }
                    case .body(let body): reading.body += body.readableBytesView
                    case .end: reading.isWhole = true
                    }
                }
            }
            return reading
        } catch {
            return nil
        }
    }

    @Test("Well-formed responses are read alike by both parsers, in pieces of any size", arguments: 0..<20)
    func wellFormed(round: Int) {
        var dice = SeededSplitMix(seed: UInt64(round))
        for _ in 0..<100 {
            let bytes = Self.response(&dice)
            let theirs = Self.theirs(bytes)
            #expect(theirs?.isWhole == true, "\(String(decoding: bytes, as: UTF8.self))")
            for piece in [1, 3, 17, bytes.count] {
                let ours = Self.ours(bytes, piece: piece)
                guard ours == theirs else { return Self.record(bytes, ours, theirs) }
            }
        }
    }

    @Test(
        "A repeated Content-Length is refused by NIO, and accepted by us if both are equal (RFC 9110, 8.6)",
        arguments: [
            ("5\r\nContent-Length: 5", true), ("5\r\nA: b\r\ncontent-length: 5", true), ("5, 5", true), ("5,5", true),
            ("5\r\nContent-Length: 6", false), ("5, 6", false),
        ]
    )
    func lengthTwice(_ length: String, isEqual: Bool) {
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello".utf8)
        #expect(Self.theirs(bytes) == nil)
        for piece in [1, 7, bytes.count] {
            #expect(Self.ours(bytes, piece: piece)?.body == (isEqual ? Array("hello".utf8) : nil))
        }
    }

    @Test("A damaged response that we read completely is read alike by NIO", arguments: 0..<40)
    func damaged(round: Int) {
        var dice = SeededSplitMix(seed: 1_000 + UInt64(round))
        for _ in 0..<250 {
            var bytes = Self.response(&dice)
            for _ in 0...dice.below(3) { Self.damage(&bytes, &dice) }
            guard let ours = Self.ours(bytes, piece: 1 + dice.below(bytes.count)), ours.isWhole else { continue }
            // RFC 9112 allows two things that NIO refuses: lines that end in LF (2.2), and a tab behind a length (5).
            let strict = Self.withCRLF(bytes)
            let theirs = Self.theirs(bytes) ?? strict.flatMap(Self.theirs)
            guard ours == theirs || ours == strict.flatMap(Self.theirs) || Self.isLenient(bytes) else {
                return Self.record(bytes, ours, theirs)
            }
        }
    }

    /// True if the bytes hold a form that RFC 9110 and 9112 make a client accept, and NIO refuses: a folded field,
    /// a control character in a value, a repeated length, a coding other than chunked, blanks around an extension.
    private static func isLenient(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        let end = lines.firstIndex(where: \.isEmpty) ?? lines.count
        let trailers = lines.lastIndex { $0.first == UInt8(ascii: "0") }.map { lines[($0 + 1)...] } ?? []
        let fields = Array(lines[..<end]) + Array(trailers)
        let names = fields.map { String(decoding: $0, as: UTF8.self).lowercased() }
        return fields.contains { line in
            line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
                || line.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
        }
            || names.count { $0.hasPrefix("content-length:") } > 1
            || names.contains {
                $0.hasPrefix("content-length:") && $0.contains(",")
                    || $0.hasPrefix("transfer-encoding:") && !$0.hasSuffix("chunked")
            }
            || lines[end...].contains { line in
                let rest = line.drop {
                    UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
                }
                return rest.count < line.count && rest.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            }
    }

    /// Records the first difference of a round; more would only hide it.
    private static func record(_ bytes: [UInt8], _ ours: Reading?, _ theirs: Reading?) {
        let text = String(reflecting: String(decoding: bytes, as: UTF8.self))
        Issue.record("\(text)\nours: \(ours?.fields ?? ["refused"])\ntheirs: \(theirs?.fields ?? ["refused"])")
    }

    /// Returns the bytes with all lines of the head ended by CR LF, without blanks before it; `nil` without a head.
    private static func withCRLF(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var line: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            while line.last == UInt8(ascii: "\t") || line.last == UInt8(ascii: " ") { line.removeLast() }
            result += line + [0x0D, 0x0A]
            if line.isEmpty { return result + bytes[(index + 1)...] }
            line = []
        }
        return nil
    }

    /// Returns a well-formed response with a Content-Length or in chunks.
    private static func response(_ dice: inout SeededSplitMix) -> [UInt8] {
        let body = (0..<dice.below(40)).map { _ in UInt8(dice.below(256)) }
        var head =
            "HTTP/1.1 \([200, 201, 404, 500, 299][dice.below(5)]) \(["OK", "", "Not so good"][dice.below(3)])\r\n"
        for number in 0..<dice.below(6) {
            head += "\(["Server", "X-A", "ETag", "x_\(number)", "Set-Cookie"][dice.below(5)]):"
            head += ["", " ", "  \t"][dice.below(3)] + ["a", "", "b; c=\"d, e\"", "1, 2"][dice.below(4)]
            head += ["", " ", "\t "][dice.below(3)] + "\r\n"
        }
        guard dice.below(2) == 0 else {
            head += "Content-Length: \(body.count)\r\n\r\n"
            return Array(head.utf8) + body
        }
        head += "Transfer-Encoding: chunked\r\n\r\n"
        var bytes = Array(head.utf8)
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(1 + dice.below(20))
            rest = rest.dropFirst(chunk.count)
            let size =
                dice.below(2) == 0 ? String(chunk.count, radix: 16) : String(chunk.count, radix: 16, uppercase: true)
            bytes += Array("\(size)\(["", ";a=b"][dice.below(2)])\r\n".utf8) + chunk + [0x0D, 0x0A]
        }
        return bytes + Array("0\r\n\(["", "X-T: 1\r\n"][dice.below(2)])\r\n".utf8)
    }

    /// Changes, drops, duplicates or inserts one byte, mostly one with a meaning in the syntax.
    private static func damage(_ bytes: inout [UInt8], _ dice: inout SeededSplitMix) {
        let meaningful = Array("\r\n\t :;,0123456789abcdefABCDEF+-_/HTP\0\u{7F}".utf8) + [0x80, 0xFF]
        let place = dice.below(bytes.count)
        let byte = meaningful[dice.below(meaningful.count)]
        switch dice.below(4) {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2 where bytes.count > 1: bytes.remove(at: place)
        default: bytes.insert(bytes[place], at: place)
        }
    }

    /// A random number generator that repeats its numbers for a seed (SplitMix64).
    struct SeededSplitMix {
        var state: UInt64
        init(seed: UInt64) { state = seed }

        mutating func below(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((bits ^ (bits >> 31)) % UInt64(limit))
        }
    }
}

extension String {
    /// Returns the text without the characters at its ends that satisfy a predicate.
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        var text = self[...]
        while let first = text.first, isTrimmed(first) { text.removeFirst() }
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
