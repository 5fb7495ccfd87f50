// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Expect: 100-continue", .timeLimit(.minutes(10)))
struct ContinueTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let bodies = [
        RequestBody.bytes(Data("hello".utf8), contentType: nil),
        RequestBody.bytes(Data(repeating: 0x61, count: 100_000), contentType: nil),
        RequestBody.stream(length: 5) {
            AsyncThrowingStream { stream in
                stream.yield(Data("hello".utf8))
                stream.finish()
            }
        },
    ]

    private static func request(
        _ server: RawServer, _ body: RequestBody, patience: Duration? = .seconds(3600)
    ) -> TransportRequest {
        .to(server, .post, body: body).with { $0.options.continueTimeout = patience }
    }

    @Test("100 (Continue) releases the body, and the connection is kept", arguments: 0..<3)
    func asked(_ body: Int) async throws {
        let server = try await RawServer(interim: [.send("HTTP/1.1 100 Continue\r\n\r\n")]) { _ in [.send(Self.ok)] }
        let transport = NIOTransport()
        for _ in 0..<2 {
            let response = try await transport.send(Self.request(server, Self.bodies[body]))
            #expect(response.head.status == .ok)
        }
        #expect(server.accepted == 1)
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.text.contains("\r\nExpect: 100-continue\r\n") })
        let count = Int(Self.bodies[body].length ?? 0)
        #expect(server.requests.allSatisfy { $0.text.contains("Content-Length: \(count)\r\n") })
    }

    @Test("Without an answer the body is sent after continueTimeout", arguments: 0..<3)
    func silent(_ body: Int) async throws {
        let server = try await RawServer.answering(Self.ok)
        let request = Self.request(server, Self.bodies[body], patience: .milliseconds(20))
        #expect(try await NIOTransport().send(request).head.status == .ok)
        #expect(server.requests.count == 1)
    }

    @Test(
        "A final response before 100 is delivered, no body byte is sent, and the connection is closed",
        arguments: 0..<3)
    func refused(_ body: Int) async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", answersAtHead: true)
        let transport = NIOTransport()
        let response = try await transport.send(Self.request(server, Self.bodies[body]))
        #expect(response.head.status == .unauthorized)
        #expect(transport.statistics.open == 0)
        #expect(server.requests.first?.text.hasSuffix("\r\n\r\n") == true)
    }

    @Test("417 (Expectation Failed) is followed by one retry without Expect", arguments: 0..<3)
    func unexpected(_ body: Int) async throws {
        let server = try await RawServer(answersAtHead: true) { request in
            request.text.contains("Expect")
                ? [.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")] : [.send(Self.ok)]
        }
        let response = try await NIOTransport().send(Self.request(server, Self.bodies[body]))
        #expect(response.head.status == .ok)
        #expect(response.attempts == 2)
        #expect(server.requests.count == 2)
    }

    @Test("The caller's own Expect field works as well; a request without a body never sends Expect")
    func field() async throws {
        let server = try await RawServer(interim: [.send("HTTP/1.1 100 Continue\r\n\r\n")]) { _ in [.send(Self.ok)] }
        let transport = NIOTransport()
        let asking = Self.request(server, Self.bodies[0], patience: nil).with {
            $0.head.headerFields[.expect] = "100-continue"
        }
        _ = try await transport.send(asking)
        #expect(server.requests.first?.text.contains("\r\nExpect: 100-continue\r\n") == true)
        let empty = TransportRequest.get(server).with { $0.options.continueTimeout = .seconds(1) }
        _ = try await transport.send(empty)
        #expect(server.requests.last?.text.contains("Expect") == false)
    }

    @Test("Cancelling while waiting for 100 releases the connection")
    func cancelled() async throws {
        let server = try await RawServer { _ in [] }
        let transport = NIOTransport()
        let request = Self.request(server, Self.bodies[1])
        let task = Task { try await transport.send(request) }
        try await eventually { transport.statistics.leased == 1 }
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.code == .cancelled)
        try await eventually { transport.statistics.open == 0 }
    }
}
