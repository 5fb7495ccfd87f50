// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("Pages and origins", .timeLimit(.minutes(2)))
struct PageOriginTests {
    private static let first = "https://api.test/v1/list"

    /// Returns the first error of an iteration over a list whose first page has a next link.
    private static func error(next link: String, allowing origins: Set<String> = []) async -> (PageError?, [String]) {
        let server = StubServer { request in
            request.url == first ? .json([1]).header(.link, value: "<\(link)>; rel=next") : .json([2])
        }
        let pages = APIClient.scripted(server, baseURL: nil).pages(of: Int.self, first, by: .linkHeader)
            .with { $0.allowedOrigins = origins }
        do {
            _ = try await pages.elements.collect()
            return (nil, server.requests.map(\.url))
        } catch {
            return ((error as? NetworkError)?.underlyingError as? PageError, server.requests.map(\.url))
        }
    }

    @Test(
        "A next page at another origin is not requested",
        arguments: [
            "https://evil.test/", "//evil.test/x", "http://api.test/v1/list?page=2", "https://api.test:444/v1/list",
            "https://api.test.evil.test/", "https://sub.api.test/", "HTTPS://EVIL.test", "///evil.test/../x",
            "http+unix://%2Frun%2Fdocker.sock/x", "https+unix://%2Frun%2Fdocker.sock/x",
        ])
    func refused(link: String) async {
        let (error, requests) = await Self.error(next: link)
        #expect(error?.reason == .otherOrigin || link.hasPrefix("///") && error?.reason == .invalidURL)
        #expect(requests == [Self.first])
    }

    @Test(
        "A URL that is invalid, not of HTTP, or has a user name is an error, even if its origin is allowed",
        arguments: [
            "https:evil.test", "https:/evil.test", "https://user@api.test/", "https://api.test@evil.test/",
            "https://u:p@api.test/", "https://evil.test\\@api.test/", "ftp://api.test/", "file:///etc/passwd",
            "javascript:alert(1)", "data:,x", "https://", "https://api.test:99999/", "https://[::1/", "https://a b/",
            "https://\u{FFFD}/", "https://127.1/",
        ])
    func invalid(link: String) async {
        let (error, requests) = await Self.error(next: link, allowing: ["https://evil.test", "https://api.test"])
        #expect(error?.reason == .invalidURL)
        #expect(requests == [Self.first])
    }

    @Test(
        "Other spellings of the same origin are followed",
        arguments: [
            ("HTTPS://API.TEST:443/v1/list?page=2", "https://api.test/v1/list?page=2"),
            ("//api.test/x", "https://api.test/x"), ("\\\\evil.test/x", "https://api.test/v1/%5C%5Cevil.test/x"),
            ("/\\evil.test", "https://api.test/%5Cevil.test"), ("/a/../../b", "https://api.test/b"),
            ("x?u=https://evil.test/", "https://api.test/v1/x?u=https://evil.test/"),
            ("./https:evil.test", "https://api.test/v1/https:evil.test"),
        ])
    func same(link: String, url: String) async {
        let (error, requests) = await Self.error(next: link)
        #expect(error == nil)
        #expect(requests == [Self.first, url])
    }

    /// A client with a credential of each kind.
    private static func client(_ server: StubServer, auth: Authentication) -> APIClient {
        APIClient.scripted(server) {
            $0.authentication = auth
            $0.headers = [
                "X-API-Key": "secret-1", "X-Custom": "secret-2", "Referer": "https://api.test/secret-3",
                "Accept-Language": "fa",
            ]
            $0.query = ["key": "secret-4"]
            $0.cookies = MemoryCookieStore([
                StoredCookie(name: "a", value: "secret-5", domain: "api.test"),
                StoredCookie(name: "b", value: "secret-6", domain: "other.test"),
            ])
            $0.interceptors = [
                Interceptor { request, next in
                    var request = request
                    request.head.headerFields[.authorization] = "Bearer secret-7"
                    request.head.headerFields[.known("X-Signature-Of-Mine")] = "secret-8"
                    return try await next(request)
                }
            ]
            $0.networkInterceptors = [
                Interceptor { request, next in
                    var request = request
                    request.head.headerFields[.known("X-Late")] = "secret-9"
                    return try await next(request)
                }
            ]
            $0.requestIDHeader = "X-Secret-ID"
        }
    }

