// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Logging
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The origins that receive credentials, and the outputs that show them.
@Suite(.timeLimit(.minutes(10)))
struct CredentialReachTests {
    /// Sends a retry to another host.
    private struct Elsewhere: RetryHandler {
        var adds: [HTTPField] = []

        func modifyRequestForRetry(
            client: APIClient, request: TransportRequest, error: NetworkError
        ) -> (TransportRequest, NetworkError?) {
            var request = request
            request.head.authority = "spare.test"
            for field in adds { request.head.headerFields[field.name] = field.value }
            return (request, nil)
        }
    }

    /// The ways to add a credential to a request.
    enum Way: CaseIterable {
        case bearer, ownField, keyInHeader, keyInQuery, plugin, tokenInQuery, tokenInHeader

        func apply(to configuration: inout APIClient.Configuration) {
            switch self {
            case .bearer: configuration.authentication = .bearer(secret)
            case .ownField: configuration.headers["Authorization"] = "Bearer \(secret)"
            case .keyInHeader: configuration.authentication = .apiKey(secret, name: "X-Odd")
            case .keyInQuery: configuration.authentication = .apiKey(secret, name: "key", in: .query)
            case .plugin: configuration.plugins = [Plugins.Bearer { secret }]
            case .tokenInQuery:
                configuration.plugins = [Plugins.TokenPlugin(type: .queryParam(.set("key"))) { secret }]
            case .tokenInHeader:
                configuration.plugins = [Plugins.TokenPlugin(type: .header(.set("X-Odd"))) { secret }]
            }
        }
    }

    private func text(of request: RecordedRequest) -> String { "\(request.url) \(request.head.headerFields)" }

