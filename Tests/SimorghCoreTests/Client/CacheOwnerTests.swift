// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

/// Cached responses that must never be served to another user.
@Suite("Partitioning of cached responses", .timeLimit(.minutes(5)))
struct CacheOwnerTests {
    static func tokenBelow(_ token: String) -> Interceptor {
        Interceptor { request, next in
            var request = request
            request.head.headerFields[.authorization] = token
            return try await next(request)
        }
    }

    static func appCache() -> AppCache {
        var configuration = AppCacheConfiguration()
        configuration.diskCapacity = 0
        return AppCache(configuration)
    }

    /// A server that echoes the credentials of the request.
    static func mirror(_ control: String = "max-age=60") -> StubServer {
        let transport = StubServer(precedence: .first)
        transport.on("/me") { request in
            let fields = request.head.headerFields
            return .text([.authorization, .cookie, .acceptLanguage].map { fields[$0] ?? "" }.joined(separator: "|"))
                .header(.cacheControl, value: control)
        }
        return transport
    }

    @Test("Credentials that a network interceptor adds separate users, although the cache is above it")
    func below() async throws {
        let transport = Self.mirror()
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = CachedClientTests.memory()
            $0.appCache = Self.appCache()
        }
        for token in ["a", "b", "a"] {
            let view = client.with { $0.networkInterceptors = [Self.tokenBelow(token)] }
            #expect(try await view.call(.get, "me").data() == Data("\(token)||".utf8))
            #expect(try await view.downloadData("me", cachingLevel: .memory) == Data("\(token)||".utf8))
        }
        #expect(await client.configuration.caching.httpCache?.usage().memoryCount == 0)
    }

    @Test("A network interceptor that changes no credentials does not prevent caching")
    func logging() async throws {
        let transport = Self.mirror()
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = CachedClientTests.memory()
            $0.networkInterceptors = [Interceptor { request, next in try await next(request) }]
        }
        for _ in 0..<3 { _ = try await client.call(.get, "me").data() }
        #expect(transport.requestCount == 1)
    }

    @Test("A response that varies by a field set in a network interceptor is not cached")
    func varies() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(
            "/x",
            response: .text("x").header(.cacheControl, value: "max-age=60").header(.vary, value: "Accept-Language"))
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = CachedClientTests.memory()
            $0.networkInterceptors = [
                Interceptor { request, next in
                    var request = request
                    request.head.headerFields[.acceptLanguage] = "fa"
                    return try await next(request)
                }
            ]
        }
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 2)
    }

    @Test("A response to a request with a cookie is not served for another cookie unless it is public")
    func cookies() async throws {
        for (control, count) in [("max-age=60", 2), ("max-age=60, public", 1)] {
            let transport = Self.mirror(control)
            let client = APIClient.scripted(transport) { $0.caching.httpCache = CachedClientTests.memory() }
            for sid in ["1", "2", "2", "1"] {
                let data = try await client.call(.get, "me", headers: ["Cookie": "sid=\(sid)"]).data()
                if count == 2 { #expect(data == Data("|sid=\(sid)|".utf8)) }
            }
            #expect(transport.requestCount == count)
        }
    }

    @Test("The AppCache separates users by their cookies and responses by Accept-Language")
    func appCacheCookies() async throws {
        let transport = Self.mirror("no-cache")
        let jar = MemoryCookieStore()
        let client = APIClient.scripted(transport) {
            $0.appCache = Self.appCache()
            $0.cookies = jar
        }
        let origin = try CookieOrigin("https://api.test/me")
        for sid in ["1", "2", "1"] {
            await jar.withJar { jar in
                jar = CookieJar([])
                _ = jar.receive(Array("sid=\(sid)".utf8), from: origin, at: Date())
            }
            let data = try await client.downloadData("me", cachingLevel: .memory)
            #expect(String(decoding: data, as: UTF8.self).contains("sid=\(sid)"))
        }
        #expect(transport.requestCount == 2)
        let plain = APIClient.scripted(Self.mirror()) { $0.appCache = Self.appCache() }
        for language in ["fr", "en"] {
            let view = plain.with { $0.headers["Accept-Language"] = language }
            let data = try await view.downloadData("me", cachingLevel: .memory)
            #expect(data == Data("||\(language)".utf8))
        }
    }

    @Test("Another socket, address or trust has its own partition; responses of unverified servers are not cached")
    func surroundings() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x", response: .text("x").header(.cacheControl, value: "max-age=60"))
        let client = APIClient.scripted(transport, baseURL: "https://a.example") {
            $0.caching.httpCache = CachedClientTests.memory()
        }
        let views = [
            client, client.with { $0.route.unixSocket = "/a.sock" }, client.with { $0.route.unixSocket = "/b.sock" },
            client.with { $0.route.addresses = ["a.example:443": ["127.0.0.1"]] },
            client.with { $0.tls.serverName = "b.example" }, client.with { $0.tls.trust = .only([.text("one")]) },
            client.with { $0.tls.trust = .only([.text("two")]) }, client.with { $0.tls.trust = .only([.file("two")]) },
            client.with { $0.tls.trust = .systemAnd([.text("one")]) },
            client.with { $0.tls.trust = .systemAnd([.text("two")]) },
            // Two custom trust evaluators are never equal.
            client.with { $0.tls.evaluation = .afterVerification { _ in } },
            client.with { $0.tls.evaluation = .afterVerification { _ in } },
        ]
        for _ in 0..<2 {
            for view in views { _ = try await view.call(.get, "x").data() }
        }
        #expect(transport.requestCount == views.count)
        let unverified = client.with { $0.tls.evaluation = .unsafeInsteadOfVerification { _ in } }
        for _ in 0..<2 { _ = try await unverified.call(.get, "x").data() }
        #expect(transport.requestCount == views.count + 2)
    }

    @Test("Over plain HTTP, responses through different proxies, or without one, have separate partitions")
    func proxies() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x", response: .text("x").header(.cacheControl, value: "max-age=60"))
        func count(_ baseURL: String) async throws -> Int {
            let before = transport.requestCount
            let client = APIClient.scripted(transport, baseURL: baseURL) {
                $0.caching.httpCache = CachedClientTests.memory()
            }
            let views = [
                client, client.with { $0.route.proxy = .url("http://a.example:3128") },
                client.with { $0.route.proxy = .url("http://b.example:3128") },
                client.with { $0.route.proxy = .url("http://zal:feather@b.example:3128") },
                // The proxy is bypassed for this host, so the partition is the one without a proxy.
                client.with { $0.route.proxy = .url("http://b.example:3128", bypass: "api.example") },
            ]
            for _ in 0..<2 {
                for view in views { _ = try await view.call(.get, "x").data() }
            }
            return transport.requestCount - before
        }
        #expect(try await count("http://api.example") == 4)
        #expect(try await count("https://api.example") == 1)
    }

    @Test("Cookies of a stored response are not set again: not by a hit, a 304 or stale-if-error")
    func storedCookies() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x") { request in
            guard request.head.headerFields[.ifNoneMatch] == nil else {
                return .status(.notModified).header(.setCookie, value: "new=1")
            }
            return .text("x").header(.eTag, value: "\"1\"").header(.cacheControl, value: "no-cache, public")
                .header(.setCookie, value: "old=1")
        }
        let jar = MemoryCookieStore()
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = CachedClientTests.memory()
            $0.cookies = jar
        }
        func names() async -> Set<String> { Set(await jar.withJar { $0.cookies.map(\.name) }) }
        _ = try await client.call(.get, "x").data()
        #expect(await names() == ["old"])
        await jar.withJar { $0 = CookieJar([]) }
        _ = try await client.call(.get, "x").data()
        #expect(transport.requestCount == 2)
        #expect(await names() == ["new"])
        await jar.withJar { $0 = CookieJar([]) }
        _ = try await client.call(.get, "x").with { $0.caching.strategy = .returnCacheDataElseLoad }
            .data()
        #expect(await names() == [])
    }

    @Test("A successful unsafe request invalidates the URL for all users, even if the request itself is not cacheable")
    func invalidation() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/x", response: .text("x").header(.cacheControl, value: "max-age=60"))
        let client = APIClient.scripted(transport) { $0.caching.httpCache = CachedClientTests.memory() }
        _ = try await client.call(.get, "x").data()
        _ = try await client.call(.get, "x", headers: ["Authorization": "a"]).data()
        #expect(await client.configuration.caching.httpCache?.usage().memoryCount == 2)
        _ = try await client.call(.post, "x", headers: ["Authorization": "b"]).data()
        #expect(await client.configuration.caching.httpCache?.usage().memoryCount == 0)
        _ = try await client.call(.get, "x").data()
        _ = try await client.call(.put, "x").with { $0.tls.identity = TLSIdentity(certificates: .text("")) }.data()
        #expect(await client.configuration.caching.httpCache?.usage().memoryCount == 0)
    }

    @Test("Credentials in Vary selectors are not stored in plain text")
    func secrets() throws {
        let stored = StoredResponse.sample([("Vary", "Authorization, Cookie, Accept")])
        let selectors = try #require(
            CacheVary.selectors(
                for: stored.fields, control: stored.control,
                request: .sample([("Authorization", "Bearer s3cret"), ("Cookie", "sid=s3cret"), ("Accept", "a/b")])))
        let bytes = Data(stored.changed { $0.selectors = selectors }.encoded)
        #expect(bytes.range(of: Data("s3cret".utf8)) == nil && bytes.range(of: Data("a/b".utf8)) != nil)
    }
}
