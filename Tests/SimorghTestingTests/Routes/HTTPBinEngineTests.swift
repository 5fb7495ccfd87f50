// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPBinEngineTests {
    @Test("3,200 requests over at most 16 connections are all answered completely")
    func many() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let transport = NIOTransport()
            let expected = MockServer.bytes(200, seed: 1)
            let request = get("/bytes/200?seed=1", of: server)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        var whole = 0
                        for _ in 0..<200 where try await transport.send(request).body.collectedBytes == expected {
                            whole += 1
                        }
                        return whole
                    }
                }
                let whole = try await group.reduce(0, +)
                #expect(whole == 3200)
            }
            #expect(server.requestCount == 3200)
            #expect(server.acceptedConnectionCount <= 16)
        }
    }

    @Test("SharedServer returns the same server each time, and it answers")
    func shared() async throws {
        let server = try await SharedServer.value
        #expect(try await SharedServer.value === server)
        let request = get("/get", of: server)
        #expect(try await NIOTransport.shared.send(request).head.status == .ok)
    }

    private func get(_ path: String, of server: MockServer) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: path))
    }
}
