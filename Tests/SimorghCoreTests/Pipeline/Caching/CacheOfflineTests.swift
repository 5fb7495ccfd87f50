// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

/// Responses from the caches while requests are queued for a network.
@Suite("Caches with an offline queue", .timeLimit(.minutes(5)))
struct CacheOfflineTests {
    private let network = ScriptedNetwork(.connected(.wifi))
    /// A clock on which no wait ends.
    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)

    private func client(_ change: (inout APIClient.Configuration) -> Void) -> APIClient {
        APIClient.scripted(transport, baseURL: "https://api.example.com") {
            $0.time = clock.timeSource
            $0.networkMonitor = network.monitor(time: clock.timeSource)
            $0.resilience.offlineQueue = OfflineQueue()
            change(&$0)
        }
    }

    /// Responds to the first request, and fails others with `notConnectedToInternet`.
    private func answerOnce(_ control: String) {
        transport.on("/x") { request in
            guard request.index == 0 else {
                throw TransportError(
                    .notConnectedToInternet, phase: .connect, message: "no network", requestMayHaveBeenSent: false)
            }
            return StubResponse.text("x").header(.cacheControl, value: control).header(.eTag, value: "\"1\"")
        }
    }

    @Test("A background revalidation never waits for the network")
    func refresh() async throws {
        answerOnce("max-age=0, stale-while-revalidate=600")
        let cache = CachedClientTests.memory()
        let client = client { $0.caching.httpCache = cache }
        _ = try await client.call(.get, "x").data()
        network.become(.disconnected)
        for requests in 2...3 {
            #expect(try await client.call(.get, "x").data() == Data("x".utf8))
            await cache.settled()
            #expect(transport.requestCount == requests)
        }
    }

    @Test("A stale-if-error response is returned at once when offline", arguments: [false, true])
    func standIn(isShared: Bool) async throws {
        answerOnce("max-age=0, stale-if-error=600")
        let client = client {
            $0.caching.httpCache = CachedClientTests.memory()
            $0.resilience.coalescesRequests = isShared
        }
        _ = try await client.call(.get, "x").data()
        network.become(.disconnected)
        let response = try await client.call(.get, "x").response().response
        #expect(response.body == Data("x".utf8) && response.cacheReport?.detail == "stale-if-error")
    }

    @Test("A staleFallback entry of the AppCache is returned at once when offline")
    func application() async throws {
        answerOnce("no-cache")
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        configuration.timeToLive = .seconds(10)
        configuration.staleFallback = .seconds(600)
        configuration.sweepsAtStart = false
        let cache = AppCache(configuration, time: clock.timeSource)
        let client = client { $0.appCache = cache }
        #expect(try await client.downloadData("x", cachingLevel: .memory) == Data("x".utf8))
        clock.advance(by: .seconds(20))
        network.become(.disconnected)
        #expect(await client.dataFromCache("x", cachingLevel: .memory) == nil, "no request was sent yet")
        #expect(try await client.downloadData("x", cachingLevel: .memory) == Data("x".utf8))
        #expect(transport.requestCount == 2)
    }
}
