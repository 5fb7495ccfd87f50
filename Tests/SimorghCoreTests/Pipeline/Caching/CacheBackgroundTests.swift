// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghDownloads
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Background work of a cache, and concurrent changes.
@Suite("HTTPCache: background revalidation and concurrent changes", .timeLimit(.minutes(5)))
struct CacheBackgroundTests {
    let steps = CacheStepTests()
    static let refreshed = [("Cache-Control", "max-age=1, stale-while-revalidate=600"), ("ETag", "\"x\"")]

    /// Sends a request to `https://a.example/x` through a cache.
    private func send(
        _ cache: HTTPCache, isStreamed: Bool = false, _ next: @escaping Interceptor.Next
    ) async throws -> TransportResponse {
        let chain = [Interceptor.cache(cache, strategy: .useProtocolCachePolicy, time: steps.origin.time)].around(next)
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x"))
        if isStreamed { request.options.delivery = .streamed }
        return try await chain(request)
    }

    /// Operations that remove all stored responses of a user.
    enum Purge: CaseIterable, Sendable {
        case all, partition, tag, url, credentialed

        func apply(to cache: HTTPCache) async {
            switch self {
            case .all: await cache.removeAll()
            case .partition: await cache.remove(partition: "ann")
            case .tag: await cache.remove(tag: "birds")
            case .url: await cache.remove(url: "https://a.example/x")
            case .credentialed: await cache.removeCredentialed()
            }
        }
    }

    @Test("A response requested before a purge is not stored after it", arguments: Purge.allCases, [false, true])
    func purged(purge: Purge, isStreamed: Bool) async throws {
        let folder = BlobStoreTests.Folder()
        var configuration = CacheConfiguration(diskPath: folder.path)
        configuration.partition = .named("ann")
        let cache = HTTPCache(configuration)
        let fields = [("Cache-Control", "max-age=60"), ("Cache-Tag", "birds")]
        let response = try await send(cache, isStreamed: isStreamed) { _ in
            if !isStreamed { await purge.apply(to: cache) }
            return isStreamed ? CacheStepTests.streamed(fields, ["a", "b"]) : CacheStepTests.response(fields, "ab")
        }
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
        if isStreamed { await purge.apply(to: cache) }
        while let _ = try await chunks.next() {}
        #expect(await cache.usage() == CacheUsage())
        #expect(folder.files.isEmpty)
    }

    /// A body that never ends, and the number of bytes read from it.
    private struct Endless: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = any Error
        let taken: Taken

        final class Taken: Sendable {
            let count = Mutex(0)
        }

        func makeAsyncIterator() -> Iterator { Iterator(taken: taken) }

