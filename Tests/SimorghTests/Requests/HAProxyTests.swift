// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import Testing

/// haproxy in front of nginx (Tests/Peers/haproxy.cfg).
@Suite("HTTP gateway", .timeLimit(.minutes(10)))
struct HAProxyTests {
    private static func client(
        _ witness: Witness, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = try witness.url
        // A generous timeout, because the machine may be busy with other tests.
        configuration.timeouts.connect = .seconds(60)
        if let root = ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"] {
            configuration.tls.additionalRoots = [try String(contentsOfFile: root, encoding: .utf8)]
        }
        change(&configuration)
        return APIClient(configuration: configuration, transport: NIOTransport())
    }

    @Test("HTTP/1.1 and HTTP/2 give the same result on either side of the gateway", arguments: ["h1", "h2"])
    func versions(backend: String) async throws {
        let headers = ["X-Backend": backend]
        let plain = try Self.client(.haproxy)
        let secure = try Self.client(.haproxyTLS)
        let known = try Self.client(.haproxy) { $0.httpVersion = .http2PriorKnowledge }
        for (client, version) in [(plain, "http/1.1"), (secure, "h2"), (known, "h2c")] {
            for turn in 0..<3 {
                let response = try await client.call(.get, "1m", headers: headers).response().response
                #expect(response.body == Data(repeating: UInt8(ascii: "y"), count: 1_048_576))
                #expect(response.connection?.applicationProtocol == version)
                #expect(response.timings.isReusedConnection == (turn > 0))
            }
        }
    }

    @Test("Many concurrent requests over few connections are all answered", arguments: [false, true])
    func many(isSecure: Bool) async throws {
        let client = try Self.client(isSecure ? .haproxyTLS : .haproxy)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<120 {
                let headers = ["X-Backend": index.isMultiple(of: 2) ? "h1" : "h2"]
                group.addTask { try await client.call(.get, "200", headers: headers).data().count }
            }
            for try await count in group { #expect(count == 200) }
        }
    }

    @Test("Requests queue at a gateway that accepts two connections, and all are answered")
    func narrow() async throws {
        let client = try Self.client(.haproxyNarrow) { $0.timeouts.head = nil }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<24 { group.addTask { try await client.call(.get, "200").data().count } }
            for try await count in group { #expect(count == 200) }
        }
    }

    @Test("Connections that the gateway closes when idle fail no request, sequentially and concurrently")
    func hasty() async throws {
        let client = try Self.client(.haproxyHasty)
        for _ in 0..<40 { #expect(try await client.call(.get, "200").data().count == 200) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    for _ in 0..<20 { count += try await client.call(.get, "200").data().count }
                    return count
                }
            }
            for try await count in group { #expect(count == 4000) }
        }
    }

    @Test("A connection reset during a mostly unread upload is lost at once, and the next request uses another one")
    func reset() async throws {
        let client = try Self.client(.haproxy)
        let upload = RequestBody.bytes(Data(repeating: 1, count: 16_000_000), contentType: nil)
        for _ in 0..<20 {
            // The kernel resets a socket that is closed with unread bytes.
            let error = await #expect(throws: NetworkError.self) {
                try await client.call(.post, "reject", body: upload).data()
            }
            guard case .urlError(let lost)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(lost.code == .networkConnectionLost)
            #expect(try await client.call(.get, "200").data().count == 200)
        }
    }

    @Test("A connection closed instead of a response, one left open in silence, and a refusal are distinct")
    func answers() async throws {
        for client in [try Self.client(.haproxy), try Self.client(.haproxyTLS)] {
            let rejected = await client.transportError("reject")
            #expect(rejected?.code == .networkConnectionLost, "\(String(describing: rejected))")
            let silent = await client.with { $0.timeouts.head = .milliseconds(200) }.transportError("silent")
            #expect(silent != nil)
            let denied = await #expect(throws: NetworkError.self) { try await client.bytes("deny") }
            #expect(denied?.statusCode == 429)
        }
    }
}
