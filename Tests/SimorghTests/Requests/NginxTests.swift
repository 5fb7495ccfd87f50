// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NginxTests {
    let client: APIClient

    init() throws {
        client = APIClient(
            configuration: try {
                var configuration = APIClient.Configuration()
                configuration.baseURL = try Witness.nginx.url
                return configuration
            }(),
            transport: NIOTransport()
        )
    }

    @Test("Sequential requests share one connection")
    func reuse() async throws {
        var connections: Set<UInt64> = []
        for turn in 0..<20 {
            let response = try await client.call(.get, "200").response().response
            #expect(response.body.count == 200)
            #expect(response.timings.isReusedConnection == (turn > 0))
            #expect((response.timings.connect == nil) == (turn > 0))
            connections.insert(try #require(response.connection).id)
        }
        #expect(connections.count == 1)
    }

    @Test("A server that closes after each response costs a new connection per request, and no failure")
    func closing() async throws {
        for _ in 0..<10 {
            let response = try await client.call(.get, "close").response().response
            #expect(String(decoding: response.body, as: UTF8.self) == "bye")
            #expect(!response.timings.isReusedConnection)
        }
    }

    @Test("HEAD returns the header fields of GET and no body")
    func head() async throws {
        let head = try await client.head("1m")
        #expect(head.statusCode == 200)
        #expect(head.headers["Content-Length"] == "1048576")
    }

    @Test("A body of 1 MiB arrives completely, collected and streamed, and so does a range")
    func large() async throws {
        let whole = try await client.call(.get, "1m").data()
        #expect(whole == Data(repeating: UInt8(ascii: "y"), count: 1_048_576))
        let stream = try await client.call(.get, "1m").stream()
        #expect(try await stream.chunks.collect(upTo: 2_000_000) == whole)
        let part = try await client.call(.get, "1m", headers: ["Range": "bytes=10-19"]).data()
        #expect(part.count == 10)
    }

    @Test("A body above maximumCollectedBytes is refused, and the next call is unaffected")
    func bound() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.get, "1m").with { $0.maximumCollectedBytes = 1_048_575 }.data()
        }
        guard case .bodyTooLarge(let limit, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(limit == 1_048_575)
        #expect(context.url.hasSuffix("/1m"))
        #expect(
            try await client.call(.get, "1m").with { $0.maximumCollectedBytes = 1_048_576 }.data().count == 1_048_576)
    }

    @Test("JSON compressed by nginx is decoded at a key path")
    func keyPath() async throws {
        #expect(try await client.call(.get, "json").decode(Bool.self, at: "nested.deep.value"))
        #expect(try await client.call(.get, "json").decode(Int.self, at: ["list", "2"]) == 3)
    }

    @Test("Status 418 is an error with the response body")
    func teapot() async throws {
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "teapot").void() }
        guard case .customError(let status, let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(status == 418)
        #expect(response.bodySnippet == "short and stout")
    }

    @Test("200 concurrent calls all succeed")
    func concurrent() async throws {
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { [client] in try await client.call(.get, "200").data().count } }
            return try await group.reduce(0, +)
        }
        #expect(total == 40_000)
    }
}
