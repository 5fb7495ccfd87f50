// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Request body uploads", .timeLimit(.minutes(10)))
struct UploadTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private static func chunks(_ texts: [String]) -> @Sendable () -> AsyncThrowingStream<Data, any Error> {
        {
            AsyncThrowingStream { stream in
                for text in texts { stream.yield(Data(text.utf8)) }
                stream.finish()
            }
        }
    }

    @Test("A stream is sent chunked, and the connection is kept")
    func chunked() async throws {
        let server = try await RawServer.answering(Self.ok)
        let transport = NIOTransport()
        for _ in 0..<3 {
            let body = RequestBody.stream(Self.chunks(["hello", "", "wonderful", "world"]))
            _ = try await transport.send(.to(server, .post, body: body))
        }
        #expect(
            server.requests.allSatisfy {
                $0.text.hasSuffix("\r\n\r\n5\r\nhello\r\n9\r\nwonderful\r\n5\r\nworld\r\n0\r\n\r\n")
            })
        #expect(server.accepted == 1)
    }

    @Test("A stream of known length is sent without chunked coding")
    func known() async throws {
        let server = try await RawServer.answering(Self.ok)
        let body = RequestBody.stream(length: 10, Self.chunks(["hello", "world"]))
        _ = try await NIOTransport().send(.to(server, .post, body: body))
        #expect(server.requests.first?.text.hasSuffix("\r\n\r\nhelloworld") == true)
    }

    @Test(
        "A body shorter or longer than its length is an error, and the connection is closed",
        arguments: [4, 6] as [Int64])
    func promise(_ length: Int64) async throws {
        let server = try await RawServer { _ in [] }
        let transport = NIOTransport()
        let body = RequestBody.stream(length: length, Self.chunks(["he", "llo"]))
        let error = await failure { try await transport.send(.to(server, .post, body: body)) }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(transport.statistics.open == 0)
    }

    @Test("A body source that throws is an error with its cause")
    func broken() async throws {
        struct Broken: Error {}
        let server = try await RawServer { _ in [] }
        let body = RequestBody.stream {
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("hello".utf8))
                stream.finish(throwing: Broken())
            }
        }
        let error = await failure { try await NIOTransport().send(.to(server, .post, body: body)) }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(error?.underlying is Broken)
    }

    @Test(
        "An in-memory body larger than any buffer arrives whole",
        arguments: [32 * 1024, 32 * 1024 + 1, 3_000_000])
    func large(_ size: Int) async throws {
        let server = try await RawServer(answersAtHead: false) { request in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Size: \(request.text.unicodeScalars.count)\r\n\r\n")]
        }
        let response = try await NIOTransport().send(
            .to(server, .put, body: .bytes(Data(repeating: 0xE9, count: size), contentType: nil)))
        let text = try #require(server.requests.first?.text)
        #expect(text.unicodeScalars.suffix(size).allSatisfy { $0.value == 0xE9 })
        #expect(response.head.status == .ok)
    }

    @Test("An early error response is delivered, the upload stops, and the connection is not reused")
    func early() async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig", answersAtHead: true)
        let transport = NIOTransport()
        let body = RequestBody.stream {
            AsyncThrowingStream<Data, any Error>(unfolding: {
                try Task.checkCancellation()
                await Task.yield()
                return Data(count: 1024)
            })
        }
        let response = try await transport.send(.to(server, .post, body: body))
        #expect(response.head.status == .contentTooLarge)
        #expect(response.body.collectedBytes == Data("big".utf8))
        #expect(transport.statistics.idle == 0)
    }

    @Test("A response to the head is delivered before a 200 MB in-memory body was sent")
    func earlyBytes() async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig", answersAtHead: true)
        let transport = NIOTransport()
        let body = RequestBody.bytes(Data(count: 200_000_000))
        let response = try await transport.send(.to(server, .post, body: body))
        #expect(response.head.status == .contentTooLarge)
    }

    @Test("A file is sent in chunks with its Content-Length")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "simorgh-\(UUID()).bin").path()
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try await RawServer.answering(Self.ok)
        _ = try await NIOTransport().send(.to(server, .put, body: .file(path)))
        let text = try #require(server.requests.first?.text)
        #expect(text.contains("\r\nContent-Length: 300000\r\n"))
        #expect(text.unicodeScalars.suffix(300_000).map { UInt8($0.value) } == Array(bytes))
    }
}
