// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Collected exchanges", .timeLimit(.minutes(1)))
struct CollectedTests {
    @Test("A response with a length comes back whole, and its connection is used again")
    func keepAlive() async throws {
        let server = try await RawServer { request in
            [
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nX-N: \(request.number)\r\n\r\nhello"
                )
            ]
        }
        let transport = NIOTransport()
        for number in 0..<5 {
            let response = try await transport.send(.get(server))
            #expect(response.head.status == .ok)
            #expect(response.body.collectedBytes == Data("hello".utf8))
            #expect(response.head.headerFields[.contentType] == "text/plain")
            #expect(response.timings.isReusedConnection == (number > 0))
        }
        #expect(server.accepted == 1)
        #expect(transport.statistics.reused == 4)
        #expect(transport.statistics.idle == 1)
    }
}

extension TransportRequest {
    static func get(_ server: RawServer, _ path: String = "/") -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: path))
    }
}
