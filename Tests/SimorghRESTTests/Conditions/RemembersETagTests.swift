// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("Call.remembersETag", .timeLimit(.minutes(5)))
struct RemembersETagTests {
    /// Returns a server whose responses have the tag of a counter that each write increments.
    private static func server(tag: @escaping @Sendable () -> String?) -> StubServer {
        StubServer { _ in
            let response = StubResponse.json("{}")
            return tag().map { response.header(.eTag, value: $0) } ?? response
        }
    }

    private func sent(_ server: StubServer) -> [String?] { server.requests.map { $0.head.headerFields[.ifMatch] } }

    @Test("The tag of a read goes out with each kind of write, and not with reads or POST")
    func methods() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server)
        try await client.call(.put, "a").remembersETag().void()
        try await client.call(.get, "a").remembersETag().void()
        try await client.call(.get, "a").remembersETag().void()
        try await client.call(.post, "a").remembersETag().void()
        try await client.call(.put, "a").remembersETag().void()
        try await client.call(.patch, "a").remembersETag().void()
        try await client.call(.delete, "a").remembersETag().void()
        try await client.call(.put, "a").void()
        #expect(sent(server) == [nil, nil, nil, nil, "\"v1\"", "\"v1\"", "\"v1\"", nil])
        #expect(server.requests[1].head.headerFields[.acceptEncoding] == "identity")
        #expect(server.requests[1].head.headerFields[.cacheControl] == "max-age=0")
    }

    @Test("A tag belongs to one URL, with its query, and to one origin")
    func urls() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server, baseURL: nil)
        try await client.call(.get, "https://api.test/a?b=1").remembersETag().void()
        for url in [
            "https://api.test/a", "https://api.test/a?b=2", "http://api.test/a?b=1", "https://api.test:8443/a?b=1",
            "https://other.test/a?b=1",
        ] {
            try await client.call(.put, url).remembersETag().void()
        }
        try await client.call(.put, "https://API.test:443/a?b=1").remembersETag().void()
        #expect(sent(server) == [nil, nil, nil, nil, nil, nil, "\"v1\""])
    }

    @Test("A redirect takes the tag to no other URL or origin: the write has the target's own tag, or is refused")
    func redirects() async throws {
        let server = StubServer()
        server.on(.get, path: "https://api.test/a", response: .json("{}").header(.eTag, value: "\"a\""))
        server.on(
            .put, path: "https://api.test/a",
            response: .status(.temporaryRedirect).header(.location, value: "https://other.test/b"))
        server.on("https://other.test/b", response: .json("{}").header(.eTag, value: "\"b\""))
        let client = APIClient.scripted(server, baseURL: nil)
        try await client.call(.get, "https://api.test/a").remembersETag().void()
        let write = client.call(.put, "https://api.test/a", body: .text("x")).remembersETag()
        let error = try await #require(throws: NetworkError.self) { try await write.void() }
        #expect((error.underlyingError as? EntityTagError)?.reason == .anotherResource)
        #expect(sent(server) == [nil, "\"a\""])
        try await client.call(.get, "https://other.test/b").remembersETag().void()
        try await write.void()
        #expect(sent(server) == [nil, "\"a\"", nil, "\"a\"", "\"b\""])
    }

    @Test("A redirect from http to https of the same host takes the tag with it")
    func upgrade() async throws {
        let server = StubServer()
        server.on(.get, path: "http://api.test/a", response: .json("{}").header(.eTag, value: "\"a\""))
        server.on(
            .put, path: "http://api.test/a",
            response: .status(.temporaryRedirect).header(.location, value: "https://api.test/a"))
        server.on(.put, path: "https://api.test/a", response: .status(.noContent))
        let client = APIClient.scripted(server, baseURL: nil)
        try await client.call(.get, "http://api.test/a").remembersETag().void()
        try await client.call(.put, "http://api.test/a", body: .text("x")).remembersETag().void()
        #expect(sent(server) == [nil, "\"a\"", "\"a\""])
        let tag = try #require(EntityTag("\"b\""))
        try await client.call(.put, "http://api.test/a", body: .text("x")).ifMatch(tag).void()
        #expect(sent(server).suffix(2) == ["\"b\"", "\"b\""])
    }

    @Test("An asterisk is sent to another origin, where it means the same")
    func asterisk() async throws {
        let server = StubServer()
        server.on(
            .put, path: "https://api.test/a",
            response: .status(.temporaryRedirect).header(.location, value: "https://other.test/b"))
        server.on(.put, path: "https://other.test/b", response: .status(.created))
        let client = APIClient.scripted(server, baseURL: nil)
        try await client.call(.put, "https://api.test/a", body: .text("x")).ifNew().void()
        #expect(server.requests.map { $0.header(.ifNoneMatch) } == ["*", "*"])
    }

    @Test(
        "Weak and malformed tags are not remembered, and a read without a tag forgets the old one",
        arguments: ["W/\"v2\"", "v2", nil])
    func weak(second: String?) async throws {
        let reads = SharedState(0)
        let server = Self.server {
            reads.withLock {
                $0 += 1; return $0 == 1 ? "\"v1\"" : second
            }
        }
        let client = APIClient.scripted(server)
        try await client.call(.get, "a").remembersETag().void()
        try await client.call(.get, "a").remembersETag().void()
        try await client.call(.put, "a").remembersETag().void()
        #expect(sent(server) == [nil, nil, nil])
        let error = try await #require(throws: NetworkError.self) {
            try await client.call(.put, "a").remembersETag(isRequired: true).void()
        }
        #expect((error.underlyingError as? EntityTagError)?.reason == .noStrongTag)
        #expect(server.requestCount == 3)
    }

    @Test("The tag in the response to a write replaces the old one; without one the old tag stays")
    func writes() async throws {
        let tags = SharedState<[String?]>(["\"v1\"", "\"v2\"", nil, nil])
        let server = Self.server { tags.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        let client = APIClient.scripted(server)
        try await client.call(.get, "a").remembersETag().void()
        for _ in 0..<3 { try await client.call(.put, "a").remembersETag().void() }
        try await client.call(.delete, "a").remembersETag().void()
        try await client.call(.put, "a").remembersETag().void()
        #expect(sent(server) == [nil, "\"v1\"", "\"v2\"", "\"v2\"", "\"v2\"", nil])
    }

    @Test("A refused write keeps the tag, so that it is refused until the resource is read again")
    func refused() async throws {
        let server = StubServer()
        server.on(.get, path: "/a", response: .json("{}").header(.eTag, value: "\"v1\""))
        server.on(.put, path: "/a", response: .status(.preconditionFailed).header(.eTag, value: "\"v2\""))
        let client = APIClient.scripted(server)
        try await client.call(.get, "a").remembersETag().void()
        for _ in 0..<2 {
            let error = try await #require(throws: NetworkError.self) {
                try await client.call(.put, "a").remembersETag().void()
            }
            #expect(error.preconditionError?.entityTag == EntityTag("\"v2\""))
        }
        #expect(sent(server) == [nil, "\"v1\"", "\"v1\""])
    }

    @Test("A condition of the caller is sent alone")
    func own() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server)
        try await client.call(.get, "a").remembersETag().void()
        try await client.call(.put, "a", headers: ["If-Match": "\"mine\""]).remembersETag().void()
        try await client.call(.put, "a").remembersETag().ifNew().void()
        #expect(sent(server) == [nil, "\"mine\"", nil])
    }

    @Test("Users of one client have their own tags, a view shares them, and another client has none")
    func users() async throws {
        let server = StubServer { request in
            let user = request.head.headerFields[.authorization]?.split(separator: " ").last ?? "none"
            return .json("{}").header(.eTag, value: "\"\(user)\"")
        }
        let client = APIClient.scripted(server)
        let zal = client.with { $0.authentication = .bearer("zal") }
        let rostam = client.with { $0.authentication = .bearer("rostam") }
        try await zal.call(.get, "a").remembersETag().void()
        try await rostam.call(.get, "a").remembersETag().void()
        // No tags of writes, so that only those of the reads count.
        server.on(.put, path: "/a", response: .status(.noContent))
        try await zal.call(.put, "a").remembersETag().void()
        try await rostam.call(.put, "a").remembersETag().void()
        try await APIClient.scripted(server).call(.put, "a").remembersETag().void()
        #expect(sent(server).suffix(3) == ["\"zal\"", "\"rostam\"", nil])
    }

    @Test("A refreshed token still finds the tag, unless a tag is required")
    func refreshed() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server)
        try await client.with { $0.authentication = .bearer("old") }.call(.get, "a").remembersETag().void()
        let new = client.with { $0.authentication = .bearer("new") }
        let error = try await #require(throws: NetworkError.self) {
            try await new.call(.put, "a").remembersETag(isRequired: true).void()
        }
        #expect((error.underlyingError as? EntityTagError)?.reason == .noStrongTag)
        try await new.call(.put, "a").remembersETag().void()
        #expect(sent(server) == [nil, "\"v1\""])
    }

    /// The property by which two users of a client differ.
    enum Difference: CaseIterable, Sendable { case token, cookie, jar, certificate }

    private static func user(_ name: String, of client: APIClient, by difference: Difference) -> APIClient {
        client.with {
            switch difference {
            case .token: $0.authentication = .bearer(name)
            case .cookie: $0.headers["Cookie"] = "sid=\(name)"
            case .jar:
                $0.cookies = MemoryCookieStore([StoredCookie(name: "sid", value: name, domain: "api.test")])
            case .certificate: $0.tls.identity = TLSIdentity(certificates: .text(name))
            }
        }
    }

    @Test(
        "Users that differ by a token, a cookie or a certificate have their own tags, also required ones",
        arguments: Difference.allCases)
    func differences(_ difference: Difference) async throws {
        let version = SharedState(1)
        let server = StubServer()
        server.on(.get, path: "/a") { _ in .json("{}").header(.eTag, value: "\"v\(version.withLock { $0 })\"") }
        server.on(.put, path: "/a", response: .status(.noContent))
        let client = APIClient.scripted(server)
        let (zal, rostam, stranger) = (
            Self.user("zal", of: client, by: difference), Self.user("rostam", of: client, by: difference),
            Self.user("stranger", of: client, by: difference)
        )
        try await rostam.call(.get, "a").remembersETag().void()
        version.withLock { $0 = 2 }
        try await zal.call(.get, "a").remembersETag().void()
        for user in [rostam, zal] { try await user.call(.put, "a").remembersETag(isRequired: true).void() }
        #expect(sent(server) == [nil, nil, "\"v1\"", "\"v2\""])
        let error = try await #require(throws: NetworkError.self) {
            try await stranger.call(.put, "a").remembersETag(isRequired: true).void()
        }
        #expect((error.underlyingError as? EntityTagError)?.reason == .noStrongTag)
        #expect(server.requestCount == 4)
    }

    @Test("Digest credentials of one user are one user, although they differ in each request")
    func digest() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server)
        func digest(_ name: String, count: Int) -> [String: String] {
            ["Authorization": "Digest username=\"\(name)\", realm=\"r\", nc=\(count), response=\"\(count)\""]
        }
        try await client.call(.get, "a", headers: digest("zal", count: 1)).remembersETag().void()
        try await client.call(.put, "a", headers: digest("zal", count: 2)).remembersETag(isRequired: true).void()
        #expect(sent(server) == [nil, "\"v1\""])
        let other = client.call(.put, "a", headers: digest("rostam", count: 3)).remembersETag(isRequired: true)
        await #expect(throws: NetworkError.self) { try await other.void() }
    }

    @Test("A read without a tag and DELETE forget the tag of their user only", arguments: [RequestMethod.get, .delete])
    func forgets(method: RequestMethod) async throws {
        let tag = SharedState<String?>("\"v1\"")
        let server = Self.server { tag.withLock { $0 } }
        let client = APIClient.scripted(server)
        let zal = Self.user("zal", of: client, by: .token)
        let rostam = Self.user("rostam", of: client, by: .token)
        for user in [zal, rostam] { try await user.call(.get, "a").remembersETag().void() }
        tag.withLock { $0 = nil }
        try await rostam.call(method, "a").remembersETag().void()
        for user in [rostam, zal] { try await user.call(.put, "a").remembersETag().void() }
        #expect(sent(server).suffix(2) == [nil, "\"v1\""])
    }

    @Test("A tag of up to 1,024 bytes is remembered, and a longer one counts as none", arguments: [1024, 1025])
    func longTags(length: Int) async throws {
        let tag = SharedState("\"v1\"")
        let server = Self.server { tag.withLock { $0 } }
        let client = APIClient.scripted(server)
        try await client.call(.get, "a").remembersETag().void()
        let long = "\"\(String(repeating: "x", count: length))\""
        tag.withLock { $0 = long }
        try await client.call(.get, "a").remembersETag().void()
        try await client.call(.put, "a").remembersETag().void()
        #expect(sent(server).last == (length == 1024 ? long : nil))
    }

    @Test("A tag belongs to the server that the route leads to, and Host names no other one")
    func routes() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server, baseURL: "http://localhost")
        let (one, two) = (
            client.with { $0.route.unixSocket = "/one.sock" }, client.with { $0.route.unixSocket = "/two.sock" }
        )
        try await one.call(.get, "a").remembersETag().void()
        for view in [two, client, one] { try await view.call(.put, "a").remembersETag().void() }
        #expect(sent(server) == [nil, nil, nil, "\"v1\""])
        let host = ["Host": "other.test"]
        try await client.call(.get, "b", headers: host).remembersETag().void()
        try await client.call(.put, "b", headers: host).remembersETag().void()
        try await client.call(.put, "b").remembersETag().void()
        #expect(sent(server).suffix(3) == [nil, nil, nil])
    }

    @Test("A request that an interceptor builds anew has the tag, too")
    func builtAnew() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server)
        try await client.call(.get, "a").remembersETag().void()
        let anew = Interceptor { request, next in
            try await next(TransportRequest(head: request.head, body: request.body))
        }
        try await client.call(.put, "a").remembersETag(isRequired: true).with { $0.interceptors.append(anew) }.void()
        #expect(sent(server) == [nil, "\"v1\""])
    }

    @Test("A fresh cached response is validated, so that the tag is that of what the caller gets")
    func cached() async throws {
        let tags = SharedState(1)
        let server = StubServer { request in
            let tag = "\"v\(tags.withLock { $0 })\""
            guard request.head.headerFields[.ifNoneMatch] != tag else {
                return .status(.notModified).header(.eTag, value: tag)
            }
            return .json("{}").header(.eTag, value: tag).header(.cacheControl, value: "max-age=3600")
        }
        let client = APIClient.scripted(server) {
            $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        }
        try await client.call(.get, "a").void()
        try await client.call(.get, "a").remembersETag().void()
        try await client.call(.put, "a").remembersETag().void()
        #expect(sent(server).last == "\"v1\"")
        #expect(server.requests.filter { $0.method == .get }.count == 2)
    }

    @Test("The memory is bounded by the number of URLs and of users")
    func bounds() async throws {
        let server = Self.server { "\"v1\"" }
        let client = APIClient.scripted(server)
        for index in 0...1000 { try await client.call(.get, "\(index)").remembersETag().void() }
        try await client.call(.put, "1").remembersETag().void()
        try await client.call(.put, "0").remembersETag().void()
        #expect(sent(server).suffix(2) == ["\"v1\"", nil])
    }
}