    @Test(
        "An allowed origin gets no credential of any kind, and neither does a link back",
        arguments: ["base", "everywhere", "limited", "query key"])
    func credentials(kind: String) async throws {
        let auth: Authentication =
            switch kind {
            case "everywhere": .bearer("secret-0").everywhere()
            case "limited": .bearer("secret-0").limited(to: ["https://other.test", "https://api.test"])
            case "query key": .apiKey("secret-0", name: "k", in: .query).everywhere()
            default: .bearer("secret-0")
            }
        let server = StubServer { request in
            switch request.path {
            case "/list": .json([1]).header(.link, value: "<https://other.test/2>; rel=next")
            case "/2": .json([2]).header(.link, value: "<https://api.test/3>; rel=next")
            default: .json([3])
            }
        }
        let headers = ["Cookie": "c=secret-10", "X-Tenant": "secret-11", "If-None-Match": "\"secret-12\""]
        let pages = Self.client(server, auth: auth).pages(of: Int.self, "list", headers: headers, by: .linkHeader)
            .with { $0.allowedOrigins = ["https://other.test/ignored"] }
        #expect(try await pages.elements.collect() == [1, 2, 3])
        let requests = server.requests
        #expect(requests.map(\.head.authority) == ["api.test", "other.test", "api.test"])
        #expect("\(requests[0].head.headerFields) \(requests[0].url)".contains("secret"))
        for request in requests.dropFirst() {
            let fields = request.head.headerFields.map { "\($0.name): \($0.value)" }
            #expect(!request.url.contains("secret"), "\(request.url)")
            #expect(!fields.contains { $0.lowercased().contains("secret") }, "\(fields)")
            #expect(request.header(.acceptLanguage) == "fa")
            #expect(request.header(.userAgent)?.hasPrefix("Simorgh/") == true)
        }
    }

    @Test("The client certificate and the server name are not for another origin")
    func tls() async throws {
        let server = StubServer { request in
            request.head.authority == "api.test"
                ? .json([1]).header(.link, value: "<https://other.test/2>; rel=next") : .json([2])
        }
        let client = APIClient.scripted(server) {
            $0.tls.identity = TLSIdentity(certificates: .text("c"), key: .text("k"))
            $0.tls.serverName = "inner.test"
        }
        let pages = client.pages(of: Int.self, "list", by: .linkHeader).with {
            $0.allowedOrigins = ["https://other.test"]
        }
        #expect(try await pages.elements.collect() == [1, 2])
        let options = server.requests.compactMap(\.options?.tls)
        #expect(options.map { $0.identity != nil } == [true, false])
        #expect(options.map(\.serverName) == ["inner.test", nil])
    }

    @Test("After a redirect to another origin its links are refused, and links back have no credentials")
    func redirected() async throws {
        let server = StubServer { request in
            switch (request.head.authority, request.path) {
            case ("api.test", "/list"):
                StubResponse.status(.temporaryRedirect).header(.location, value: "https://other.test/list")
            case ("other.test", "/list"): .json([1]).header(.link, value: "<https://api.test/2>; rel=next")
            default: .json([2]).header(.link, value: "<https://other.test/3>; rel=next")
            }
        }
        let client = APIClient.scripted(server) { $0.authentication = .bearer("secret") }
        var items = client.pages(of: Int.self, "list", by: .linkHeader).elements.makeAsyncIterator()
        #expect(try await items.next() == 1)
        #expect(try await items.next() == 2)
        await #expect(throws: NetworkError.self) { _ = try await items.next() }
        #expect(server.requests.map { $0.header(.authorization) != nil } == [true, false, false])
    }

    @Test("After a redirect through another origin and back, links have no credentials")
    func redirectedThrough() async throws {
        let server = StubServer { request in
            switch (request.head.authority, request.path) {
            case ("api.test", "/list"):
                StubResponse.status(.temporaryRedirect).header(.location, value: "https://other.test/")
            case ("other.test", _):
                StubResponse.status(.temporaryRedirect).header(.location, value: "https://api.test/chosen")
            case (_, "/chosen"): .json([1]).header(.link, value: "</2>; rel=next")
            default: .json([2])
            }
        }
        let client = APIClient.scripted(server) { $0.authentication = .bearer("secret") }
        #expect(try await client.pages(of: Int.self, "list", by: .linkHeader).elements.collect() == [1, 2])
        #expect(server.requests.map(\.path) == ["/list", "/", "/chosen", "/2"])
        #expect(server.requests.map { $0.header(.authorization) != nil } == [true, false, false, false])
    }

    @Test(
        "A link with http of a host that requires TLS is followed over TLS, with credentials",
        arguments: ["http://api.test", "https://api.test"],
        ["http://api.test/list?page=2", "http://api.test:80/list?page=2", "//api.test/list?page=2"])
    func requiringTLS(base: String, link: String) async throws {
        let server = StubServer { request in
            request.query.isEmpty ? .json([1]).header(.link, value: "<\(link)>; rel=next") : .json([2])
        }
        let store = HSTSStore()
        store.add("api.test", for: .seconds(1000))
        let client = APIClient.scripted(server, baseURL: base) {
            $0.hsts = store
            $0.authentication = .bearer("secret")
        }
        #expect(try await client.pages(of: Int.self, "list", by: .linkHeader).elements.collect() == [1, 2])
        #expect(server.requests.map(\.url) == ["https://api.test/list", "https://api.test/list?page=2"])
        #expect(server.requests.allSatisfy { $0.header(.authorization) == "Bearer secret" })
    }

    @Test("An invalid allowed origin allows nothing", arguments: ["*", "", "evil.test", "https://", "https://*.test"])
    func invalidOrigins(origin: String) async {
        let (error, requests) = await Self.error(next: "https://evil.test/", allowing: [origin])
        #expect(error?.reason == .otherOrigin)
        #expect(requests.count == 1)
    }
}
