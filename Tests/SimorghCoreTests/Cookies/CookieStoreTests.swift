// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CookieStoreTests {
    /// A custom cookie store.
    actor Kept: CookieStore {
        private var jar = CookieJar()
        func withJar<Result: Sendable>(_ body: @Sendable (inout CookieJar) -> Result) async -> Result { body(&jar) }
    }

    @Test("`.memory` stores cookies and sends them back, shared by the views of a client")
    func memory() async throws {
        let transport = StubServer { request in
            request.index == 0 ? .status(.ok).header(.setCookie, value: "a=1; Path=/") : .status(.ok)
        }
        let client = APIClient.scripted(transport) { $0.cookies = .memory }
        try await client.call(.get, "1").void()
        try await client.with { $0.headers = [:] }.call(.get, "2").void()
        try await client.with { $0.cookies = nil }.call(.get, "3").void()
        #expect(transport.requests.map { $0.header(.cookie) } == [nil, "a=1", nil])
        #expect(await client.configuration.cookies?.cookies.map(\.pairText) == ["a=1"])
    }

    @Test("No cookie is stored by default")
    func off() async throws {
        let transport = StubServer { _ in .status(.ok).header(.setCookie, value: "a=1; Path=/") }
        let client = APIClient.scripted(transport)
        for _ in 0..<2 { try await client.call(.get, "1").void() }
        #expect(transport.requests.allSatisfy { $0.header(.cookie) == nil })
    }

    @Test("A custom cookie store can be an actor")
    func own() async throws {
        let transport = StubServer { _ in .status(.ok).header(.setCookie, value: "a=1; Path=/") }
        let client = APIClient.scripted(transport) { $0.cookies = Kept() }
        for _ in 0..<2 { try await client.call(.get, "1").void() }
        #expect(transport.requests.map { $0.header(.cookie) } == [nil, "a=1"])
    }

    @Test("Several Set-Cookie fields set several cookies, and a comma does not separate cookies")
    func several() async throws {
        let transport = StubServer { _ in
            var answer = StubResponse.status(.noContent)
            for field in ["a=1; Expires=Sun, 06 Nov 2094 08:49:37 GMT", "b=2, c=3", "bad=\u{e9}; Domain=com"] {
                answer.headerFields.append(HTTPField(name: .setCookie, value: field))
            }
            return answer
        }
        let store = MemoryCookieStore()
        try await APIClient.scripted(transport) { $0.cookies = store }.call(.get, "1").void()
        #expect(await store.cookies.map(\.pairText) == ["a=1", "b=2, c=3"])
    }

    @Test(
        "A cookie that lost bytes in HTTP/2 is ignored",
        arguments: [("h2", ["b"]), ("h2c", ["b"]), ("http/1.1", ["a", "b"])])
    func lostBytes(applicationProtocol: String, names: [String]) async throws {
        var head = HTTPResponse(status: .ok)
        head.headerFields.append(HTTPField(name: .setCookie, value: "a=caf\u{FFFD}"))
        head.headerFields.append(HTTPField(name: .setCookie, value: "b=caf\u{E9}"))
        let connection = ConnectionInfo(
            id: 1, applicationProtocol: applicationProtocol, localAddress: nil, remoteAddress: nil, tlsVersion: nil)
        let store = MemoryCookieStore()
        let origin = try CookieOrigin("https://api.test/")
        let response = TransportResponse(head: head, connection: connection)
        await store.store(cookiesOf: response, from: origin, at: .system)
        #expect(await store.cookies.map(\.name) == names)
    }

    @Test("A request's own Cookie field stays, and the store adds only cookies of other names")
    func ownField() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let store = MemoryCookieStore([
            StoredCookie(name: "a", value: "stored", domain: "api.test"),
            StoredCookie(name: "b", value: "2", domain: "api.test"),
        ])
        let client = APIClient.scripted(transport) { $0.cookies = store }
        try await client.call(.get, "1", headers: ["Cookie": "a=mine; c=3"]).void()
        #expect(transport.requests[0].head.headerFields.filter { $0.name == .cookie }.count == 1)
        #expect(transport.requests[0].header(.cookie) == "a=mine; c=3; b=2")
    }

    @Test(
        "Raw bytes (a=caf\\xe9) are sent back unchanged; only a cookie with a control character is ignored"
    )
    func rawBytes() async throws {
        let raw = Array("a=caf".utf8) + [0xE9]
        let transport = StubServer { _ in
            var answer = StubResponse.status(.noContent)
            for value in [raw, Array("b=\u{1B}[2J".utf8), Array("c=3; Path=/\u{1}".utf8), Array("d=4".utf8)] {
                answer.headerFields.append(HTTPField(name: .setCookie, lenientValue: value))
            }
            return answer
        }
        let store = MemoryCookieStore()
        let client = APIClient.scripted(transport) { $0.cookies = store }
        for _ in 0..<2 { try await client.call(.get, "1", headers: ["Cookie": "own=1"]).void() }
        let sent = try #require(transport.requests[1].head.headerFields[fields: .cookie].first)
        #expect(sent.withUnsafeBytesOfValue { Array($0) } == Array("own=1; ".utf8) + raw + Array("; d=4".utf8))
    }

    @Test("Each hop of a redirect sets and sends the cookies of its own URL")
    func redirects() async throws {
        func hop(_ location: String?, _ cookie: String) -> StubResponse {
            let answer = StubResponse.status(location == nil ? .ok : .found).header(.setCookie, value: cookie)
            return location.map { answer.header(.location, value: $0) } ?? answer
        }
        let transport = StubServer(inOrder: [
            hop("/2", "a=1; Path=/"), hop("https://other.test/3", "b=2; Path=/"),
            hop("https://api.test/4", "o=3; Path=/"),
            hop(nil, "last=4; Path=/"),
        ])
        let store = MemoryCookieStore()
        let client = APIClient.scripted(transport) { $0.cookies = store }
        try await client.call(.get, "1", headers: ["Cookie": "mine=0"]).void()
        // The request's own Cookie field is not sent to another host, also not later; the store's cookies are per host.
        #expect(transport.requests.map { $0.header(.cookie) } == ["mine=0", "mine=0; a=1", nil, "a=1; b=2"])
        #expect(await Set(store.cookies.map(\.name)) == ["a", "b", "o", "last"])
    }

    @Test("A redirect from another site sends no Strict cookie, and a Lax one only with a safe method")
    func sameSite() async throws {
        let store = MemoryCookieStore([
            StoredCookie(name: "strict", value: "1", domain: "api.test", sameSite: .strict),
            StoredCookie(name: "lax", value: "2", domain: "api.test", sameSite: .lax),
            StoredCookie(name: "open", value: "3", domain: "api.test", isSecure: true, sameSite: .unrestricted),
        ])
        for (method, status, last) in [
            (RequestMethod.get, 302, "lax=2; open=3"), (.post, 307, "open=3"), (.post, 303, "lax=2; open=3"),
        ] {
            let transport = StubServer(inOrder: [
                StubResponse.status(.init(code: status)).header(.location, value: "https://api.test/2"), .status(.ok),
            ])
            let client = APIClient.scripted(transport, baseURL: "https://evil.test") { $0.cookies = store }
            try await client.call(method, "1").void()
            #expect(transport.requests[1].header(.cookie) == last)
        }
        let transport = StubServer { _ in .status(.ok) }
        try await APIClient.scripted(transport) { $0.cookies = store }.call(.post, "1").void()
        #expect(transport.requests[0].header(.cookie) == "strict=1; lax=2; open=3")
    }

    @Test("A cookie expires by the client's clock")
    func clock() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in .status(.ok).header(.setCookie, value: "a=1; Max-Age=60; Path=/") }
        let client = APIClient.scripted(transport) {
            $0.cookies = .memory
            $0.time = clock.timeSource
        }
        try await client.call(.get, "1").void()
        clock.advance(by: .seconds(59))
        try await client.call(.get, "2").void()
        clock.advance(by: .seconds(61))
        try await client.call(.get, "3").void()
        #expect(transport.requests.map { $0.header(.cookie) } == [nil, "a=1", nil])
    }

    @Test("Concurrent requests lose no cookie")
    func atOnce() async throws {
        let transport = StubServer { request in
            .status(.ok).header(.setCookie, value: "c\(request.path.dropFirst())=1; Path=/")
        }
        let store = MemoryCookieStore()
        let client = APIClient.scripted(transport) { $0.cookies = store }
        try await withThrowingTaskGroup { group in
            for index in 0..<40 { group.addTask { try await client.call(.get, "\(index)").void() } }
            try await group.waitForAll()
        }
        #expect(await store.cookies.count == 40)
    }
}

extension StoredCookie {
    fileprivate var pairText: String { "\(name)=\(value)" }
}
