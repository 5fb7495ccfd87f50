// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("QUERY", .timeLimit(.minutes(5)))
struct QueryMethodTests {
    private let transport = StubServer(precedence: .first)
    private let clock = TestClock(movesItself: true)

    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            change(&$0)
        }
    }

    private func cachingClient() -> APIClient {
        client { $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0), time: clock.timeSource) }
    }

    @Test("The method is safe and idempotent, and found by its name")
    func properties() {
        #expect(RequestMethod.query.isSafe && RequestMethod.query.isIdempotent)
        #expect(RequestMethod.query.rawValue == "QUERY")
        #expect(RequestMethod(rawValue: "QUERY") == .query)
        #expect(RequestMethod.custom("QUERY").isSafe)
        #expect(!RequestMethod(rawValue: "query").isSafe)
    }

    @Test("A failed QUERY is retried with its content")
    func retried() async throws {
        transport.on("/a", inOrder: [.status(.serviceUnavailable), .text("found")])
        let text = try await client { $0.retry = RetryPolicy() }.call(.query, "a", body: .text("q")).string()
        #expect(text == "found")
        #expect(transport.requests.map(\.body) == [Data("q".utf8), Data("q".utf8)])
    }

    @Test(
        "Redirects keep the method and the content, except 303, which leads to a GET (RFC 10008, section 2.5)",
        arguments: [301, 302, 303, 307, 308])
    func redirected(status: Int) async throws {
        let moved = StubResponse.status(HTTPResponse.Status(code: status)).header(.location, value: "/b")
        transport.on("/a", response: moved)
        transport.on("/b", response: .status(.ok))
        try await client().call(.query, "a", body: .text("q")).void()
        let last = transport.requests[1]
        #expect(last.method == (status == 303 ? .get : .query))
        #expect(last.body == (status == 303 ? Data() : Data("q".utf8)))
        #expect(last.head.headerFields.contains(.contentType) == (status != 303))
    }

    @Test("Equal queries in flight share an exchange; another content or media type does not")
    func coalesced() async throws {
        let gate = Gate()
        transport.on("/a") { _ in .text("ok").held(by: gate) }
        let client = client { $0.resilience.coalescesRequests = true }
        let bodies: [RequestBody] = [
            .text("q"), .text("q"), .text("r"), .text("q", contentType: "text/csv"), .text("q").compressed(),
            .stream(length: 1) {
                AsyncThrowingStream<Data, any Error> { stream in
                    stream.yield(Data("q".utf8))
                    stream.finish()
                }
            },
        ]
        await withTaskGroup(of: Void.self) { group in
            for body in bodies { group.addTask { _ = try? await client.call(.query, "a", body: body).void() } }
            try? await eventually { transport.requestCount >= bodies.count - 1 }
            gate.open()
        }
        #expect(transport.requestCount == bodies.count - 1)
    }

    @Test("A response is cached for its content, media type and URL")
    func cached() async throws {
        transport.on(nil, path: "/a") { request in
            .text("\(request.index)").header(.cacheControl, value: "max-age=60")
        }
        let client = cachingClient()
        func ask(_ body: RequestBody, _ method: RequestMethod = .query, query: QueryItems = [:]) async throws -> String
        {
            try await client.call(method, "a", query: query, body: body).string()
        }
        #expect(try await ask(.text("q")) == "0")
        #expect(try await ask(.text("q")) == "0")
        #expect(try await ask(.text("r")) == "1")
        #expect(try await ask(.text("q", contentType: "text/csv")) == "2")
        #expect(try await ask(.text("q").compressed()) == "3")
        #expect(try await ask(.text("q"), query: ["x": "1"]) == "4")
        #expect(try await ask(.empty, .get) == "5")
        #expect(try await ask(.empty) == "6")
        #expect(try await ask(.text("q")) == "0")
        #expect(try await ask(.empty, .get) == "5")
        clock.advance(by: .seconds(61))
        #expect(try await ask(.text("q")) == "7")
    }

    @Test("A content that is read as it is sent is not cached, and its response neither")
    func streamed() async throws {
        transport.on(nil, path: "/a") { request in
            .text("\(request.index)").header(.cacheControl, value: "max-age=60")
        }
        let client = cachingClient()
        for number in 0..<2 {
            let body = RequestBody.stream(length: 1) {
                AsyncThrowingStream<Data, any Error> { stream in
                    stream.yield(Data("q".utf8))
                    stream.finish()
                }
            }
            #expect(try await client.call(.query, "a", body: body).string() == "\(number)")
        }
        #expect(try await client.call(.query, "a", body: .text("q")).string() == "2")
    }

    @Test("A stored response is validated, and a POST to the URL invalidates it")
    func validated() async throws {
        transport.on("/a") { request in
            if request.method == .post { return .status(.noContent) }
            if request.header(.ifNoneMatch) == "\"1\"" { return .status(.notModified).header(.eTag, value: "\"1\"") }
            return .text("found").header(.eTag, value: "\"1\"").header(.cacheControl, value: "max-age=60")
        }
        let client = cachingClient()
        for _ in 0..<2 { #expect(try await client.call(.query, "a", body: .text("q")).string() == "found") }
        #expect(transport.requestCount == 1)
        clock.advance(by: .seconds(61))
        #expect(try await client.call(.query, "a", body: .text("q")).string() == "found")
        #expect(transport.requests[1].header(.ifNoneMatch) == "\"1\"")
        #expect(transport.requests[1].body == Data("q".utf8))
        try await client.call(.post, "a").void()
        #expect(try await client.call(.query, "a", body: .text("q")).string() == "found")
        #expect(transport.requestCount == 4)
        #expect(transport.requests[3].header(.ifNoneMatch) == nil)
    }

    @Test("Users get no responses of each other, and a query without credentials outlives those with credentials")
    func users() async throws {
        transport.on("/a") { request in
            .text("\(request.index)").header(.cacheControl, value: "max-age=60")
        }
        let client = cachingClient()
        func ask(_ user: String?) async throws -> String {
            try await client.call(
                .query, "a", headers: user.map { ["Authorization": "Bearer \($0)"] } ?? [:], body: .text("q")
            ).string()
        }
        let first = [try await ask("a"), try await ask("b"), try await ask(nil)]
        #expect(Set(first).count == 3)
        let second = [try await ask("a"), try await ask("b"), try await ask(nil)]
        #expect(second == first)
        await client.configuration.caching.httpCache?.removeCredentialed()
        #expect(try await ask(nil) == first[2])
        #expect(try await ask("a") != first[0])
    }

    @Test("A QUERY waits in the offline queue")
    func offline() async throws {
        let network = ScriptedNetwork(.disconnected)
        transport.on("/a", response: .text("found"))
        let still = TestClock()
        let client = client {
            $0.time = still.timeSource
            $0.networkMonitor = network.monitor(time: still.timeSource)
            $0.resilience.offlineQueue = OfflineQueue()
            $0.timeouts.total = nil
        }
        async let text = client.call(.query, "a", body: .text("q")).string()
        await yieldToOthers()
        #expect(transport.requestCount == 0)
        network.become(.connected(.wifi))
        #expect(try await text == "found")
    }
}
