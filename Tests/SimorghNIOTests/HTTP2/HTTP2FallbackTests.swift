// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("HTTP/2: fallback to HTTP/1.1 (HTTP_1_1_REQUIRED)", .timeLimit(.minutes(10)))
struct HTTP2FallbackTests {
    @Test(
        "HTTP_1_1_REQUIRED: the request is resent over HTTP/1.1, and later ones use it at once",
        arguments: ["reset", "goaway"])
    func fallsBack(how: String) async throws {
        let transport = NIOTransport.patient()
        for turn in 0..<3 {
            let response = try await transport.send(try Peer.faults.request(.get, "/http1/\(how)"))
            #expect(response.text == "over http1.1")
            #expect(response.attempts == (turn == 0 ? 2 : 1))
            #expect(response.connection?.applicationProtocol == "http/1.1")
        }
        #expect(transport.statistics.dialed == 2)
    }

    @Test("prewarm opens HTTP/1.1 connections for a host that requires it")
    func prewarmed() async throws {
        let transport = NIOTransport.patient()
        let request = try Peer.faults.request(.get, "/http1/goaway")
        _ = try await transport.send(request)
        try await eventually { transport.statistics.hosts == 1 }
        try await transport.prewarm(for: request, connections: 2)
        #expect(transport.statistics.hosts == 1)
        #expect(transport.statistics.idle == 2)
    }

    @Test("20 concurrent requests fall back, and each is answered")
    func many() async throws {
        let transport = NIOTransport.patient()
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { try await transport.send(try Peer.faults.request(.get, "/http1/reset")).text }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts == ["over http1.1"])
    }

    @Test("A request that may have been processed is not resent; the next one uses HTTP/1.1 at once")
    func sentOnce() async throws {
        let transport = NIOTransport.patient()
        let request = try Peer.faults.request(.post, "/http1/reset", body: .bytes(Data("once".utf8), contentType: nil))
        let error = await failure { try await transport.send(request) }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.requestMayHaveBeenSent == true)
        #expect(error?.attempts == 1)
        #expect((error?.underlying as? HTTP2ClosedByPeerError)?.code == .http11Required)
        let response = try await transport.send(request)
        #expect(response.text == "over http1.1")
        #expect(response.attempts == 1)
    }

    @Test("An unprocessed request is resent over HTTP/1.1, whatever its method")
    func unprocessed() async throws {
        let request = try Peer.faults.request(.post, "/http1/goaway", body: .bytes(Data("once".utf8), contentType: nil))
        #expect(try await NIOTransport().send(request).text == "over http1.1")
    }

    @Test("http2Only: HTTP_1_1_REQUIRED is an error, for later requests as well")
    func http2Only() async throws {
        let transport = NIOTransport.patient()
        for _ in 0..<2 {
            let request = try Peer.faults.request(.get, "/http1/reset") { $0.httpVersion = .http2Only }
            let error = await failure { try await transport.send(request) }
            #expect((error?.underlying as? HTTP2ClosedByPeerError)?.code == .http11Required)
            #expect(error?.attempts == 1)
        }
    }

    @Test(
        "Priority is sent over HTTP/2 as over HTTP/1.1",
        arguments: [(RequestPriority.low, "u=6"), (.high, "u=1"), (.critical, "u=0"), (.normal, nil)]
            as [(RequestPriority, String?)])
    func priority(_ priority: RequestPriority, _ value: String?) async throws {
        let transport = NIOTransport.patient()
        // A normal request before and after each: a cached field block must not repeat the priority.
        let turns: [(RequestPriority, String?)] = [
            (.normal, nil), (priority, value), (.normal, nil), (priority, value),
        ]
        for (asked, expected) in turns {
            let response = try await transport.send(
                try Peer.faultsInTheClear.request(.get, "/told") { $0.priority = asked })
            let fields = try JSONDecoder().decode([String: String].self, from: Data(response.text.utf8))
            #expect(fields["priority"] == expected)
        }
    }
}
