// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("Interim responses", .timeLimit(.minutes(10)))
struct InterimTests {
    @Test(
        "Each interim response is told, in order and with its fields, before the final one", arguments: [false, true])
    func told(streamed: Bool) async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 104 Upload Resumption Supported\r\nLocation: /u/1\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let told = Mutex<[HTTPResponse]>([])
        let request = TransportRequest.get(server).with { request in
            if streamed { request.options.delivery = .streamed }
            request.options.informational = { response in told.withLock { $0.append(response) } }
        }
        let transport = NIOTransport()
        for round in 1...2 {
            let response = try await transport.send(request)
            #expect(response.head.status == .ok)
            #expect(try await response.body.collect(upTo: 10) == Data("ok".utf8))
            let interim = told.withLock { $0 }
            #expect(interim.map(\.status.code) == Array(repeating: [103, 104], count: round).flatMap { $0 })
            #expect(interim.last?.headerFields[.location] == "/u/1")
        }
        #expect(server.accepted == 1)
    }
}
