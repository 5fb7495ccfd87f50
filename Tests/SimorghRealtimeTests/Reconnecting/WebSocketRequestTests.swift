// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghRealtime
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("WebSocketConnection: upgrade request", .timeLimit(.minutes(5)))
struct WebSocketRequestTests {
    /// A token provider.
    actor Tokens: TokenRefreshProvider {
        private(set) var token = "old"
        private(set) var refreshes = 0
        private let next: String

        init(next: String) { self.next = next }

        func refreshTokenIfNeeded() async throws {
            refreshes += 1
            token = next
        }
    }

    /// A router whose header fields change each time they are read.
    final class Counting: WebSocketRouter {
        private let count = Mutex(0)
        let baseURLString = "wss://api.test"
        var headers: [String: String]? { ["X-Attempt": "\(next())"] }
        var protocols: [String] { ["chat.v2", "chat.v1"] }

        private func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    private let world = WebSocketFixture()

    @Test("The request has the client's fields, User-Agent, credentials and cookies; the router's fields override them")
    func fields() async throws {
        let jar = MemoryCookieStore()
        let client = world.client {
            $0.headers = ["X-Client": "a", "X-Both": "client"]
            $0.authentication = .bearer("token")
            $0.cookies = jar
        }
        world.server.http.on(
            .get, path: "/login", response: StubResponse().header(.setCookie, value: "id=7; Secure; Path=/"))
        _ = try await client.call(.get, "/login").data()
        let connection = try client.webSocketConnection(
            WebSocketFixture.Socket(headers: ["X-Both": "router"], protocols: ["chat.v1"]))
        connection.connect()
        let request = try await world.server.request(at: 0)
        #expect(request.url == "wss://api.test/chat")
        #expect(request.method == .get)
        #expect(request.header(try #require(HTTPField.Name("X-Client"))) == "a")
        #expect(request.header(try #require(HTTPField.Name("X-Both"))) == "router")
        #expect(request.header(.authorization) == "Bearer token")
        #expect(request.header(.cookie) == "id=7")
        #expect(request.header(.userAgent)?.hasPrefix("Simorgh/") == true)
        #expect(try await world.server.peer(at: 0).options.subprotocols == ["chat.v1"])
        try await connection.waitUntilConnected()
        #expect(connection.subprotocol == "chat.v1")
    }

    @Test("The request has no credentials if authentication is off, or for another host")
    func noCredentials() async throws {
        let client = world.client { $0.authentication = .bearer("token") }
        let off = try client.webSocketConnection(
            WebSocketFixture.Socket(), options: WebSocketFixture.options { $0.allowsAuthentication = false })
        off.connect()
        #expect(try await world.server.request(at: 0).header(.authorization) == nil)
        let elsewhere = try client.webSocketConnection(WebSocketFixture.Socket(baseURLString: "wss://other.test"))
        elsewhere.connect()
        #expect(try await world.server.request(at: 1).header(.authorization) == nil)
    }

    @Test("Each attempt reads the router and the token again")
    func anew() async throws {
        let tokens = Mutex(0)
        let client = world.client {
            $0.authentication = .bearer {
                tokens.withLock { count in
                    count += 1
                    return "token \(count)"
                }
            }
        }
        let connection = try client.webSocketConnection(Counting(), options: WebSocketFixture.options())
        connection.connect()
        try await connection.waitUntilConnected()
        try await world.server.peer(at: 0).drop()
        try await world.clock.sleeping()
        world.clock.advance(by: .seconds(1))
        let (first, second) = (
            try await world.server.request(at: 0), try await world.server.request(at: 1)
        )
        #expect(first.header(.authorization) == "Bearer token 1")
        #expect(second.header(.authorization) == "Bearer token 2")
        let attempt = try #require(HTTPField.Name("X-Attempt"))
        // The first read was for the URL.
        #expect(first.header(attempt) == "2")
        #expect(second.header(attempt) == "3")
    }

    @Test("A 401 refreshes the token once, and the upgrade is retried with the new one")
    func refresh() async throws {
        let tokens = Tokens(next: "new")
        world.server.onOpen { request, _ in
            request.header(.authorization) == "Bearer new" ? .accept : .refuse(.status(.unauthorized))
        }
        let client = world.client { $0.authentication = .refreshing(tokens) { await tokens.token } }
        let connection = try client.webSocketConnection(WebSocketFixture.Socket())
        connection.connect()
        try await connection.waitUntilConnected()
        #expect(world.server.requests.count == 2)
        #expect(await tokens.refreshes == 1)
    }

    @Test("A second 401 is final")
    func refusedTwice() async throws {
        let tokens = Tokens(next: "no better")
        world.server.onOpen { _, _ in .refuse(.status(.unauthorized)) }
        let client = world.client { $0.authentication = .refreshing(tokens) { await tokens.token } }
        let connection = try client.webSocketConnection(WebSocketFixture.Socket())
        connection.connect()
        await #expect { try await connection.waitUntilConnected() } throws: { error in
            (error as? WebSocketError)?.statusCode == 401
        }
        #expect(world.server.requests.count == 2)
        #expect(await tokens.refreshes == 1)
    }

    @Test("The client's interceptors see a GET to https, and may change it")
    func interceptors() async throws {
        let seen = Mutex<[String]>([])
        let client = world.client {
            $0.interceptors = [
                Interceptor { request, next in
                    seen.withLock { $0.append("\(request.head.method.rawValue) \(request.urlString)") }
                    var request = request
                    request.head.headerFields[.acceptLanguage] = "fa"
                    let response = try await next(request)
                    seen.withLock { $0.append("\(response.head.status.code)") }
                    return response
                }
            ]
        }
        let connection = try client.webSocketConnection(WebSocketFixture.Socket())
        connection.connect()
        try await connection.waitUntilConnected()
        #expect(seen.withLock { $0 } == ["GET https://api.test/chat", "101"])
        #expect(world.server.requests.first?.header(.acceptLanguage) == "fa")
    }

    @Test("An interceptor that sends twice leaves one connection, one that throws afterwards leaves none")
    func stepsLeaveNothing() async throws {
        struct Refused: Error {}
        let twice = world.client {
            $0.interceptors = [
                Interceptor { request, next in
                    _ = try await next(request)
                    return try await next(request)
                }
            ]
        }
        let connection = try twice.webSocketConnection(WebSocketFixture.Socket())
        connection.connect()
        try await connection.waitUntilConnected()
        #expect(world.server.peers.count == 2)
        #expect(world.server.openCount == 1)
        let failing = world.client {
            $0.interceptors = [
                Interceptor { request, next in
                    _ = try await next(request)
                    throw Refused()
                }
            ]
        }
        await #expect {
            try await failing.withWebSocket(WebSocketFixture.Socket()) { _ in Issue.record("connected") }
        } throws: { ($0 as? WebSocketError)?.openingError?.underlyingError is Refused }
        #expect(world.server.openCount == 1)
    }

    @Test("The client's retries and redirects do not apply to the upgrade")
    func ownRules() async throws {
        world.server.onOpen { _, _ in .refuse(.status(.serviceUnavailable)) }
        let client = world.client { $0.retry = RetryPolicy() }
        let connection = try client.webSocketConnection(
            WebSocketFixture.Socket(), options: WebSocketOptions(reconnectPolicy: .none))
        connection.connect()
        await #expect { try await connection.waitUntilConnected() } throws: { error in
            (error as? WebSocketError)?.statusCode == 503
        }
        #expect(world.server.requests.count == 1)
    }
}
