// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Steps above the cache see each call, including hits; steps below it see no hits.
@Suite("Cache hits and the steps of the chain", .timeLimit(.minutes(10)))
struct CacheHitStepTests {
    /// A step that must see each call.
    enum Step: String, CaseIterable, Sendable {
        case interceptor, plugin, token, authentication, cookies, line, baseURL, listener

        /// Adds a step that counts the calls it sees.
        func add(to configuration: inout APIClient.Configuration, _ seen: Counter) {
            switch self {
            case .interceptor:
                let step = Interceptor { request, next in
                    seen.next()
                    return try await next(request)
                }
                configuration.interceptors = [step]
            case .plugin: configuration.plugins = [CountingPlugin(seen: seen)]
            case .token:
                let token = Plugins.TokenPlugin(type: .header(.set("X-Key"))) {
                    seen.next()
                    return "key"
                }
                configuration.plugins = [token]
            case .authentication:
                configuration.authentication = .bearer {
                    seen.next()
                    return "token"
                }
            case .cookies: configuration.cookies = CountingStore(seen: seen)
            case .line:
                let judge: @Sendable (TransportResponse) throws -> StopTheLineAction = { _ in
                    seen.next()
                    return .passOver
                }
                configuration.stopTheLine = Line(judge: judge) { _, _ in .useOriginal }
            case .baseURL:
                configuration.dynamicBaseURL = {
                    seen.next()
                    return "https://api.test"
                }
            case .listener:
                configuration.logging.onEvent = { event in
                    if case .completed = event { seen.next() }
                }
            }
        }
    }

    /// Counts the responses.
    private struct CountingPlugin: Plugin {
        let seen: Counter
        var id: String { "counting" }
        var priority: PluginPriority { 0 }

        func didReceive(_ response: TransportResponse, to request: TransportRequest) async {
            if response.cacheReport != nil { seen.next() }
        }
    }

    /// Counts the accesses to cookies; it has none.
    private final class CountingStore: CookieStore {
        private let seen: Counter
        private let store = MemoryCookieStore()

        init(seen: Counter) { self.seen = seen }

