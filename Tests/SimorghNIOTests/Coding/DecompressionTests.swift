// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib
import Foundation
import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Response body decompression", .timeLimit(.minutes(10)))
struct DecompressionTests {
    /// Returns the bytes in a zlib format: 31 for gzip, 15 for zlib, -15 for raw deflate.
    static func deflated(_ bytes: [UInt8], windowBits: CInt) -> [UInt8] {
        var stream = z_stream()
        guard simorgh_deflate_init(&stream, windowBits) == Z_OK else { return [] }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))) + 32)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(count))
    }

    static let text = Array(String(repeating: "the quick brown fox ", count: 500).utf8)

    private static func server(_ body: [UInt8], coding: String) async throws -> RawServer {
        try await RawServer { _ in
            [
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\nETag: \"a\"\r\n\r\n"
                ),
                .bytes(body),
            ]
        }
    }

    static let proper: [(String, [UInt8])] = [
        ("gzip", deflated(text, windowBits: 31)),
        ("x-gzip", deflated(text, windowBits: 31)),
        ("GZip", deflated(text, windowBits: 31)),
        ("deflate", deflated(text, windowBits: 15)),
        ("deflate", deflated(text, windowBits: -15)),
        ("identity, gzip", deflated(text, windowBits: 31)),
        ("gzip, none", deflated(text, windowBits: 31)),
        ("none,GZIP ,Identity", deflated(text, windowBits: 31)),
        ("utf-8, gzip, binary, 8bit", deflated(text, windowBits: 31)),
        ("gzip, deflate", deflated(deflated(text, windowBits: 31), windowBits: 15)),
        (
            "gzip",
            deflated(Array(text.prefix(100)), windowBits: 31) + deflated(Array(text.dropFirst(100)), windowBits: 31)
        ),
    ]

    @Test(
        "A compressed body is decoded to the original bytes, collected and streamed",
        arguments: 0..<proper.count, [true, false])
    func good(_ index: Int, streams: Bool) async throws {
        let (coding, body) = Self.proper[index]
        let server = try await Self.server(body, coding: coding)
        let transport = NIOTransport()
        for _ in 0..<2 {
            let response = try await transport.send(
                .get(server).with { if streams { $0.options.delivery = .streamed } })
            #expect(try await response.body.collect(upTo: 1_000_000) == Data(Self.text))
            #expect(response.head.headerFields[.contentEncoding] == nil)
            #expect(response.head.headerFields[.contentLength] == nil)
            #expect(response.head.headerFields[.eTag] == "\"a\"")
        }
        #expect(server.accepted == 1)
        #expect(server.requests.first?.text.contains("\r\nAccept-Encoding: \(KnownCoding.accepted)\r\n") == true)
    }

    @Test("The body stays encoded if the caller set Accept-Encoding, decompression is off, or the coding is unknown")
    func raw() async throws {
        let body = Self.deflated(Self.text, windowBits: 31)
        let server = try await Self.server(body, coding: "gzip")
        let transport = NIOTransport()
        var own = TransportRequest.get(server)
        own.head.headerFields[.acceptEncoding] = "gzip"
        var off = TransportRequest.get(server)
        off.options.decompresses = false
        for request in [own, off] {
            let response = try await transport.send(request)
            #expect(response.body.collectedBytes == Data(body))
            #expect(response.head.headerFields[.contentEncoding] == "gzip")
        }
        // Without another coding, `aws-chunked` is only a leftover of the S3 upload framing.
        for coding in ["compress", "none", "identity", "aws-chunked", "compress, aws-chunked"] {
            let other = try await Self.server([1, 2, 3], coding: coding)
            let response = try await transport.send(.get(other))
            #expect(response.body.collectedBytes == Data([1, 2, 3]))
            #expect(response.head.headerFields[.contentEncoding] == coding)
        }
    }

    @Test(
        "An unknown coding around a known one fails and the error names it, collected and streamed",
        arguments: [
            ("gzip, aws-chunked", "aws-chunked"), ("gzip, none, x-secret", "x-secret"),
            ("deflate, compress", "compress"),
        ], [true, false])
    func unknownOutside(_ example: (coding: String, name: String), streams: Bool) async throws {
        let server = try await Self.server(Self.gzipped, coding: example.coding)
        let error = await failure {
            let request = TransportRequest.get(server).with { if streams { $0.options.delivery = .streamed } }
            for try await _ in try await NIOTransport().send(request).body {}
        }
        #expect(error?.code == .cannotDecodeContentData)
        #expect(error?.message.contains(example.name) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Known codings around an unknown one are decoded, and Content-Encoding keeps the unknown one",
        arguments: [true, false])
    func unknownInside(streams: Bool) async throws {
        let server = try await Self.server(Self.gzipped, coding: "aws-chunked, none, gzip")
        let response = try await NIOTransport().send(
            .get(server).with { if streams { $0.options.delivery = .streamed } })
        #expect(try await response.body.collect(upTo: 1_000_000) == Data(Self.text))
        #expect(response.head.headerFields[.contentEncoding] == "aws-chunked")
        #expect(response.head.headerFields[.contentLength] == nil)
    }

    @Test(
        "An empty body stays empty, and a response without a body is not decoded",
        arguments: [
            (HTTPRequest.Method.get, "200 OK\r\nContent-Length: 0"), (.head, "200 OK\r\nContent-Length: 70"),
            (.get, "204 No Content"), (.get, "304 Not Modified"),
        ])
    func empty(_ method: HTTPRequest.Method, _ status: String) async throws {
        let server = try await RawServer.answering("HTTP/1.1 \(status)\r\nContent-Encoding: gzip\r\n\r\n")
        let response = try await NIOTransport().send(.to(server, method))
        #expect(response.body.collectedBytes == Data())
        #expect(
            response.head.headerFields[.contentEncoding] == (status.hasPrefix("200") && method == .get ? nil : "gzip"))
    }

    static let gzipped = deflated(text, windowBits: 31)
    static let broken: [(String, String, [UInt8])] = [
        ("garbage", "gzip", Array("hello, this is not gzip at all".utf8)),
        ("garbage", "deflate", Array(repeating: 0xFF, count: 100)),
        ("cut off", "gzip", Array(gzipped.dropLast(9))),
        ("without its trailer", "gzip", Array(gzipped.dropLast(8))),
        ("without its last byte", "gzip", Array(gzipped.dropLast(1))),
        ("zeros behind it", "gzip", gzipped + [0, 0, 0]),
        ("a line break behind it", "gzip", gzipped + [10]),
        ("one byte", "gzip", [0x1F]),
        ("a wrong checksum", "gzip", Array(gzipped.dropLast(8)) + [1, 2, 3, 4] + Array(gzipped.suffix(4))),
        ("garbage behind it", "gzip", gzipped + Array("garbage".utf8)),
        ("garbage behind it", "deflate", deflated(text, windowBits: 15) + [1, 2, 3]),
        ("three layers", "gzip, gzip, gzip", gzipped),
        ("one layer where two were promised", "gzip, gzip", gzipped),
        ("a bomb", "gzip", deflated([UInt8](repeating: 0, count: 20_000_000), windowBits: 31)),
        (
            "a bomb in a bomb", "gzip, gzip",
            deflated(deflated([UInt8](repeating: 0, count: 200_000_000), windowBits: 31), windowBits: 31)
        ),
    ]

    @Test(
        "A body that cannot be decompressed is an error, collected and streamed",
        arguments: 0..<broken.count, [true, false])
    func bad(_ index: Int, streams: Bool) async throws {
        let (name, coding, body) = Self.broken[index]
        let server = try await Self.server(body, coding: coding)
        let error = await failure {
            let request = TransportRequest.get(server).with { if streams { $0.options.delivery = .streamed } }
            let response = try await NIOTransport().send(request)
            for try await _ in response.body {}
        }
        // The body has its full declared length, so the server produced it like that, and a retry would not help.
        #expect(error?.code == .cannotDecodeContentData, "\(name)")
        #expect(error?.phase == .body)
    }

    @Test(
        "Truncated coding: networkConnectionLost if the body ends with the connection, else cannotDecodeContentData",
        arguments: [8, 9, 100, 10_000], [true, false])
    func cutOff(missing: Int, streams: Bool) async throws {
        let body = Array(Self.gzipped.dropLast(min(missing, Self.gzipped.count - 1)))
        let framings: [(String, [RawServer.Step], TransportError.Code)] = [
            ("Connection: close\r\n", [.bytes(body), .close], .networkConnectionLost),
            (
                "Transfer-Encoding: chunked\r\n",
                [.send(String(body.count, radix: 16) + "\r\n"), .bytes(body), .send("\r\n0\r\n\r\n")],
                .cannotDecodeContentData
            ),
            ("Content-Length: \(body.count)\r\n", [.bytes(body)], .cannotDecodeContentData),
        ]
        for (field, steps, code) in framings {
            let server = try await RawServer { _ in
                [.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(field)\r\n")] + steps
            }
            let error = await failure {
                let request = TransportRequest.get(server).with { if streams { $0.options.delivery = .streamed } }
                for try await _ in try await NIOTransport().send(request).body {}
            }
            #expect(error?.code == code, "\(field)")
        }
    }

    @Test("The limit of a collected body applies to the decompressed bytes, and an allowed ratio passes")
    func bound() async throws {
        let zeros = Self.deflated([UInt8](repeating: 0, count: 900_000), windowBits: 31)
        let server = try await Self.server(zeros, coding: "gzip")
        let transport = NIOTransport()
        #expect(try await transport.send(.get(server)).body.collectedBytes?.count == 900_000)
        let error = await failure {
            try await transport.send(.get(server).with { $0.options.delivery = .collected(upTo: 899_999) })
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test(
        "Feeding single bytes of input produces the same output",
        arguments: [
            (ZlibDecompressor.Format.gzip, CInt(31)), (.deflate, 15), (.deflate, -15),
        ])
    func singleBytes(_ format: ZlibDecompressor.Format, _ windowBits: CInt) throws {
        let inflater = ZlibDecompressor(format)
        var output: [UInt8] = []
        for byte in Self.deflated(Self.text, windowBits: windowBits) {
            inflater.feed(ByteBuffer(bytes: [byte]))
            while let piece = try inflater.next(upTo: 7) { output += Array(buffer: piece) }
        }
        try inflater.finish()
        #expect(output == Self.text)
    }

    @Test("Random input never traps", arguments: 1...50 as ClosedRange<UInt64>)
    func fuzz(_ seed: UInt64) throws {
        var random = SeededNumbers(seed)
        var input = Self.deflated(Self.text, windowBits: [31, 15, -15].randomElement(using: &random) ?? 31)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            input[Int.random(in: 0..<input.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let inflater = ZlibDecompressor(Bool.random(using: &random) ? .gzip : .deflate)
        var given = 0
        do {
            inflater.feed(ByteBuffer(bytes: input))
            while let piece = try inflater.next() { given += piece.readableBytes }
            try inflater.finish()
        } catch {
            #expect(!error.description.isEmpty)
        }
        #expect(given < 10_000_000)
    }
}
