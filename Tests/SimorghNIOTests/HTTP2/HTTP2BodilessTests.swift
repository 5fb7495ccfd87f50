// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import Testing

/// Tests/Peers/h2faults.py answers with statuses that have no content (RFC 9110, section 6.4.1).
@Suite("HTTP/2: responses without content", .timeLimit(.minutes(5)))
struct HTTP2BodilessTests {
    @Test("204 may end with an empty DATA frame, and its Content-Length is ignored")
    func noContent() async throws {
        let transport = NIOTransport.patient()
        for path in ["/bodiless/no-content", "/bodiless/no-content-length"] {
            let response = try await transport.send(try Peer.faultsInTheClear.request(.get, path))
            #expect(response.head.status == .noContent)
            #expect(response.text.isEmpty)
        }
    }

    @Test("205 with a body delivers it: its framing is that of any response (RFC 9110, section 15.3.6)")
    func resetContent() async throws {
        let response = try await NIOTransport().send(
            try Peer.faultsInTheClear.request(.get, "/bodiless/reset-content"))
        #expect(response.head.status == .resetContent)
        #expect(response.text == "boo")
    }

    @Test(
        "DATA behind 204, 304 or the answer to HEAD is a stream error, collected and streamed",
        arguments: [false, true])
    func data(isStreamed: Bool) async throws {
        let transport = NIOTransport.patient()
        let examples: [(HTTPRequest.Method, String)] = [
            (.get, "/fields/no-content"), (.get, "/fields/no-content-length"), (.get, "/fields/not-modified"),
            (.head, "/bodiless/head"),
        ]
        for (method, path) in examples {
            let request = try Peer.faultsInTheClear.request(method, path) { if isStreamed { $0.delivery = .streamed } }
            let error = await failure { try await transport.send(request).body.collect(upTo: 100) }
            #expect(error?.code == .badServerResponse, "\(path)")
        }
        // The connection stays open.
        #expect(try await transport.send(try Peer.faultsInTheClear.request(.get, "/ok")).text == "ok")
        #expect(transport.statistics.dialed == 1)
    }
}
