// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Calls answered by the cache's memory before the stored response changed.
@Suite("Cache hits after a change", .timeLimit(.minutes(10)))
struct CacheHitChangeTests {
    /// A change of the stored response of `/x`, after which the server has another edition.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// True if the body changes, not only a header field.
        var isNewBody = true
        /// The number of requests that reach the server.
        var requests = 0
        /// True if the next call must send a request.
        var asks = true
        let perform: @Sendable (APIClient, HTTPCache) async throws -> Void
    }

    private static let wordField = HTTPField.Name.known("X-Word")

    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)
    /// The edition of the body, which the entity tag names.
    private let edition = Counter()
    /// The edition of a field that is independent of the entity tag.
    private let word = Counter()

    init() {
        transport.on("/x") { [edition, word] request in
            let tag = "\"\(edition.count)\""
            let isKnown = request.header(.ifNoneMatch) == tag
            var answer = StubResponse.status(isKnown ? .notModified : .ok)
            if request.method == .get, !isKnown { answer = .text("\(edition.count)") }
            return answer.header(.eTag, value: tag).header(.cacheControl, value: "max-age=60")
                .header(CacheFields.cacheTag, value: "news, front").header(Self.wordField, value: "\(word.count)")
        }
        transport.on("/fleeting") { [edition] _ in
            .text("\(edition.count)").header(.cacheControl, value: "max-age=2, stale-while-revalidate=60")
        }
        transport.on("/made", response: .status(.created).header(.location, value: "/x"))
        transport.on("/done", response: .status(.ok).header(.contentLocation, value: "https://api.test/x"))
        transport.on("/down", response: .status(.internalServerError).header(.location, value: "/x"))
        transport.on("/elsewhere", response: .status(.created).header(.location, value: "https://other.test/x"))
        transport.on("/other", response: .status(.noContent))
    }

    private func cache(in folder: BlobStoreTests.Folder?) -> HTTPCache {
        var configuration = CacheConfiguration(diskCapacity: folder == nil ? 0 : 1 << 20, diskPath: folder?.path)
        configuration.partition = .named("me")
        return HTTPCache(configuration, time: clock.timeSource)
    }

    private func client(_ cache: HTTPCache) -> APIClient {
        APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.appCache = CacheOwnerTests.appCache()
            $0.time = clock.timeSource
        }
    }

    /// Calls until the response is stored, then once a second, and returns the hit of the last second.
    private func hit(_ client: APIClient, after seconds: Int) async throws -> CollectedResponse {
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            _ = try await client.call(.get, "x").data()
        }
        return try await client.call(.get, "x").response().response
    }

    private static let validations: [Change] = [
        Change(testDescription: "a 304 with another field", isNewBody: false, requests: 1, asks: false) { client, _ in
            _ = try await client.call(.get, "x").with { $0.caching.strategy = .reloadRevalidatingCacheData }.data()
        },
        Change(testDescription: "a validation of another edition", requests: 1, asks: false) { client, _ in
            _ = try await client.call(.get, "x").with { $0.caching.strategy = .reloadRevalidatingCacheData }.data()
        },
        Change(testDescription: "a reload", requests: 1, asks: false) { client, _ in
            _ = try await client.call(.get, "x").with { $0.caching.strategy = .reloadIgnoringLocalCacheData }.data()
        },
        Change(testDescription: "a HEAD with another field", isNewBody: false, requests: 1, asks: false) { client, _ in
            try await client.call(.head, "x").with { $0.caching.strategy = .reloadRevalidatingCacheData }.void()
        },
        Change(testDescription: "a HEAD of another edition", requests: 1) { client, _ in
            try await client.call(.head, "x").with { $0.caching.strategy = .reloadRevalidatingCacheData }.void()
        },
    ]

    private static let purges: [Change] = [
        Change(testDescription: "a purge of the URL") { _, cache in
            #expect(await cache.remove(url: "https://api.test/x") == 1)
        },
        Change(testDescription: "a purge of a tag") { _, cache in #expect(await cache.remove(tag: "front") == 1) },
        Change(testDescription: "a purge of the partition") { _, cache in
            #expect(await cache.remove(partition: "me") == 1)
        },
        Change(testDescription: "a purge of credentialed responses") { _, cache in
            #expect(await cache.removeCredentialed() == 1)
        },
        Change(testDescription: "a purge of everything") { _, cache in await cache.removeAll() },
        Change(testDescription: "a reset of the client") { client, _ in await client.reset() },
    ]

    private static let requests: [Change] = [
        Change(testDescription: "an unsafe request whose Location is the URL", requests: 1) { client, _ in
            try await client.call(.post, "made").void()
        },
        Change(testDescription: "an unsafe request whose Content-Location is the URL", requests: 1) { client, _ in
            try await client.call(.put, "done").void()
        },
        Change(testDescription: "an unsafe request by a view of the client", requests: 1) { client, _ in
            try await client.with { $0.headers = ["X-View": "1"] }.call(.post, "x").void()
        },
    ]

    private static let methods: [Change] = [RequestMethod.post, .put, .patch, .delete, .custom("TURN")].map { method in
        Change(testDescription: method.rawValue, requests: 1) { client, _ in
            try await client.call(method, "x").void()
        }
    }

    static let changes: [Change] = [validations, purges, requests, methods].flatMap { $0 }

    @Test(
        "The next call gets the changed response, whatever the age of the last hit", arguments: changes,
        [false, true])
    func changed(change: Change, isOnDisk: Bool) async throws {
        let folder = isOnDisk ? BlobStoreTests.Folder() : nil
        let cache = cache(in: folder)
        let client = client(cache)
        for seconds in [0, 1, 3] {
            let before = try await hit(client, after: seconds)
            #expect(before.body == Data("\(edition.count)".utf8) && before.headers[.age] == "\(seconds)")
            word.next()
            if change.isNewBody { edition.next() }
            var count = transport.requestCount + change.requests
            try await change.perform(client, cache)
            #expect(transport.requestCount == count)
            if change.asks { count += 1 }
            for turn in 0..<3 {
                let response = try await client.call(.get, "x").response().response
                #expect(response.body == Data("\(edition.count)".utf8))
                #expect(response.headers[values: Self.wordField] == ["\(word.count)"])
                #expect(response.cacheReport?.isHit == (turn > 0 || !change.asks))
                #expect(transport.requestCount == count)
            }
        }
        withExtendedLifetime(folder) {}
    }

    static let others: [Change] = [
        Change(testDescription: "a purge of another URL") { _, cache in
            #expect(await cache.remove(url: "https://api.test/x?a=1") == 0)
        },
        Change(testDescription: "a purge of another tag") { _, cache in #expect(await cache.remove(tag: "new") == 0) },
        Change(testDescription: "a purge of another partition") { _, cache in
            #expect(await cache.remove(partition: "m") == 0)
        },
        Change(testDescription: "an unsafe request to another URL", requests: 1) { client, _ in
            try await client.call(.post, "other").void()
        },
        Change(testDescription: "an unsafe request that failed", requests: 1) { client, _ in
            _ = await #expect(throws: NetworkError.self) { try await client.call(.post, "down").void() }
        },
        Change(testDescription: "an unsafe request whose response names another origin", requests: 1) { client, _ in
            try await client.call(.post, "elsewhere").void()
        },
        Change(testDescription: "an OPTIONS request", requests: 1) { client, _ in
            try await client.call(.options, "x").void()
        },
        Change(testDescription: "a HEAD that the cache answers") { client, _ in
            try await client.call(.head, "x").void()
        },
        Change(testDescription: "a request with no-store", requests: 1) { client, _ in
            _ = try await client.call(.get, "x", headers: ["Cache-Control": "no-store"]).data()
        },
    ]

    @Test("An unrelated change leaves the stored response unchanged", arguments: others, [false, true])
    func left(change: Change, isOnDisk: Bool) async throws {
        let folder = isOnDisk ? BlobStoreTests.Folder() : nil
        let cache = cache(in: folder)
        let client = client(cache)
        _ = try await hit(client, after: 1)
        word.next()
        edition.next()
        try await change.perform(client, cache)
        for _ in 0..<2 {
            let response = try await client.call(.get, "x").response().response
            #expect(response.body == Data("0".utf8) && response.headers[Self.wordField] == "0")
            #expect(response.headers[.age] == "1" && response.cacheReport?.isHit == true)
        }
        #expect(transport.requestCount == 1 + change.requests)
        withExtendedLifetime(folder) {}
    }

    @Test("The response of a background revalidation answers the next call")
    func background() async throws {
        let cache = cache(in: nil)
        let client = client(cache)
        func get() async throws -> CollectedResponse {
            try await client.call(.get, "fleeting").response().response
        }
        for _ in 0..<3 { _ = try await get() }
        clock.advance(by: .seconds(1))
        #expect(try await get().headers[.age] == "1" && transport.requestCount == 1)
        edition.next()
        clock.advance(by: .seconds(1))
        let stale = try await get()
        #expect(stale.body == Data("0".utf8) && stale.cacheReport?.isStale == true)
        await cache.settled()
        for _ in 0..<3 {
            let response = try await get()
            #expect(response.body == Data("1".utf8) && response.headers[.age] == "0")
            #expect(response.cacheReport?.isHit == true && response.cacheReport?.isStale == false)
        }
        #expect(transport.requestCount == 2)
    }
}
