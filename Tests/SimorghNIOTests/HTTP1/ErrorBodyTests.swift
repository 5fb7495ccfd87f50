// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("Collected calls: the body of an error", .timeLimit(.minutes(5)))
struct ErrorBodyTests {
    private static func client(
        _ url: String, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = url
        configuration.networkMonitor = nil
        configuration.maximumCollectedBytes = 1000
        change(&configuration)
        return APIClient(configuration: configuration, transport: NIOTransport.patient())
    }

    @Test(
        "A truncated error body keeps the status and the received part",
        arguments: ["Content-Length: 500\r\n\r\nshort", "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n"])
    func brokenOff(rest: String) async throws {
        let server = try await RawServer.answering("HTTP/1.1 500 No\r\n\(rest)", closing: true)
        let error = await #expect(throws: NetworkError.self) {
            try await Self.client("http://\(server.authority)").call(.get, "x").data()
        }
        guard case .customError(500, let response)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "none")")
            return
        }
        #expect(response.body == Data("short".utf8))
        #expect(response.isBodyTruncated)
    }

    @Test("A stalled error body keeps the status, and is not awaited if maximumErrorBodyBytes is 0")
    func stalled() async throws {
        let server = try await RawServer.answering("HTTP/1.1 500 No\r\nContent-Length: 500\r\n\r\nshort")
        let url = "http://\(server.authority)"
        for (idle, kept) in [(Duration.milliseconds(200), 1000), (Duration.seconds(600), 0)] {
            let client = Self.client(url) {
                $0.timeouts.idle = idle
                $0.timeouts.total = nil
                $0.maximumErrorBodyBytes = kept
            }
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
            #expect(error?.statusCode == 500)
            #expect(error?.responseData?.count == min(5, kept))
        }
    }

    @Test("An accepted error status fails with the error that truncated its body")
    func acceptedBrokenOff() async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 404 No\r\nContent-Length: 500\r\n\r\nshort", closing: true)
        let client = Self.client("http://\(server.authority)") { $0.validation.statusCodes = .any }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        guard case .urlError(let cause)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "none")")
            return
        }
        #expect(cause.code == .networkConnectionLost)
    }

    @Test("A cached error or redirect larger than maximumCollectedBytes answers the second call like the first")
    func stored() async throws {
        try await MockServer.with { server in
            let large = StubResponse.bytes(Data(count: 5000), status: .notFound)
            server.on(.get, path: "/missing", response: large.header(.cacheControl, value: "max-age=60"))
            let moved = StubResponse.bytes(Data(count: 5000), status: .movedPermanently)
            server.on(
                .get, path: "/moved",
                response: moved.header(.cacheControl, value: "max-age=60").header(.location, value: "/target"))
            server.on(.get, path: "/target", response: .text("done"))
            let client = Self.client(server.url) {
                $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
            }
            for _ in 0..<2 {
                let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "missing").data() }
                #expect(error?.statusCode == 404)
                #expect(error?.responseData?.count == 5000)
                let data = try await client.call(.get, "moved").data()
                #expect(data == Data("done".utf8))
            }
            #expect(server.requests.count { $0.path == "/missing" } == 1)
        }
    }

    @Test(
        "A RetryDecider sees the error body with a cache, hedging or authentication enabled",
        arguments: ["cache", "hedging", "authentication"])
    func decider(step: String) async throws {
        try await MockServer.with { server in
            for status in [HTTPResponse.Status.unauthorized, .serviceUnavailable] {
                server.on(
                    .get, path: "/\(status.code)", response: .chunks([.bytes(Data(count: 40_000))], status: status))
                let seen = LockedValue<[Int]>([])
                let client = Self.client(server.url) {
                    $0.retry = RetryPolicy(
                        decider: RetryDecider { attempt in
                            let count = attempt.error.responseData?.count ?? -1
                            seen.change { $0.append(count) }
                            return .doNotRetry
                        })
                    switch step {
                    case "cache": $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
                    case "hedging": $0.resilience.hedging = Hedging(after: .seconds(60))
                    default: $0.authentication = .basic(username: "zal", password: "feather")
                    }
                }
                await #expect(throws: NetworkError.self) { try await client.call(.get, "\(status.code)").data() }
                #expect(seen.value == [40_000])
            }
        }
    }

    @Test("Coalesced calls receive the whole body of a redirect that they do not follow")
    func sharedAndStopped() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/nowhere", response: .chunks([.bytes(Data(count: 20_000))], status: .found))
            let stopped = StubResponse.chunks([.bytes(Data(count: 20_000))], status: .found)
            server.on(.get, path: "/stopped", response: stopped.header(.location, value: "/target"))
            let client = Self.client(server.url) {
                $0.resilience.coalescesRequests = true
                $0.redirects = .custom { _ in .stop }
                $0.validation.statusCodes = .any
                $0.maximumCollectedBytes = 20_000
            }
            for path in ["nowhere", "stopped"] {
                let data = try await client.call(.get, path).data()
                #expect(data.count == 20_000)
            }
        }
    }
}
