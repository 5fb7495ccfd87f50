// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

/// The requests of clients with a store, as the transport sees them.
@Suite("HSTS of a client", .timeLimit(.minutes(5)))
struct HSTSClientTests {
    private static let field = HTTPFields([HTTPField(name: .strictTransportSecurity, value: "max-age=1000")])

    private static func store(_ hosts: String...) -> HSTSStore {
        let store = HSTSStore()
        for host in hosts { store.add(host, includesSubdomains: true, for: .seconds(1000)) }
        return store
    }

    private static func redirect(to url: String) -> StubResponse {
        StubResponse(status: .found, headerFields: [.location: url])
    }

    private static func urls(_ server: StubServer) -> [String] {
        server.requests.map { "\($0.head.scheme ?? "")://\($0.head.authority ?? "")\($0.head.path ?? "")" }
    }

    @Test(
        "An http URL of a known host becomes https; port 80 becomes 443, and other ports are kept",
        arguments: [
            ("http://known.example/a?b=c", "https://known.example/a?b=c"),
            ("http://known.example:80/", "https://known.example/"),
            ("http://known.example:443/", "https://known.example/"),
            ("http://known.example:8080/", "https://known.example:8080/"),
            ("http://KNOWN.example./", "https://known.example./"),
            ("http://a.known.example/", "https://a.known.example/"),
            ("https://known.example:80/", "https://known.example:80/"),
            ("http://unknown.example/", "http://unknown.example/"), ("http://127.0.0.1/", "http://127.0.0.1/"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
        ])
    func upgrade(url: String, sent: String) async throws {
        let server = StubServer { _ in .text("") }
        let client = APIClient.scripted(server, baseURL: nil) { $0.hsts = Self.store("known.example", "127.0.0.1") }
        let response = try await client.call(.get, url).response()
        #expect(Self.urls(server) == [sent])
        #expect(response.response.url == sent)
    }

    @Test("Without a store nothing is upgraded, and the field is ignored")
    func off() async throws {
        let server = StubServer { _ in StubResponse(headerFields: Self.field) }
        let client = APIClient.scripted(server, baseURL: nil)
        for url in ["https://a.example/", "http://a.example/"] { try await client.call(.get, url).void() }
        #expect(Self.urls(server) == ["https://a.example/", "http://a.example/"])
    }

    @Test("The field is learned only over https, and never from addresses")
    func learning() async throws {
        let server = StubServer { _ in StubResponse(headerFields: Self.field) }
        let store = HSTSStore()
        let client = APIClient.scripted(server, baseURL: nil) { $0.hsts = store }
        for url in ["http://a.example/", "https://127.0.0.1/", "https://[::1]/"] {
            try await client.call(.get, url).void()
        }
        #expect(store.hosts.isEmpty)
        try await client.call(.get, "https://a.example:8443/").void()
        #expect(store.hosts.map(\.name) == ["a.example"])
        #expect(store.hosts.map(\.includesSubdomains) == [false])
    }

    @Test("The field is not learned if the program replaces the verification, or verifies another name")
    func unverified() async throws {
        let server = StubServer { _ in StubResponse(headerFields: Self.field) }
        let store = HSTSStore()
        let client = APIClient.scripted(server, baseURL: nil) { $0.hsts = store }
        let unsafe = TLSEvaluation.unsafeInsteadOfVerification { _ in }
        try await client.with { $0.tls.evaluation = unsafe }.call(.get, "https://a.example/").void()
        var rule = TLSOptions()
        rule.evaluation = unsafe
        try await client.with { $0.tls.rules = [TLSRule(host: "b.example", options: rule)] }.call(
            .get, "https://b.example/"
        ).void()
        try await client.with { $0.tls.serverName = "other.example" }.call(.get, "https://c.example/").void()
        #expect(store.hosts.isEmpty)
        try await client.with { $0.tls.evaluation = .afterVerification { _ in } }.call(.get, "https://d.example/")
            .void()
        #expect(store.hosts.map(\.name) == ["d.example"])
    }

    @Test("Only the first of several fields counts")
    func first() async throws {
        var fields = HTTPFields()
        for value in ["max-age=broken", "max-age=1000"] {
            fields.append(HTTPField(name: .strictTransportSecurity, value: value))
        }
        let sent = fields
        let store = HSTSStore()
        let client = APIClient.scripted(StubServer { _ in StubResponse(headerFields: sent) }) { $0.hsts = store }
        try await client.call(.get, "a").void()
        #expect(store.hosts.isEmpty)
    }

    @Test("An error response counts, and the next request of the same client is upgraded")
    func errors() async throws {
        let server = StubServer { _ in StubResponse(status: .notFound, headerFields: Self.field) }
        let client = APIClient.scripted(server, baseURL: nil) { $0.hsts = HSTSStore() }
        _ = try? await client.call(.get, "https://a.example/").void()
        _ = try? await client.call(.get, "http://a.example/").void()
        #expect(Self.urls(server) == ["https://a.example/", "https://a.example/"])
    }

    @Test("Each redirect is upgraded before it is sent, so a redirect to http of a known host is no downgrade")
    func redirects() async throws {
        let server = StubServer { request in
            switch request.head.path {
            case "/1": return Self.redirect(to: "http://b.example/2")
            case "/2": return Self.redirect(to: "http://b.example:8080/3")
            case "/3":
                var response = Self.redirect(to: "http://c.example/4")
                response.headerFields[.strictTransportSecurity] = "max-age=5"
                return response
            default: return .text("end")
            }
        }
        let store = Self.store("a.example", "b.example", "c.example")
        let client = APIClient.scripted(server, baseURL: nil) { $0.hsts = store }
        let response = try await client.call(.get, "http://a.example/1").response()
        let sent = [
            "https://a.example/1", "https://b.example/2", "https://b.example:8080/3", "https://c.example/4",
        ]
        #expect(Self.urls(server) == sent)
        #expect(response.response.redirects.map(\.to) == Array(sent.dropFirst()))
        // A redirect to http of an unknown host is still refused.
        store.remove("c.example")
        await #expect(throws: NetworkError.self) { try await client.call(.get, "http://a.example/1").void() }
    }

    @Test("A redirect that the program changes is upgraded, too")
    func changed() async throws {
        let server = StubServer { request in request.head.path == "/1" ? Self.redirect(to: "/2") : .text("") }
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.hsts = Self.store("known.example")
            $0.redirects = .custom { proposal in
                var request = proposal.request
                request.head.scheme = "http"
                request.head.authority = "known.example"
                return .change(request)
            }
        }
        try await client.call(.get, "https://a.example/1").void()
        #expect(Self.urls(server) == ["https://a.example/1", "https://known.example/2"])
    }