        func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result {
            seen.next()
            return await store.withJar(body)
        }
    }

    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)
    private let cache: HTTPCache

    init() {
        cache = HTTPCache(CacheConfiguration(diskCapacity: 0), time: clock.timeSource)
        transport.on("/x", response: .text("body").header(.cacheControl, value: "max-age=60"))
    }

    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.time = clock.timeSource
            change(&$0)
        }
    }

    /// Creates a client whose cache has answered calls.
    private func clientWithHits(
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) async throws -> APIClient {
        let client = client(change)
        for _ in 0..<3 { _ = try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 1)
        return client
    }

    @Test("A step above the cache sees each call, and each hit", arguments: Step.allCases)
    func steps(step: Step) async throws {
        let seen = Counter()
        let client = client { step.add(to: &$0, seen) }
        for number in 1...4 {
            for turn in 0..<2 {
                let response = try await client.call(.get, "x").response().response
                let isFirst = number == 1 && turn == 0
                #expect(response.statusCode == 200 && response.body == Data("body".utf8))
                #expect(response.cacheReport?.isHit == !isFirst)
                #expect(response.headers[values: .age] == (isFirst ? [] : ["\(number - 1)"]))
                #expect(response.headers[values: CacheFields.cacheStatus].count == 1)
                #expect(seen.count == 2 * number - 1 + turn)
            }
            clock.advance(by: .seconds(1))
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A step of a view or of one call sees the hits of the client's cache", arguments: Step.allCases)
    func views(step: Step) async throws {
        let seen = Counter()
        let client = try await clientWithHits()
        let call = client.call(.get, "x").with { step.add(to: &$0, seen) }
        let view = client.with { step.add(to: &$0, seen) }
        for number in 1...3 {
            for other in [call, view.call(.get, "x")] {
                #expect(try await other.data() == Data("body".utf8))
            }
            #expect(seen.count == 2 * number)
            #expect(try await client.call(.get, "x").response().response.cacheReport?.isHit == true)
            #expect(seen.count == 2 * number)
        }
        // The token determines the partition: the response without credentials belongs to another one.
        let isSomebody = step == .token || step == .authentication
        #expect(transport.requestCount == (isSomebody ? 2 : 1))
    }

    @Test("The log has an entry for each call after its level is set", arguments: LogLevel.allCases.dropFirst())
    func log(level: LogLevel) async throws {
        let box = LogBox()
        let client = try await clientWithHits { $0.logging.logger = box.writing() }
        #expect(box.texts.isEmpty)
        client.setLogLevel(level)
        for _ in 0..<3 {
            let count = box.texts.count
            // The lowest levels do not log successful hits.
            await #expect(throws: NetworkError.self) { try await client.call(.get, "x").decode(Int.self) }
            #expect(box.texts.count > count)
            let response = try await client.call(.get, "x").response().response
            #expect(response.body == Data("body".utf8) && response.cacheReport?.isHit == true)
        }
        client.setLogLevel(.none)
        let count = box.texts.count
        for _ in 0..<3 { _ = try await client.call(.get, "x").data() }
        #expect(box.texts.count == count && transport.requestCount == 1)
    }

    @Test("An observer receives an event for each call after it is registered")
    func listeners() async throws {
        let client = try await clientWithHits()
        let events = client.events()
        for _ in 0..<3 { _ = try await client.call(.get, "x").data() }
        var calls = 0
        for await event in events {
            guard case .completed(let call) = event else { continue }
            #expect(call.metrics?.isFromCache == true && call.metrics?.cache?.isHit == true)
            calls += 1
            if calls == 3 { break }
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A call with a caching level reads the AppCache, whatever the HTTP cache holds")
    func application() async throws {
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        configuration.sweepsAtStart = false
        let appCache = AppCache(configuration, time: clock.timeSource)
        let client = try await clientWithHits { $0.appCache = appCache }
        #expect(await client.dataFromCache("x", cachingLevel: .memory) == nil)
        for _ in 0..<2 {
            #expect(try await client.downloadData("x", cachingLevel: .memory) == Data("body".utf8))
            #expect(await client.dataFromCache("x", cachingLevel: .memory) == Data("body".utf8))
        }
        #expect(transport.requestCount == 1)
        await cache.removeAll()
        #expect(try await client.downloadData("x", cachingLevel: .memory) == Data("body".utf8))
        #expect(transport.requestCount == 1)
        _ = try await client.call(.get, "x").data()
        #expect(transport.requestCount == 2)
    }

    @Test("A response with Vary: X-Request-ID answers no other call, because each call has its own identifier")
    func identifiers() async throws {
        transport.on(
            "/own",
            response: .text("own").header(.cacheControl, value: "max-age=60").header(.vary, value: "X-Request-ID"))
        let client = client { $0.requestIDHeader = "X-Request-ID" }
        for number in 0..<3 {
            let response = try await client.call(.get, "x").response().response
            #expect(response.body == Data("body".utf8) && response.cacheReport?.isHit == (number > 0))
        }
        #expect(transport.requestCount == 1)
        for _ in 0..<3 {
            let response = try await client.call(.get, "own").response().response
            #expect(response.body == Data("own".utf8) && response.cacheReport?.isHit == false)
        }
        let identifiers = transport.requests.map { $0.header(.known("X-Request-ID")) }
        #expect(Set(identifiers).count == 4 && !identifiers.contains(nil) && transport.requestCount == 4)
    }

    /// A step that applies only to sent requests.
    enum Below: String, CaseIterable, Sendable {
        case retry, sharing, hedging, breaker, rate, offlineQueue, networkInterceptor
    }

    @Test("A step below the cache neither sees nor delays a hit", arguments: Below.allCases)
    func below(step: Below) async throws {
        let (seen, network) = (Counter(), ScriptedNetwork(.connected(.wifi)))
        let client = try await clientWithHits {
            switch step {
            case .retry: $0.retry = RetryPolicy()
            case .sharing: $0.resilience.coalescesRequests = true
            case .hedging: $0.resilience.hedging = Hedging(after: .seconds(1))
            case .breaker: $0.resilience.circuitBreaker = CircuitBreaker()
            // After the first request, another would wait for an hour on a clock that does not advance that far.
            case .rate: $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(3600))
            case .offlineQueue:
                $0.networkMonitor = network.monitor(time: clock.timeSource)
                $0.resilience.offlineQueue = OfflineQueue()
            case .networkInterceptor:
                let interceptor = Interceptor { request, next in
                    seen.next()
                    return try await next(request)
                }
                $0.networkInterceptors = [interceptor]
            }
        }
        network.become(.disconnected)
        for age in 1...4 {
            clock.advance(by: .seconds(1))
            for _ in 0..<2 {
                let response = try await client.call(.get, "x").response().response
                #expect(response.body == Data("body".utf8) && response.headers[.age] == "\(age)")
                #expect(response.cacheReport?.isHit == true)
            }
        }
        #expect(transport.requestCount == 1 && seen.count == (step == .networkInterceptor ? 1 : 0))
    }
}
