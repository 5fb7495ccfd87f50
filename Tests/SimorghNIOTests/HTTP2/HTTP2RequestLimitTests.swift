// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Limits of a request over HTTP/2: the peer's advice, and timeouts.
@Suite("HTTP/2: request limits", .timeLimit(.minutes(5)))
struct HTTP2RequestLimitTests {
    /// A 200 response on the first stream, without a body.
    private static let answer: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]

    private static func request(_ server: RawServer, _ change: (inout TransportRequest) -> Void) -> TransportRequest {
        TransportRequest.get(server).with {
            $0.options.httpVersion = .http2PriorKnowledge
            change(&$0)
        }
    }

    @Test("Fields above SETTINGS_MAX_HEADER_LIST_SIZE are not sent, and the connection stays usable")
    func fields() async throws {
        // SETTINGS_MAX_HEADER_LIST_SIZE is 1000.
        let server = try await RawServer(greeting: [.bytes([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 6, 0, 0, 3, 0xE8])]) {
            $0.number == 1 ? [.bytes(Self.answer)] : []
        }
        let transport = NIOTransport.patient()
        let small = Self.request(server) { _ in }
        #expect(try await transport.send(small).head.status == 200)
        let name = try #require(HTTPField.Name("x-feather"))
        let large = Self.request(server) { $0.head.headerFields[name] = String(repeating: "f", count: 1000) }
        for _ in 0..<2 {
            let error = try #require(await failure { try await transport.send(large) })
            #expect(error.code == .dataLengthExceedsMaximum)
            #expect(error.phase == .request)
            #expect(!error.requestMayHaveBeenSent)
            let cause = try #require(error.underlying as? RequestFieldsTooLargeError)
            #expect(cause.limit == 1000 && cause.size > 1000 && cause.size < 1500)
        }
        #expect(transport.statistics.idle == 1)
        #expect(server.accepted == 1)
    }

    @Test("An upload whose end is blocked by a full socket times out")
    func endBehindFullSocket() async throws {
        // The largest possible windows, and a server that reads nothing.
        let server = try await RawServer(
            greeting: [
                .bytes([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF]),
                .bytes([0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0, 0]), .stopReading,
            ]
        ) { _ in [] }
        var configuration = NIOTransport.Configuration()
        // The server's silence must not end the connection, however long this takes.
        configuration.pingInterval = nil
        // Both requests must share a socket, even if the second one starts before the first has dialed.
        configuration.maximumConnectionsPerHost = 1
        let transport = NIOTransport(configuration: configuration)
        let (source, chunks) = AsyncThrowingStream<Data, any Error>.makeStream()
        let slow = Self.request(server) {
            $0.head.method = .post
            $0.body = .once(source)
            $0.options.timeouts.total = nil
            // If the socket is not full after all, the test fails instead of waiting forever.
            $0.options.timeouts.head = .seconds(60)
            $0.options.timeouts.idle = .milliseconds(300)
        }
        let first = Task { await failure { try await transport.send(slow) } }
        let large = Self.request(server) {
            $0.head.method = .post
            $0.body = .bytes(Data(count: 64_000_000))
            $0.options.timeouts.total = nil
            // On a busy machine the server's windows may arrive late, and little is sent until then.
            $0.options.timeouts.idle = .seconds(5)
        }
        let second = await failure { try await transport.send(large) }
        #expect(second?.code == .timedOut)
        #expect(second?.phase == .request)
        // The socket is still full.
        chunks.finish()
        let error = await first.value
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .request)
    }
}
