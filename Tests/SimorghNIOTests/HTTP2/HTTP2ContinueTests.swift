// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Expect: 100-continue over HTTP/2", .timeLimit(.minutes(10)))
struct HTTP2ContinueTests {
    private static let bodies = [
        RequestBody.bytes(Data("hello".utf8), contentType: nil),
        RequestBody.bytes(Data(repeating: 0x61, count: 300_000), contentType: nil),
        RequestBody.stream(length: 5) {
            AsyncThrowingStream { stream in
                stream.yield(Data("hello".utf8))
                stream.finish()
            }
        },
    ]

    private static func request(
        _ path: String, _ body: Int, patience: Duration? = .seconds(3600)
    ) throws -> TransportRequest {
        try Peer.faultsInTheClear.request(.post, "/continue/\(path)", body: bodies[body]) {
            $0.continueTimeout = patience
        }
    }

    @Test("100 (Continue) releases the body", arguments: 0..<3)
    func asked(_ body: Int) async throws {
        let transport = NIOTransport.patient()
        for _ in 0..<2 {
            let response = try await transport.send(try Self.request("asked", body))
            #expect(response.text == "\(Self.bodies[body].length ?? 0) asked")
        }
        #expect(transport.statistics.dialed == 1)
    }

    @Test("Without an answer the body is sent after continueTimeout", arguments: 0..<3)
    func silent(_ body: Int) async throws {
        let response = try await NIOTransport().send(try Self.request("silent", body, patience: .milliseconds(20)))
        #expect(response.text == "\(Self.bodies[body].length ?? 0) asked")
    }

    @Test("A final response before 100 is delivered, and the connection stays open", arguments: 0..<3)
    func refused(_ body: Int) async throws {
        let transport = NIOTransport.patient()
        for _ in 0..<2 {
            let response = try await transport.send(try Self.request("refused", body))
            #expect(response.head.status == .unauthorized)
        }
        #expect(transport.statistics.dialed == 1)
    }

    @Test("417 (Expectation Failed) is followed by one retry without Expect", arguments: 0..<3)
    func unexpected(_ body: Int) async throws {
        let response = try await NIOTransport().send(try Self.request("unexpected", body))
        #expect(response.text == "\(Self.bodies[body].length ?? 0) unasked")
        #expect(response.attempts == 2)
    }

    @Test("The caller's own Expect field works as well; a request without a body never sends Expect")
    func field() async throws {
        let transport = NIOTransport.patient()
        var asking = try Self.request("asked", 0, patience: nil)
        asking.head.headerFields[.expect] = "100-continue"
        #expect(try await transport.send(asking).text == "5 asked")
        let empty = try Peer.faultsInTheClear.request(.post, "/continue/asked") { $0.continueTimeout = .seconds(3600) }
        #expect(try await transport.send(empty).text == "0 unasked")
    }

    @Test("Cancelling while waiting for 100 frees the stream, and the connection stays usable")
    func cancelled() async throws {
        let transport = NIOTransport.patient()
        let request = try Self.request("silent", 1)
        let task = Task { try await transport.send(request) }
        try await eventually { transport.statistics.leased == 1 }
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.code == .cancelled)
        try await eventually { transport.statistics.leased == 0 }
        #expect(try await transport.send(try Peer.faultsInTheClear.request(.get, "/ok")).text == "ok")
        #expect(transport.statistics.dialed == 1)
    }

    @Test("nginx, which never sends 100 over HTTP/2, receives the body after continueTimeout")
    func nginx() async throws {
        let request = try Peer.nginx.request(.post, "/echo", body: .bytes(Data("hello".utf8), contentType: nil)) {
            $0.continueTimeout = .milliseconds(20)
        }
        #expect(try await NIOTransport().send(request).text.hasPrefix("POST 5"))
    }
}