    @Test("A request whose URL an interceptor changes to http of a known host is sent over TLS")
    func interceptor() async throws {
        let server = StubServer { _ in .text("") }
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.hsts = Self.store("known.example")
            $0.interceptors = [
                Interceptor { request, next in
                    var request = request
                    (request.head.scheme, request.head.authority) = ("http", "known.example:80")
                    return try await next(request)
                }
            ]
        }
        try await client.call(.get, "https://a.example/1").void()
        #expect(Self.urls(server) == ["https://known.example/1"])
    }

    /// Returns an interceptor that sends each request to another server.
    private static func moving(to scheme: String, _ authority: String) -> Interceptor {
        Interceptor { request, next in
            var request = request
            (request.head.scheme, request.head.authority) = (scheme, authority)
            return try await next(request)
        }
    }

    @Test("A request that a network interceptor moves to http of a known host is sent over TLS")
    func networkInterceptor() async throws {
        let server = StubServer { _ in .text("") }
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.hsts = Self.store("known.example")
            $0.networkInterceptors = [Self.moving(to: "http", "known.example:80")]
        }
        try await client.call(.get, "https://a.example/1").void()
        #expect(Self.urls(server) == ["https://known.example/1"])
    }

    @Test(
        "The field counts for the host that the request is sent to, after all network interceptors",
        arguments: [("http", "a.example", []), ("http", "b.example", []), ("https", "b.example", ["b.example"])]
            as [(String, String, [String])])
    func learningLast(scheme: String, host: String, known: [String]) async throws {
        let server = StubServer { _ in StubResponse(headerFields: Self.field) }
        let store = HSTSStore()
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.hsts = store
            $0.networkInterceptors = [Self.moving(to: scheme, host)]
        }
        try await client.call(.get, "https://a.example/").void()
        #expect(Self.urls(server) == ["\(scheme)://\(host)/"])
        #expect(store.hosts.map(\.name) == known)
    }

    @Test("The field of a response that a network interceptor makes itself does not count")
    func made() async throws {
        let store = HSTSStore()
        let client = APIClient.scripted(StubServer { _ in .text("") }) {
            $0.hsts = store
            $0.networkInterceptors = [
                Interceptor { _, _ in
                    TransportResponse(head: HTTPResponse(status: .ok, headerFields: Self.field))
                }
            ]
        }
        try await client.call(.get, "a").void()
        #expect(store.hosts.isEmpty)
    }

    @Test("Network interceptors see the https URL of a request that an interceptor changed to http of a known host")
    func seen() async throws {
        let urls = SharedState([String]())
        let client = APIClient.scripted(StubServer { _ in .text("") }, baseURL: nil) {
            $0.hsts = Self.store("known.example")
            $0.interceptors = [Self.moving(to: "http", "known.example")]
            $0.networkInterceptors = [
                Interceptor { request, next in
                    urls.withLock { $0.append(request.urlString) }
                    return try await next(request)
                }
            ]
        }
        try await client.call(.get, "https://a.example/1").void()
        #expect(urls.withLock { $0 } == ["https://known.example/1"])
    }

    @Test("The credentials and Secure cookies of an http base URL go to the https origin, and no byte before")
    func credentials() async throws {
        let server = StubServer { _ in .text("") }
        let cookies = MemoryCookieStore()
        _ = await cookies.withJar { try? $0.receive("a=1; Secure", from: "https://known.example/") }
        let client = APIClient.scripted(server, baseURL: "http://known.example/v1") {
            $0.hsts = Self.store("known.example")
            $0.authentication = .bearer("token")
            $0.cookies = cookies
        }
        try await client.call(.get, "a").void()
        #expect(Self.urls(server) == ["https://known.example/v1/a"])
        #expect(server.requests.first?.head.headerFields[.authorization] == "Bearer token")
        #expect(server.requests.first?.head.headerFields[.cookie] == "a=1")
        // The base of an unknown host stays as it is.
        let other = APIClient.scripted(server, baseURL: "http://unknown.example") {
            $0.hsts = Self.store("known.example")
            $0.authentication = .bearer("token")
        }
        try await other.call(.get, "a").void()
        #expect(Self.urls(server).last == "http://unknown.example/a")
        #expect(server.requests.last?.head.headerFields[.authorization] == "Bearer token")
    }

    @Test("Credentials do not follow a redirect that was upgraded to another host")
    func crossing() async throws {
        let server = StubServer { request in
            request.head.authority == "a.example" ? Self.redirect(to: "http://b.example/") : .text("")
        }
        let client = APIClient.scripted(server, baseURL: "http://a.example") {
            $0.hsts = Self.store("a.example", "b.example")
            $0.authentication = .bearer("token")
        }
        try await client.call(.get, "").void()
        #expect(Self.urls(server).last == "https://b.example/")
        #expect(server.requests.last?.head.headerFields[.authorization] == nil)
    }

    @Test("A response of the cache is found under the https URL, and teaches nothing")
    func cache() async throws {
        let server = StubServer { _ in
            var response = StubResponse.text("a")
            response.headerFields[.cacheControl] = "max-age=1000"
            response.headerFields[.strictTransportSecurity] = "max-age=1000"
            return response
        }
        let store = HSTSStore()
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.hsts = store
            $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        }
        _ = try await client.call(.get, "https://a.example/").data()
        #expect(try await client.call(.get, "http://a.example/").data() == Data("a".utf8))
        #expect(server.requestCount == 1)
        store.remove("a.example")
        _ = try await client.call(.get, "https://a.example/").data()
        #expect(server.requestCount == 1 && store.hosts.isEmpty)
    }
}
