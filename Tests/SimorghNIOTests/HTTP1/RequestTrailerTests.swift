// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Request trailers", .timeLimit(.minutes(5)))
struct RequestTrailerTests {
    enum Kind: CaseIterable, Sendable {
        case empty, small, large, chunks, knownChunks, compressed

        var body: RequestBody {
            let chunks: @Sendable () -> AsyncThrowingStream<Data, any Error> = {
                AsyncThrowingStream { stream in
                    stream.yield(Data("hello".utf8))
                    stream.yield(Data("world".utf8))
                    stream.finish()
                }
            }
            return switch self {
            case .empty: .empty
            case .small: .bytes(Data("helloworld".utf8))
            case .large: .bytes(Data(repeating: 0x61, count: 1_000_000))
            case .chunks: .stream(chunks)
            case .knownChunks: .stream(length: 10, chunks)
            case .compressed: .text("helloworld").compressed(.gzip)
            }
        }
    }

    private static func trailed(_ kind: Kind) throws -> RequestBody {
        try kind.body.withTrailers(["X-Digest", "X-Left-Out"]) { ["X-Digest": "abc"] }
    }

    @Test("HTTP/1.1: trailers follow the last chunk, and the connection is kept", arguments: Kind.allCases)
    func http1(_ kind: Kind) async throws {
        // The server echoes the body and its trailers.
        let server = try await EchoServer()
        let transport = NIOTransport()
        let response = try await transport.send(
            TransportRequest(
                head: HTTPRequest(method: .post, scheme: "http", authority: server.authority, path: "/"),
                body: try Self.trailed(kind)))
        #expect(response.trailers[HTTPField.Name("X-Digest")!] == "abc")
        #expect(response.trailers.count == 1)
        if kind != .compressed { #expect(response.body.collectedBytes?.count == (try Self.length(kind))) }
    }

    private static func length(_ kind: Kind) throws -> Int {
        switch kind {
        case .empty: 0
        case .large: 1_000_000
        case .small, .chunks, .knownChunks, .compressed: 10
        }
    }

    @Test("Trailers are announced in the head, which has no Content-Length")
    func announced() async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", answersAtHead: true)
        _ = try await NIOTransport().send(.to(server, .post, body: try Self.trailed(.small)))
        let head = try #require(server.requests.first?.text)
        #expect(head.contains("\r\nTrailer: X-Digest, X-Left-Out\r\n"))
        #expect(head.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(!head.contains("Content-Length"))
    }

    @Test("HTTP/2: trailers end the stream", arguments: [Peer.faults, .faultsInTheClear], Kind.allCases)
    func http2(_ peer: Peer, _ kind: Kind) async throws {
        let transport = NIOTransport()
        for _ in 0..<3 {
            let response = try await transport.send(try peer.request(.post, "/told", body: try Self.trailed(kind)))
            let told = try JSONDecoder().decode([String: String].self, from: try #require(response.body.collectedBytes))
            #expect(told["x-digest"] == "abc")
            #expect(told["trailer"] == "X-Digest, X-Left-Out")
            #expect(told["x-left-out"] == nil)
        }
    }

    @Test(
        "Trailer names that affect framing or routing, or are credentials, are refused",
        arguments: [
            "Content-Length", "transfer-encoding", "Host", "Authorization", "Cookie", "Trailer", "If-Match", "TE",
            "Content-Type", "a b", "",
        ])
    func forbidden(_ name: String) {
        #expect(throws: InvalidRequestError.self) { try RequestBody.text("a").withTrailers([name]) { [:] } }
    }

    @Test(
        "A trailer that was not announced or is malformed fails the request",
        arguments: [["X-Other": "a"], ["X-Digest": "a\r\nX-Other: b"]])
    func wrong(_ fields: [String: String]) async throws {
        let server = try await RawServer { _ in [] }
        let body = try RequestBody.text("a").withTrailers(["X-Digest"]) { fields }
        let error = await failure { try await NIOTransport().send(.to(server, .post, body: body)) }
        #expect(error?.code == .requestBodyStreamExhausted)
        let overHTTP2 = await failure {
            try await NIOTransport().send(try Peer.faultsInTheClear.request(.post, "/told", body: body))
        }
        #expect(overHTTP2?.code == .requestBodyStreamExhausted)
    }
}
