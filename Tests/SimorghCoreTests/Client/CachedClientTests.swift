// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("APIClient with caches", .timeLimit(.minutes(5)))
struct CachedClientTests {
    static func memory() -> HTTPCache { HTTPCache(CacheConfiguration(diskCapacity: 0)) }

    @Test("SMA11: after a 304 the call returns the cached body; with the cache off no condition is sent")
    func validation() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x") { request in
            guard request.head.headerFields[.ifNoneMatch] == "\"1\"" else {
                return .text("body").header(.eTag, value: "\"1\"").header(.cacheControl, value: "no-cache")
            }
            return .status(.notModified).header(.eTag, value: "\"1\"")
        }
        let client = APIClient.scripted(transport) { $0.caching.httpCache = Self.memory() }
        for _ in 0..<2 {
            let data = try await client.call(.get, "x").data()
            #expect(data == Data("body".utf8))
        }
        #expect(transport.requests[1].head.headerFields[.ifNoneMatch] == "\"1\"")
        _ = try await client.call(.get, "x").with { $0.caching.httpCache = nil }.data()
        _ = try await client.call(.get, "x").with { $0.caching.strategy = .reloadIgnoringLocalCacheData }.data()
        for request in transport.requests.dropFirst(2) { #expect(request.head.headerFields[.ifNoneMatch] == nil) }
        #expect(transport.requestCount == 4)
    }

    @Test("SMA12: returnCacheDataDontLoad fails on a miss without sending a request")
    func dontLoad() async throws {
        let transport = StubServer(precedence: .first)
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = Self.memory()
            $0.caching.strategy = .returnCacheDataDontLoad
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        guard case .urlError(let cause) = error else { return #expect(Bool(false)) }
        #expect(cause.code == .cannotLoadFromNetwork)
        #expect(transport.requestCount == 0)
    }

    @Test("NET5: validators see hits of either cache like responses of the server")
    func validators() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x", response: .json("[1]").header(.cacheControl, value: "max-age=60"))
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        let client = APIClient.scripted(transport) { [configuration] in
            $0.caching.httpCache = Self.memory()
            $0.appCache = AppCache(configuration)
        }
        let strict = client.with {
            $0.interceptors = [ResponseValidatorInterceptor(validate: { _ in .invalid(reason: "no") }).interceptor]
        }
        _ = try await client.call(.get, "x").data()
        await #expect(throws: NetworkError.self) { try await strict.call(.get, "x").void() }
        let numbers: [Int] = try await client.get("x", cachingLevel: .memory)
        #expect(numbers == [1])
        await #expect(throws: NetworkError.self) { let _: [Int] = try await strict.get("x", cachingLevel: .memory) }
        #expect(transport.requestCount == 1)
    }

    @Test("NET9: a 404 is not stored, even if it counts as success, and no-store responses are stored only on demand")
    func successOnly() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/gone", response: .status(.notFound))
        transport.on("/secret", response: .text("x").header(.cacheControl, value: "no-store"))
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        let client = APIClient.scripted(transport) { [configuration] in
            $0.appCache = AppCache(configuration)
            $0.validation.statusCodes = StatusCodeSet(200...404)
        }
        for _ in 0..<2 { _ = try await client.downloadData("gone") }
        #expect(transport.requestCount == 2)
        let strict = client.with { $0.validation.statusCodes = StatusCodeSet(200...299) }
        for _ in 0..<2 { await #expect(throws: NetworkError.self) { try await strict.downloadData("gone") } }
        #expect(transport.requestCount == 4)
        for _ in 0..<2 { _ = try await client.downloadData("secret") }
        #expect(transport.requestCount == 6)
        configuration.keepsNoStore = true
        let willing = client.with { [configuration] in $0.appCache = AppCache(configuration) }
        for _ in 0..<2 { _ = try await willing.downloadData("secret") }
        #expect(transport.requestCount == 7)
    }

    @Test("Images and data are stored separately, return without a request, and each has its own file")
    func images() async throws {
        let folder = BlobStoreTests.Folder()
        let png = Data([
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 7, 0, 0, 0, 9,
        ])
        let transport = StubServer(precedence: .first)
        transport.on("/a.png", response: StubResponse(body: png))
        transport.on("/text", response: .text("no image"))
        var configuration = AppCacheConfiguration()
        configuration.diskPath = folder.path
        configuration.sweepsAtStart = false
        configuration.encryptionKey = .random()
        let client = APIClient.scripted(transport) { [configuration] in $0.appCache = AppCache(configuration) }
        #expect(await client.imageFromCache("a.png") == nil)
        let image = try await client.downloadImage("a.png")
        #expect(image.type.mime == "image/png" && image.pixelSize == NetworkImage.PixelSize(width: 7, height: 9))
        #expect(try await client.downloadImage("a.png") == image)
        #expect(await client.imageFromCache("a.png") == image)
        #expect(await client.dataFromCache("a.png") == nil)
        #expect(transport.requestCount == 1)
        let file = try #require(await client.imageDestinationURL(for: "a.png"))
        let kept = try Data(contentsOf: file)
        #expect(kept.range(of: png.prefix(8)) == nil, "it is encrypted")
        #expect(await client.destinationURL(for: "a.png") != file)
        await #expect(throws: NetworkError.self) { try await client.downloadImage("text") }
        #expect(await client.imageFromCache("text") == nil)
        await client.clearCache()
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(transport.requestCount == 2)
    }

    @Test("A cache lookup does not wait for the rate limit and does not read the HTTP cache")
    func lookUp() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x", response: .text("x").header(.cacheControl, value: "max-age=60"))
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        let client = APIClient.scripted(transport) { [configuration] in
            $0.appCache = AppCache(configuration)
            $0.caching.httpCache = Self.memory()
            // With no permits left, a request would wait for an hour.
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(3600))
        }
        _ = try await client.call(.get, "x").data()
        #expect(await client.dataFromCache("x", cachingLevel: .memory) == nil)
        #expect(await client.destinationURL(for: "x") == nil)
        #expect(transport.requestCount == 1)
    }

    @Test("Responses report what the cache did, and a new cache configuration keeps the stored responses")
    func reports() async throws {
        let folder = BlobStoreTests.Folder()
        let transport = StubServer(precedence: .first)
        transport.on("/x", response: .text("x").header(.cacheControl, value: "max-age=60"))
        let client = APIClient.scripted(transport)
        client.updateCacheConfiguration(CacheConfiguration(diskPath: folder.path))
        #expect(try await client.call(.get, "x").response().response.cacheReport?.isStored == true)
        let view = client.with { $0.headers = [:] }
        client.updateCacheConfiguration(
            CacheConfiguration(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: folder.path))
        #expect(await client.configuration.caching.httpCache?.usesDisk == true)
        #expect(try await client.call(.get, "x").response().response.cacheReport?.isHit == true)
        #expect(try await view.call(.get, "x").stream().cacheReport?.isHit == true)
        client.updateDefaultCacheStrategy(.reloadIgnoringLocalCacheData)
        #expect(try await client.call(.get, "x").response().response.cacheReport?.isHit == false)
        #expect(transport.requestCount == 2)
    }

    @Test("A cache hit sets no cookie again, and is reported as an event")
    func cookies() async throws {
        let transport = StubServer(precedence: .first)
        // The second cookie is for another path: the response sets it, and no request sends it.
        transport.on("/x") { _ in
            var response = StubResponse.text("x").header(.cacheControl, value: "max-age=60")
            for cookie in ["a=1; Path=/", "b=2; Path=/other"] {
                response.headerFields.append(HTTPField(name: .setCookie, value: cookie))
            }
            return response
        }
        let jar = MemoryCookieStore()
        let reports = ReportLog()
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = Self.memory()
            $0.cookies = jar
            $0.logging.onEvent = { event in if case .cache(let event) = event { reports.add(event.report) } }
        }
        // The first response sets the cookie, so the second request is another variant; the third is a hit.
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        #expect(await jar.cookies.map(\.name) == ["a", "b"])
        let origin = try CookieOrigin("https://api.test/x")
        await jar.withJar { jar in
            jar = CookieJar([])
            _ = jar.receive(Array("a=1; Path=/".utf8), from: origin, at: Date())
        }
        _ = try await client.call(.get, "x").data()
        #expect(transport.requestCount == 2)
        #expect(reports.all.map(\.isHit) == [false, false, true])
        #expect(await jar.cookies.map(\.name) == ["a"])
    }

    @Test("The metrics of a call report what the cache did, and why")
    func metrics() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x") { request in
            guard request.index == 0 else { return StubResponse.status(.notModified) }
            return .text("x").header(.cacheControl, value: "max-age=60").header(.eTag, value: "\"1\"")
        }
        let reports = ReportLog()
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = Self.memory()
            $0.logging.onEvent = { event in
                if case .completed(let call) = event, let report = call.metrics?.cache { reports.add(report) }
            }
        }
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        _ = try await client.with { $0.caching.strategy = .reloadRevalidatingCacheData }.call(.get, "x").data()
        #expect(reports.all.map(\.forward) == [.uriMiss, nil, .request])
        #expect(reports.all.map(\.isStored) == [true, false, false])
        #expect(reports.all.map(\.isRevalidated) == [false, false, true])
    }

    @Test("SMA12: returnCacheDataDontLoad does not wait while StopTheLine holds requests")
    func stoppedLine() async throws {
        let (transport, gate) = (StubServer(precedence: .first), Gate())
        transport.on("/x", response: .status(.unauthorized))
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = Self.memory()
            $0.stopTheLine = Line { _, _ in
                try await gate.wait()
                return .useOriginal
            }
        }
        let first = Task { try await client.call(.get, "x").void() }
        try await gate.waiting()
        let patient = client.with { $0.caching.strategy = .returnCacheDataDontLoad }
        let error = await #expect(throws: NetworkError.self) { try await patient.call(.get, "y").void() }
        guard case .urlError(let cause) = error else { return #expect(Bool(false)) }
        #expect(cause.code == .cannotLoadFromNetwork && transport.requestCount == 1)
        await #expect(throws: NetworkError.self) {
            try await client.call(.get, "y", headers: ["Cache-Control": "only-if-cached"]).void()
        }
        #expect(transport.requestCount == 1)
        gate.open()
        await #expect(throws: NetworkError.self) { try await first.value }
    }

    @Test("SMA12: a cache-only request refreshes no token and does not wait for a refresh")
    func token() async throws {
        let (transport, clock, gate, refreshes) = (StubServer(precedence: .first), TestClock(), Gate(), Counter())
        transport.on("/x", response: .text("x").header(.cacheControl, value: "max-age=60"))
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        configuration.sweepsAtStart = false
        let end = clock.date.addingTimeInterval(60)
        let token = RefreshingToken(AccessToken("t0", expiration: end)) { _ in
            refreshes.next()
            try await gate.wait()
            return AccessToken("t1")
        }
        let client = APIClient.scripted(transport) { [configuration] in
            $0.time = clock.timeSource
            $0.caching.httpCache = Self.memory()
            $0.appCache = AppCache(configuration, time: clock.timeSource)
            $0.authentication = .refreshing(token)
        }
        _ = try await client.downloadData("x", cachingLevel: .memory)
        clock.advance(by: .seconds(3600))
        let patient = client.with { $0.caching.strategy = .returnCacheDataDontLoad }
        func look() async throws {
            #expect(try await patient.call(.get, "x").data() == Data("x".utf8))
            #expect(await client.dataFromCache("x", cachingLevel: .memory) == Data("x".utf8))
            await #expect(throws: NetworkError.self) { try await patient.call(.get, "y").void() }
        }
        try await look()
        #expect(refreshes.count == 0)
        // A request that is sent does refresh the token.
        let sending = Task { try await client.call(.get, "x").void() }
        try await gate.waiting()
        try await look()
        #expect(refreshes.count == 1 && transport.requestCount == 1)
        gate.open()
        try await sending.value
        #expect(transport.requests.last?.header(.authorization) == "Bearer t1")
        #expect(await client.dataFromCache("x", cachingLevel: .memory) == nil, "a new token has its own partition")
    }

    @Test(
        "only-if-cached refreshes no token, wherever it is set, unless the request is sent anyway",
        arguments: ["call", "client", "interceptor"])
    func onlyIfCached(place: String) async throws {
        let (transport, clock, refreshes) = (StubServer(precedence: .first), TestClock(), Counter())
        transport.on("/x", response: .text("x").header(.cacheControl, value: "max-age=86400"))
        let token = RefreshingToken(AccessToken("t0", expiration: clock.date.addingTimeInterval(60))) { _ in
            refreshes.next()
            return AccessToken("t1")
        }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.caching.httpCache = Self.memory()
            $0.authentication = .refreshing(token)
        }
        _ = try await client.call(.get, "x").data()
        clock.advance(by: .seconds(3600))
        let said = ["Cache-Control": "only-if-cached"]
        let patient = client.with {
            if place == "client" { $0.headers = said }
            guard place == "interceptor" else { return }
            $0.interceptors = [
                Interceptor { request, next in
                    var request = request
                    request.head.headerFields[.cacheControl] = "only-if-cached"
                    return try await next(request)
                }
            ]
        }
        func send(_ method: RequestMethod, _ path: String) async throws -> Data {
            try await patient.call(method, path, headers: place == "call" ? said : [:]).data()
        }
        #expect(try await send(.get, "x") == Data("x".utf8))
        await #expect(throws: NetworkError.self) { try await send(.get, "y") }
        #expect(refreshes.count == 0 && transport.requestCount == 1)
        // A stored response never answers an unsafe request.
        _ = try await send(.post, "x")
        #expect(refreshes.count == 1 && transport.requestCount == 2)
        #expect(transport.requests.last?.header(.authorization) == "Bearer t1")
    }

    @Test("A token refused by the server is refreshed if a step removed only-if-cached")
    func askedAfterAll() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x") { request in
            guard request.head.headerFields[.authorization] == "new" else { return .status(.unauthorized) }
            return .text("x")
        }
        let insistent = Interceptor { request, next in
            var request = request
            request.head.headerFields[.cacheControl] = nil
            return try await next(request)
        }
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = Self.memory()
            $0.interceptors = [insistent, AuthRefreshInterceptor { "new" }.interceptor]
        }
        let data = try await client.call(.get, "x", headers: ["Cache-Control": "only-if-cached"]).data()
        #expect(data == Data("x".utf8) && transport.requestCount == 2)
    }

    @Test("returnCacheDataDontLoad refreshes no token for a request that an interceptor created")
    func madeAnew() async throws {
        let (transport, clock, refreshes) = (StubServer(precedence: .first), TestClock(), Counter())
        let token = RefreshingToken(AccessToken("t0", expiration: clock.date.addingTimeInterval(60))) { _ in
            refreshes.next()
            return AccessToken("t1")
        }
        clock.advance(by: .seconds(3600))
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.caching.httpCache = Self.memory()
            $0.caching.strategy = .returnCacheDataDontLoad
            $0.authentication = .refreshing(token)
            $0.interceptors = [Interceptor { request, next in try await next(TransportRequest(head: request.head)) }]
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(refreshes.count == 0 && transport.requestCount == 0)
    }

    @Test("Responses that the cache generates or serves are not retried", arguments: ["x", "down"], [false, true])
    func notRetried(path: String, isIdentified: Bool) async throws {
        let (transport, clock) = (StubServer(precedence: .first), TestClock())
        transport.on(
            "/down", response: StubResponse.status(.serviceUnavailable).header(.cacheControl, value: "max-age=60"))
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = Self.memory()
            $0.time = clock.timeSource
            // The cache cannot partition responses by this identity.
            if isIdentified { $0.tls.identity = TLSIdentity(certificates: .text("")) }
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "down").void() }
        let eager = client.with { $0.retry = RetryPolicy() }
        await #expect(throws: NetworkError.self) {
            try await eager.call(.get, path, headers: ["Cache-Control": "only-if-cached"]).void()
        }
        #expect(transport.requestCount == 1 && clock.waits.isEmpty)
    }

    @Test("An undecodable response is not stored in the AppCache")
    func undecodable() async throws {
        let transport = StubServer(inOrder: [.json("{}"), .json("[1]")])
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        let client = APIClient.scripted(transport) { [configuration] in $0.appCache = AppCache(configuration) }
        await #expect(throws: NetworkError.self) { let _: [Int] = try await client.get("x", cachingLevel: .memory) }
        let numbers: [Int] = try await client.get("x", cachingLevel: .memory)
        #expect(numbers == [1])
        #expect(await client.dataFromCache("x", cachingLevel: .memory) == nil)
    }
}

/// The reports of a cache, in order.
private final class ReportLog: Sendable {
    private let reports = Mutex<[CacheReport]>([])
    var all: [CacheReport] { reports.withLock { $0 } }
    func add(_ report: CacheReport) { reports.withLock { $0.append(report) } }
}