        struct Iterator: AsyncIteratorProtocol {
            let taken: Taken
            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                taken.count.withLock { $0 += 10_000 }
                return Data(count: 10_000)
            }
        }
    }

    @Test("A background revalidation with an endless body is cancelled at the cache's capacity")
    func endless() async throws {
        let cache = HTTPCache(CacheConfiguration(memoryCapacity: 200_000, diskCapacity: 0))
        steps.origin.answers(CacheStepTests.response(Self.refreshed, "old"))
        _ = try await steps.send(cache)
        steps.origin.wait(5)
        let taken = Endless.Taken()
        let stale = try await send(cache) { request in
            #expect(request.options.timeouts.total.map { $0 <= .seconds(60) } == true)
            var response = CacheStepTests.response(Self.refreshed)
            response.body = ResponseBody(Endless(taken: taken))
            return response
        }
        #expect(try await steps.text(stale) == "old")
        await cache.settled()
        #expect(taken.count.withLock { $0 } <= 250_000)
    }

    @Test("removeAll() cancels a background revalidation, which stores nothing")
    func refreshCancelled() async throws {
        let cache = CacheStepTests.memory()
        steps.origin.answers(CacheStepTests.response(Self.refreshed, "old"))
        _ = try await steps.send(cache)
        steps.origin.wait(5)
        let gate = Gate()
        _ = try await send(cache) { _ in
            try await gate.wait()
            return CacheStepTests.response(Self.refreshed, "new")
        }
        try await gate.waiting()
        await cache.removeAll()
        await cache.settled()
        #expect(await cache.usage() == CacheUsage())
    }

    @Test("Cookies of a background revalidation are stored")
    func refreshCookies() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x") { request in
            let response = StubResponse.text("x").header(
                .cacheControl, value: "max-age=0, public, stale-while-revalidate=600"
            )
            .header(.eTag, value: "\"1\"")
            return request.index == 0 ? response : response.header(.setCookie, value: "sid=2")
        }
        let jar = MemoryCookieStore()
        let cache = CachedClientTests.memory()
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.cookies = jar
        }
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        await cache.settled()
        #expect(transport.requestCount == 2)
        #expect(await jar.cookies.map(\.name) == ["sid"])
    }

    @Test("A background revalidation keeps the check of the credentials' origin, and its wait is bounded")
    func refreshContext() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(
            "/x",
            response: .text("x").header(.cacheControl, value: "max-age=0, stale-while-revalidate=600").header(
                .eTag, value: "\"1\""))
        let (clock, cache) = (TestClock(), CachedClientTests.memory())
        let isForBase = LockedValue<[Bool]>([])
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.caching.httpCache = cache
            $0.resilience.rateLimit = RateLimit(requests: 2, per: .seconds(3600))
            // Another origin than the one of the client's credentials.
            $0.interceptors = [
                Interceptor { request, next in
                    var request = request
                    request.head.authority = "other.test"
                    return try await next(request)
                }
            ]
            $0.networkInterceptors = [
                Interceptor { request, next in
                    isForBase.change { $0.append(request.isForBase) }
                    return try await next(request)
                }
            ]
        }
        for _ in 0..<3 {
            #expect(try await client.call(.get, "x").data() == Data("x".utf8))
            await cache.settled()
        }
        #expect(isForBase.value == [false, false])
        #expect(transport.requestCount == 2)
    }

    @Test(
        "Cookies of a background revalidation are not stored if its user was purged meanwhile",
        arguments: [Purge.all, .partition, .credentialed])
    func refreshCookiesLate(purge: Purge) async throws {
        let (transport, gate) = (StubServer(precedence: .first), Gate())
        transport.on("/x") { request in
            let response = StubResponse.text("x").header(.cacheControl, value: "max-age=0, stale-while-revalidate=600")
                .header(.eTag, value: "\"1\"")
            guard request.index > 0 else { return response }
            try? await gate.wait()
            return response.header(.setCookie, value: "sid=2")
        }
        var configuration = CacheConfiguration(diskCapacity: 0)
        configuration.partition = .named("ann")
        let (cache, jar) = (HTTPCache(configuration), MemoryCookieStore())
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.cookies = jar
        }
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        _ = try await transport.request(at: 1)
        await purge.apply(to: cache)
        gate.open()
        await cache.settled()
        #expect(await jar.cookies.isEmpty)
    }

    /// A store that counts writes.
    private struct CountingStore: CacheStore {
        let store: BlobStore
        let writes = Count()

        final class Count: Sendable {
            let number = Mutex(0)
        }

        func blobs(in group: BlobGroup) async -> [StoredBlob] { await store.blobs(in: group) }
        func write(
            _ key: BlobKey, metadata: [UInt8], length: Int64?, since moment: CacheMoment?
        ) async -> (any BlobWriter)? {
            writes.number.withLock { $0 += 1 }
            return await store.write(key, metadata: metadata, length: length, since: moment)
        }
        func moment(of family: UInt64) -> CacheMoment { store.moment(of: family) }
        func update(_ blob: StoredBlob, metadata: [UInt8]) async { await store.update(blob, metadata: metadata) }
        func remove(_ key: BlobKey) async { await store.remove(key) }
        func remove(_ group: BlobGroup) async { await store.remove(group) }
        func remove(family: UInt64) async { await store.remove(family: family) }
        func sweep(_ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool) async -> Int {
            await store.sweep(isUnwanted)
        }
        func removeAll() async { await store.removeAll() }
        func usage() async -> CacheUsage { await store.usage() }
    }

    @Test("Coalesced calls store their response once, and a call that joined after an invalidation stores nothing old")
    func shared() async throws {
        let gate = Gate()
        let transport = StubServer(precedence: .first)
        transport.on("/x") { request in
            guard request.head.method == .get else { return .status(.noContent) }
            return .text("x").header(.cacheControl, value: "max-age=60").held(by: gate)
        }
        let store = CountingStore(store: BlobStoreTests.store(nil, memory: 1 << 20))
        let cache = HTTPCache(CacheConfiguration(), store: store)
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.resilience.coalescesRequests = true
        }
        let flights = client.settings.state.value(for: ObjectIdentifier(cache)) { InFlightRequests() }
        try await withThrowingTaskGroup(of: CacheReport?.self) { group in
            for number in 1...20 {
                group.addTask { try await client.call(.get, "x").response().response.cacheReport }
                try await eventually { flights.waiterCount >= number }
            }
            gate.open()
            for try await report in group { #expect(report?.isStored == true && report?.forward == .uriMiss) }
        }
        #expect(transport.requestCount == 1)
        #expect(store.writes.number.withLock { $0 } == 1)
        #expect(try await client.call(.get, "x").response().response.cacheReport?.isHit == true)
    }

    @Test("A call that joins an exchange started before an invalidation does not store its response")
    func joinedLate() async throws {
        let gate = Gate()
        let transport = StubServer(precedence: .first)
        transport.on("/x") { request in
            guard request.head.method == .get else { return .status(.noContent) }
            return .text("x").header(.cacheControl, value: "max-age=60").held(by: gate)
        }
        let cache = CachedClientTests.memory()
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.resilience.coalescesRequests = true
        }
        let flights = client.settings.state.value(for: ObjectIdentifier(cache)) { InFlightRequests() }
        let first = Task { try await client.call(.get, "x").data() }
        try await eventually { flights.waiterCount >= 1 }
        _ = try await client.call(.post, "x").data()
        let second = Task { try await client.call(.get, "x").data() }
        try await eventually { flights.waiterCount >= 2 }
        gate.open()
        _ = try await (first.value, second.value)
        #expect(await cache.usage() == CacheUsage())
    }

    @Test("A call that joins an exchange started before AppCache.removeAll() does not store its response there")
    func joinedLateByApplication() async throws {
        let gate = Gate()
        let transport = StubServer(precedence: .first)
        transport.on("/x", response: .text("x").held(by: gate))
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        let client = APIClient.scripted(transport) { [configuration] in
            $0.appCache = AppCache(configuration)
            $0.resilience.coalescesRequests = true
        }
        let flights = client.settings.state.value(for: true) { InFlightRequests() }
        let first = Task { try await client.downloadData("x", cachingLevel: .memory) }
        try await eventually { flights.waiterCount >= 1 }
        await client.clearCache()
        let second = Task { try await client.downloadData("x", cachingLevel: .memory) }
        try await eventually { flights.waiterCount >= 2 }
        gate.open()
        _ = try await (first.value, second.value)
        #expect(transport.requestCount == 1)
        #expect(await client.dataFromCache("x", cachingLevel: .memory) == nil)
        _ = try await client.downloadData("x", cachingLevel: .memory)
        #expect(await client.dataFromCache("x", cachingLevel: .memory) == Data("x".utf8))
    }

    @Test("A clock set back by more than a few seconds makes a stored response need validation")
    func clock() async throws {
        let cache = CacheStepTests.memory()
        let kept = CacheStepTests.response([("Cache-Control", "max-age=60")], "x")
        steps.origin.answers(kept, kept)
        _ = try await steps.send(cache)
        steps.origin.wait(-3)
        #expect(try await steps.send(cache).cacheReport?.isHit == true)
        steps.origin.wait(-3600)
        #expect(try await steps.send(cache).cacheReport?.isHit == false)
        #expect(try await steps.send(cache).cacheReport?.isHit == true)
        steps.origin.wait(86_400)
        await #expect(throws: TransportError.self) { _ = try await steps.send(cache) }
    }

    @Test("A file damaged during a read breaks off the body, and the next call sends a request")
    func damagedMeanwhile() async throws {
        let folder = BlobStoreTests.Folder()
        let cache = HTTPCache(CacheConfiguration(memoryCapacity: 0, diskPath: folder.path))
        var response = CacheStepTests.response([("Cache-Control", "max-age=60")])
        response.body = ResponseBody(BlobStoreTests.bytes(900_000))
        steps.origin.answers(response, response)
        _ = try await steps.send(cache)
        let kept = try await steps.send(cache, isStreamed: true)
        #expect(kept.cacheReport?.isHit == true)
        var chunks = kept.body.makeAsyncIterator()
        _ = try await chunks.next()
        let file = try #require(folder.files.first)
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        try handle.seek(toOffset: 800_000)
        try handle.write(contentsOf: Data(count: 100))
        try handle.close()
        let error = await #expect(throws: TransportError.self) { while let _ = try await chunks.next() {} }
        #expect(error?.code == .networkConnectionLost && error?.underlying is BlobDamagedError)
        #expect(try await steps.send(cache).cacheReport?.isHit == false)
    }

    @Test("A download always bypasses the client's cache")
    func downloads() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(10_000))
        origin.change { $0.fields[.cacheControl] = "max-age=600" }
        let cache = CachedClientTests.memory()
        var config = DownloadManagerConfig(downloadDirectory: place.folder, minFreeDiskSpace: 0)
        config.segments = 1
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = nil
        configuration.caching.httpCache = cache
        let manager = try DownloadManager(
            config: config, client: APIClient(configuration: configuration, transport: origin))
        var counts: [Int] = []
        for _ in 0..<2 {
            let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
            #expect(last.state == .completed)
            counts.append(origin.requests.count)
        }
        #expect(counts[1] == 2 * counts[0])
        #expect(await cache.usage() == CacheUsage())
        await place.end(manager)
    }
}
