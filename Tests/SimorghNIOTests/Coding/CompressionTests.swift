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

@Suite("Request body compression", .timeLimit(.minutes(10)))
struct CompressionTests {
    private static let text = Data(String(repeating: "the quick brown fox ", count: 500).utf8)

    private struct Sent {
        let head: String
        let body: [UInt8]

        init(_ request: RawServer.Request) throws {
            let end = try #require(request.text.firstRange(of: "\r\n\r\n"))
            head = String(request.text[..<end.lowerBound])
            let raw = request.text[end.upperBound...].unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            body = head.contains("Transfer-Encoding: chunked") ? Self.joined(raw) : raw
        }

        /// Returns the body's chunks, joined, without their size lines.
        private static func joined(_ raw: [UInt8]) -> [UInt8] {
            var (rest, joined) = (raw[...], [UInt8]())
            while let end = rest.firstIndex(of: 0x0D),
                let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0
            {
                let start = end + 2
                joined += rest[start..<(start + size)]
                rest = rest[(start + size + 2)...]
            }
            return joined
        }
    }

    private static func inflated(_ bytes: [UInt8], _ coding: RequestBody.Coding) throws -> Data {
        let inflater = ZlibDecompressor(coding == .gzip ? .gzip : .deflate)
        inflater.feed(ByteBuffer(bytes: bytes))
        var whole = Data()
        while let piece = try inflater.next() { whole.append(contentsOf: piece.readableBytesView) }
        try inflater.finish()
        return whole
    }

    private static func server() async throws -> RawServer {
        try await .answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test(
        "An in-memory body is compressed up front and sent with Content-Encoding and Content-Length",
        arguments: RequestBody.Coding.allCases)
    func memory(coding: RequestBody.Coding) async throws {
        let server = try await Self.server()
        let body = RequestBody.bytes(Self.text, contentType: "text/plain").compressed(coding).compressed(coding)
        #expect(body.length == Int64(Self.text.count))
        let transport = NIOTransport()
        for _ in 0..<2 { _ = try await transport.send(.to(server, .post, body: body)) }
        #expect(server.requests.count == 2)
        for request in server.requests {
            let sent = try Sent(request)
            #expect(
                sent.head.split(separator: "\r\n").filter { $0.hasPrefix("Content-Encoding: ") } == [
                    "Content-Encoding: \(coding.rawValue)"
                ])
            #expect(sent.head.contains("\r\nContent-Length: \(sent.body.count)"))
            #expect(sent.head.contains("\r\nContent-Type: text/plain"))
            #expect(sent.body.count < Self.text.count / 10)
            #expect(try Self.inflated(sent.body, coding) == Self.text)
        }
    }

    @Test(
        "A large in-memory, file or stream body is compressed while it is sent, chunked", arguments: 0..<3,
        RequestBody.Coding.allCases)
    func chunks(kind: Int, coding: RequestBody.Coding) async throws {
        let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) })
        let file = FileManager.default.temporaryDirectory.appending(path: "simorgh-\(UUID())")
        try large.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let body: RequestBody =
            switch kind {
            case 0: .bytes(large)
            case 1: try .file(file.path)
            default:
                .stream {
                    AsyncThrowingStream<Data, any Error> { stream in
                        for start in Swift.stride(from: 0, to: large.count, by: 70_000) {
                            stream.yield(large[start..<min(large.count, start + 70_000)])
                        }
                        stream.finish()
                    }
                }
            }
        let server = try await Self.server()
        _ = try await NIOTransport().send(.to(server, .put, body: body.compressed(coding)))
        let sent = try Sent(try #require(server.requests.first))
        #expect(sent.head.contains("\r\nTransfer-Encoding: chunked"))
        #expect(!sent.head.contains("Content-Length"))
        #expect(try Self.inflated(sent.body, coding) == large)
        #expect(sent.body.count < large.count / 4)
    }

    @Test("A live stream: each piece is flushed before the next one arrives")
    func live() async throws {
        let (pieces, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        let body = RequestBody.once(pieces).compressed()
        let request = TransportRequest(
            head: HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/"), body: body)
        var iterator = try request.withCodedBody().body.makeChunks()
        source.yield(Data("first".utf8))
        let inflater = ZlibDecompressor(.gzip)
        inflater.feed(ByteBuffer(bytes: try #require(try await iterator.next(isolation: nil))))
        #expect(try inflater.next().map { String(buffer: $0) } == "first")
        source.finish()
        inflater.feed(ByteBuffer(bytes: try #require(try await iterator.next(isolation: nil))))
        #expect(try inflater.next() == nil)
        try inflater.finish()
        #expect(try await iterator.next(isolation: nil) == nil)
    }

    @Test("A replayable compressed body is resent whole on a new connection")
    func replayed() async throws {
        let answered = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try await RawServer { request in
            request.connection == 0 && request.number == 1 ? [.close] : [answered]
        }
        let transport = NIOTransport()
        let body = RequestBody.stream {
            AsyncThrowingStream<Data, any Error> {
                $0.yield(Self.text); $0.finish()
            }
        }.compressed()
        for _ in 0..<2 { _ = try await transport.send(.to(server, .put, body: body)) }
        #expect(server.requests.count == 3)
        for request in server.requests { #expect(try Self.inflated(Sent(request).body, .gzip) == Self.text) }
    }

    @Test("An empty body is sent without Content-Encoding")
    func nothing() async throws {
        let server = try await Self.server()
        let transport = NIOTransport()
        _ = try await transport.send(.to(server, .post, body: .bytes(Data()).compressed()))
        _ = try await transport.send(.to(server, .get, body: .empty.compressed()))
        for request in server.requests { #expect(!request.text.contains("Content-Encoding")) }
    }

    @Test("A compressed body with its own Content-Encoding or Content-Length is rejected")
    func contradictions() async throws {
        let server = try await Self.server()
        for field in [HTTPField.Name.contentEncoding, .contentLength] {
            let request = TransportRequest.to(server, .post, body: .bytes(Self.text).compressed())
                .with { $0.head.headerFields[field] = field == .contentLength ? "10000" : "gzip" }
            let error = await failure { try await NIOTransport().send(request) }
            #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
        }
        #expect(server.requests.isEmpty)
    }
}
