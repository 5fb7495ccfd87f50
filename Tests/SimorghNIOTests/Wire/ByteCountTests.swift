// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("How many bytes an exchange moved, and how often it was sent", .timeLimit(.minutes(5)))
struct ByteCountTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("Every byte of both messages is counted over HTTP/1.1", arguments: [0, 10, 100_000])
    func http1(_ size: Int) async throws {
        let server = try await RawServer.answering(Self.ok)
        let transport = NIOTransport()
        for _ in 0..<2 {
            let body = RequestBody.bytes(Data(repeating: 0x61, count: size))
            let response = try await transport.send(.to(server, .post, body: body))
            #expect(response.timings.receivedBytes == Int64(Self.ok.utf8.count))
            #expect(response.timings.sentBytes == Int64(server.requests.last?.text.unicodeScalars.count ?? 0))
            #expect(response.timings.rides == 1)
        }
    }

    @Test("Chunks are counted as they are on the wire")
    func chunked() async throws {
        let server = try await RawServer.answering(Self.ok)
        let body = RequestBody.stream {
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data(count: 300_000))
                stream.yield(Data(count: 5))
                stream.finish()
            }
        }
        let response = try await NIOTransport().send(.to(server, .post, body: body))
        #expect(response.timings.sentBytes == Int64(server.requests.last?.text.unicodeScalars.count ?? 0))
    }

    @Test("Over HTTP/2 both bodies are counted with their heads")
    func http2() async throws {
        let request = try Peer.faultsInTheClear.request(.post, "/echo", body: .bytes(Data(count: 50_000)))
        let response = try await NIOTransport().send(request)
        #expect((50_000...51_000).contains(response.timings.sentBytes))
        #expect((10...200).contains(response.timings.receivedBytes))
    }

    @Test("A failure tells its connection, its times and its bytes")
    func failed() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", closing: true)
        let error = try #require(await failure { try await NIOTransport().send(.get(server)) })
        #expect(error.connection?.remoteAddress == server.authority)
        #expect(error.timings?.receivedBytes == 40)
        #expect(error.timings?.connect != nil)
        #expect(error.timings?.total != nil)
        let overHTTP2 = try #require(
            await failure { try await NIOTransport().send(try Peer.faultsInTheClear.request(.get, "/reset/head/2")) })
        #expect(overHTTP2.connection?.applicationProtocol.hasPrefix("h2") == true)
        #expect(overHTTP2.timings?.sentBytes ?? 0 > 0)
    }

    @Test("What the transport sends again by itself is told")
    func rides() async throws {
        let server = try await RawServer { $0.number == 0 ? [.send(Self.ok)] : [.close] }
        let transport = NIOTransport()
        #expect(try await transport.send(.get(server)).timings.rides == 1)
        #expect(try await transport.send(.get(server)).timings.rides == 2)
    }
}
