// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import Testing

@Suite("WebSocketRouter", .timeLimit(.minutes(5)))
struct WebSocketRouterTests {
    struct Socket: WebSocketRouter {
        var baseURLString = "wss://api.test"
        var path = "/chat"
        var queryParams: [String: String]?
        var headers: [String: String]?
        var version: APIVersion?
        var protocols: [String] = []
    }

    struct Bare: WebSocketRouter {}

    private func client(_ base: String? = nil, query: QueryItems = QueryItems()) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = base
        configuration.query = query
        return APIClient(configuration: configuration, transport: ScriptedWebSocket())
    }

    @Test(
        "SIM5: a base URL with an HTTP scheme throws invalidScheme, also through the client",
        arguments: ["https", "http", "HTTPS", "ftp"])
    func scheme(scheme: String) throws {
        let router = Socket(baseURLString: "\(scheme)://api.test")
        let settings = client().settings
        #expect(throws: WebSocketRouterError.invalidScheme(scheme.lowercased())) {
            try WebSocketRequest(router).url(settings)
        }
        #expect(throws: WebSocketRouterError.invalidScheme(scheme.lowercased())) {
            try client().webSocketConnection(router)
        }
    }

    @Test(
        "An invalid URL throws before anything is sent",
        arguments: ["api.test", "wss://", "wss://a b", "wss://user:pass@api.test", "wss:/api.test", "wss://api.test:x"])
    func invalid(base: String) throws {
        #expect {
            try client().webSocketConnection(Socket(baseURLString: base))
        } throws: { error in
            if case .invalidURL? = error as? WebSocketRouterError { true } else { false }
        }
    }

    @Test("A path cannot change the host", arguments: ["//evil.test/x", "https://evil.test", "../x", "a/../../x"])
    func path(path: String) throws {
        let router = Socket(path: path)
        if let url = try? client().webSocketConnection(router).url {
            #expect(url.hasPrefix("wss://api.test/"))
        }
    }

    @Test("The URL has version, path and query")
    func url() throws {
        let connection = try client().webSocketConnection(
            Socket(path: "/rooms/a b", queryParams: ["q": "special&chars"], version: .v2))
        #expect(connection.url == "wss://api.test/v2/rooms/a%20b?q=special%26chars")
        #expect(connection.state == .idle)
    }

    @Test(
        "A router without base URL uses that of the client, with the scheme ws or wss",
        arguments: [("https://api.test/root", "wss://api.test/root"), ("http://api.test:8080", "ws://api.test:8080/")])
    func clientBase(base: String, url: String) throws {
        #expect(try client(base).webSocketConnection(Bare()).url == url)
    }

    @Test("The client's query comes before that of the router")
    func clientQuery() throws {
        let connection = try client(query: ["key": "1"]).webSocketConnection(Socket(queryParams: ["room": "2"]))
        #expect(connection.url == "wss://api.test/chat?key=1&room=2")
    }

    @Test(
        "Invalid header fields and subprotocols throw",
        arguments: [
            Socket(headers: ["X-A": "a\r\nX-B: b"]), Socket(protocols: ["a b"]), Socket(protocols: [""]),
            Socket(protocols: ["chat", "chat"]), Socket(protocols: ["a,b"]),
        ])
    func fields(router: Socket) throws {
        #expect(throws: WebSocketRouterError.self) { try client().webSocketConnection(router) }
    }
}
