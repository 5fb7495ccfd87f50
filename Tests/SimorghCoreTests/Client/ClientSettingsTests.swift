// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghSupport
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ClientSettingsTests {
    let transport = StubServer { _ in .status(.noContent) }

    @Test("Changed settings apply to calls described later, and to no others")
    func update() async throws {
        let client = APIClient.scripted(transport) { $0.headers = ["X-App": "old"] }
        let kept = client.call(.get, "x")
        let view = client.with { $0.query = ["v": 1] }
        client.updateConfiguration { $0.headers = ["X-App": "new"] }
        try await kept.void()
        try await view.call(.get, "x").void()
        try await client.call(.get, "x").void()
        let values = transport.requests.map { request in
            request.head.headerFields.first { $0.name.canonicalName == "x-app" }?.value
        }
        #expect(values == ["old", "old", "new"])
        #expect(client.configuration.headers == ["X-App": "new"])
    }

    @Test("Concurrent configuration changes are all applied")
    func race() async throws {
        let client = APIClient.scripted(transport)
        await withTaskGroup { group in
            for index in 0..<100 { group.addTask { client.updateConfiguration { $0.headers["X-\(index)"] = "1" } } }
        }
        #expect(client.configuration.headers.count == 100)
    }

    @Test(
        "A cache strategy sets Cache-Control for caches on the route",
        arguments: [
            (CacheStrategy.useProtocolCachePolicy, String?.none), (.reloadIgnoringLocalCacheData, "no-cache"),
            (.returnCacheDataElseLoad, nil), (.reloadRevalidatingCacheData, "max-age=0"),
        ])
    func cacheStrategy(strategy: CacheStrategy, directive: String?) async throws {
        let client = APIClient.scripted(transport)
        client.updateDefaultCacheStrategy(strategy)
        try await client.call(.get, "x").void()
        try await client.call(.get, "x", headers: ["Cache-Control": "no-store"]).void()
        #expect(transport.requests.map { $0.header(.cacheControl) } == [directive, "no-store"])
    }

    @Test("returnCacheDataDontLoad without a cache fails and sends nothing")
    func cacheOnly() async throws {
        let client = APIClient.scripted(transport) { $0.caching.strategy = .returnCacheDataDontLoad }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        guard case .urlError(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .cannotLoadFromNetwork)
        #expect(transport.requestCount == 0)
    }

    @Test("EK13: User-Agent has its exact format, and a request's own value is kept")
    func userAgent() async throws {
        let agent = UserAgentConfiguration(
            appName: "Tour", appVersion: "2.1", bundleIdentifier: "org.tour", buildNumber: "7", osVersion: "1.2.3",
            networkVersion: "9.9")
        let client = APIClient.scripted(transport) { $0.userAgentConfiguration = agent }
        try await client.call(.get, "x").void()
        try await client.call(.get, "x", headers: ["User-Agent": "own/1"]).void()
        let system = Platform.name
        #expect(
            transport.requests.map { $0.header(.userAgent) } == [
                "Tour/2.1 (org.tour; build:7; \(system) 1.2.3) Simorgh/9.9", "own/1",
            ])
    }
}