    @Test("A retry that a handler sends to another host carries no credentials", arguments: Way.allCases)
    func retriedElsewhere(way: Way) async throws {
        let transport = StubServer { .status($0.head.authority == "spare.test" ? .ok : .serviceUnavailable) }
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retryHandler = Elsewhere()
            way.apply(to: &$0)
        }
        try await client.call(.get, "x", query: ["q": 1], headers: ["X-Trace": "7"]).void()
        let sent = transport.requests
        #expect(sent.map(\.head.authority) == ["api.test", "spare.test"])
        #expect(text(of: sent[0]).contains(secret))
        #expect(!text(of: sent[1]).contains(secret))
        #expect(text(of: sent[1]).contains("X-Trace") && text(of: sent[1]).contains("q=1"))
    }

    @Test("A retry that a handler sends to another host drops the client certificate, TLS server name and Host field")
    func identityElsewhere() async throws {
        let transport = StubServer { .status($0.head.authority == "spare.test" ? .ok : .serviceUnavailable) }
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retryHandler = Elsewhere()
            $0.tls.identity = TLSIdentity(certificates: .text("a certificate"))
            $0.tls.serverName = "api.test"
            $0.tls.minimumVersion = .tls13
        }
        try await client.call(.get, "x", headers: ["Host": "api.test"]).void()
        let options = transport.requests.map(\.options)
        #expect(options[0]?.tls.identity != nil && options[0]?.tls.serverName == "api.test")
        #expect(options[1]?.tls.identity == nil && options[1]?.tls.serverName == nil)
        #expect(options[1]?.tls.minimumVersion == .tls13)
        #expect(
            try await transport.request(at: 1).head.headerFields.contains { $0.name.canonicalName == "host" } == false)
    }

    @Test("A 401 from the other host of a retry refreshes no token of the first host")
    func refusedElsewhere() async throws {
        let transport = StubServer {
            .status($0.head.authority == "spare.test" ? .unauthorized : .serviceUnavailable)
        }
        let refreshes = LockedValue(0)
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retryHandler = Elsewhere()
            $0.authentication = .refreshing(
                RefreshingToken(AccessToken("old")) { _ in
                    refreshes.change { $0 += 1 }
                    return AccessToken("new")
                })
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(error?.statusCode == 401)
        #expect(refreshes.value == 0)
        #expect(transport.requests.map(\.head.authority) == ["api.test", "spare.test"])
    }

    @Test("A request that an interceptor created keeps the client's transport options")
    func madeAnew() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.httpVersion = .http1Only
            $0.tls.minimumVersion = .tls13
            $0.limits.headerFields = 7
            $0.interceptors = [Interceptor { request, next in try await next(TransportRequest(head: request.head)) }]
        }
        try await client.call(.get, "x").void()
        let options = try await transport.request(at: 0).options
        #expect(options?.httpVersion == .http1Only)
        #expect(options?.tls.minimumVersion == .tls13)
        #expect(options?.limits.headerFields == 7)
    }

    @Test("A credential that the retry handler sets for the other host is sent there")
    func ownForOther() async throws {
        let transport = StubServer { .status($0.head.authority == "spare.test" ? .ok : .serviceUnavailable) }
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retryHandler = Elsewhere(adds: [HTTPField(name: .authorization, value: "Bearer spare")])
            $0.authentication = .bearer(secret)
        }
        try await client.call(.get, "x").void()
        #expect(try await transport.request(at: 1).header(.authorization) == "Bearer spare")
    }

    @Test("A plugin limits its credential to the base URL's origin unless `everywhere` is true")
    func plugins() async throws {
        struct Foreign: NetworkRouter { var baseURLString: String { "https://other.test" } }
        let transport = StubServer { _ in .status(.ok) }
        for everywhere in [false, true] {
            let plugins: [any Plugin] = [
                Plugins.Basic(everywhere: everywhere) { AuthBasicToken(username: "u", password: "p") },
                Plugins.Bearer(everywhere: everywhere) { "t" },
                Plugins.TokenPlugin(type: .header(.set("X-Odd")), everywhere: everywhere) { "t" },
                Plugins.TokenPlugin(type: .queryParam(.set("key")), everywhere: everywhere) { "t" },
            ]
            for plugin in plugins {
                let client = APIClient.scripted(transport) { $0.plugins = [plugin] }
                let before = transport.requestCount
                try await client.call(.get, "x").void()
                try await client.call(Foreign()).void()
                try await client.call(.get, "x").with { $0.allowsAuthentication = false }.void()
                let sent = transport.requests[before...].map { request in
                    request.header(.authorization) != nil || text(of: request).contains("X-Odd")
                        || text(of: request).contains("key=t")
                }
                #expect(sent == [true, everywhere, false], "\(plugin.id)")
            }
        }
    }

    @Test("A field that a step marked as a credential is hidden in the log")
    func log() async throws {
        let notes = PluginCallLog()
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.plugins = [
                Plugins.TokenPlugin(type: .header(.set("X-Odd"))) { secret },
                Plugins.Log(options: .all, logger: Logger(label: "test") { _ in RecordingLogHandler(notes: notes) }),
            ]
        }
        try await client.call(.get, "x").void()
        #expect(notes.all.contains { $0.contains("X-Odd") })
        #expect(!notes.all.contains { $0.contains(secret) })
    }

    @Test(
        "History, events, errors and retry deciders hide a key in the query, also where the server repeats it",
        arguments: [Way.keyInQuery, .tokenInQuery])
    func keyInQuery(way: Way) async throws {
        let told = LockedValue<[String]>([])
        let lost = TransportError(.networkConnectionLost, phase: .head, message: "gone")
        let transport = StubServer(precedence: .first)
        let repeating = StubResponse.status(.found).header(.location, value: "/b?key=\(secret)&page=2#part")
        let leaving = StubResponse.status(.found).header(.location, value: "ftp://other.test/?key=\(secret)")
        transport.on(nil, path: "/a", response: repeating)
        transport.on(nil, path: "/b", inOrder: [.status(.found).header(.location, value: "/c"), .failure(lost)])
        transport.on(nil, path: "/c", response: .status(.ok))
        transport.on(nil, path: "/d", response: leaving)
        let client = APIClient.scripted(transport) {
            $0.logging.onEvent = { event in told.change { $0.append("\(event)") } }
            $0.retry = RetryPolicy(
                decider: RetryDecider { attempt in
                    told.change { $0.append("\(attempt.error) \(attempt.error.context?.url ?? "")") }
                    return .doNotRetry
                })
            way.apply(to: &$0)
        }
        let response = try await client.call(.get, "a").response().response
        #expect(
            response.redirects.map(\.to) == ["https://api.test/b?page=2#part", "https://api.test/c#part"])
        #expect(response.redirects.first?.from == "https://api.test/a")
        #expect(transport.requests.map(\.head.path) == ["/a?key=\(secret)", "/b?key=\(secret)&page=2", "/c"])
        for path in ["a", "d"] {
            let error = try #require(
                await #expect(throws: NetworkError.self) { try await client.call(.get, path).void() })
            var dumped = ""
            dump(error, to: &dumped)
            #expect(!dumped.contains(secret), "\(path)")
        }
        #expect(!told.value.isEmpty)
        #expect(!told.value.contains { $0.contains(secret) })
    }

    @Test("Requests with a key in the query are coalesced like others")
    func shared() async throws {
        let gate = Gate()
        let transport = StubServer { _ in .text("ok").held(by: gate) }
        let client = APIClient.scripted(transport) {
            $0.resilience.coalescesRequests = true
            $0.authentication = .apiKey(secret, name: "key", in: .query)
        }
        let flights = client.settings.state.value(for: true) { InFlightRequests() }
        let calls = (0..<3).map { _ in Task { try await client.call(.get, "x").data() } }
        try await eventually { flights.waiterCount >= 3 }
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(transport.requestCount == 1)
    }
}

private let secret = "s3cr3t"
