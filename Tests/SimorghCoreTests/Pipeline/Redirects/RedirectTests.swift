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

@Suite(.timeLimit(.minutes(10)))
struct RedirectTests {
    private static func to(_ location: String, _ status: Int = 302, _ body: String = "gone") -> StubResponse {
        .text(body, status: .init(code: status)).header(.location, value: location)
    }

    private func failure(_ error: NetworkError?) throws -> (TransportError, RedirectError) {
        guard case .urlError(let cause) = error else {
            throw RedirectStateMachineTests.Unexpected(what: "\(String(describing: error))")
        }
        return (cause, try #require(cause.underlying as? RedirectError))
    }

    @Test("A response has its final URL, its redirects, and the number of requests")
    func history() async throws {
        let transport = StubServer(inOrder: [
            Self.to("/2#x", 301), Self.to("https://other.test/3", 307), .text("here"),
        ])
        let client = APIClient.scripted(transport)
        let result = try await client.call(.get, "1").decoding(.data).response()
        #expect(String(decoding: result.value, as: UTF8.self) == "here")
        #expect(result.response.url == "https://other.test/3#x")
        #expect(result.response.attempts == 3)
        #expect(
            result.response.redirects.map(\.description) == [
                "301 from https://api.test/1 to GET https://api.test/2#…",
                "307 from https://api.test/2#… to GET https://other.test/3#…",
            ])
        #expect(transport.requests.map(\.url) == ["https://api.test/1", "https://api.test/2", "https://other.test/3"])
    }

    @Test("A streamed response has its URL and redirects, and the bodies of the redirects are released")
    func stream() async throws {
        let held = Gate()
        let long = StubResponse.chunks(
            [.bytes(Data(repeating: 0, count: 20_000)), .wait(held), .bytes(Data(repeating: 0, count: 20_000))],
            status: .found
        ).header(.location, value: "/2")
        let transport = StubServer(inOrder: [long, .text("here")])
        let client = APIClient.scripted(transport)
        let stream = try await client.call(.get, "1").stream()
        #expect(stream.url == "https://api.test/2")
        #expect(stream.redirects.count == 1)
        #expect(try await stream.chunks.collect(upTo: 100) == Data("here".utf8))
        // The task that delivered the first response may not have released it yet.
        try await eventually { client.scope.count == 0 }
    }

    @Test("A redirect with a stalled body does not delay the call", arguments: [true, false])
    func stalled(isFirst: Bool) async throws {
        let (clock, gate) = (TestClock(), Gate())
        let chunks: [StubResponse.BodyStep] = isFirst ? [.wait(gate)] : [.bytes(Data("gone".utf8)), .wait(gate)]
        let long = StubResponse.chunks(chunks, status: .found).header(.location, value: "/2")
        let client = APIClient.scripted(StubServer(inOrder: [long, .text("here")])) {
            $0.time = clock.timeSource
        }
        async let stream = client.call(.get, "1").stream()
        try await clock.sleeping()
        clock.advance(by: .milliseconds(50))
        #expect(try await stream.chunks.collect(upTo: 100) == Data("here".utf8))
        #expect(!gate.isOpen && gate.waitingCount == 0)
    }

    @Test("With redirects off, a redirect is an error that has the response")
    func none() async throws {
        let transport = StubServer(inOrder: [Self.to("/2")])
        let client = APIClient.scripted(transport) { $0.redirects = .none }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() }
        #expect(error?.statusCode == 302)
        #expect(error?.response?.header("Location") == "/2")
    }

    @Test("A loop ends at the limit with a typed error that names the request")
    func circle() async throws {
        let transport = StubServer { _ in Self.to("/again") }
        let client = APIClient.scripted(transport) { $0.redirects.limit = 5 }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() }
        let (cause, redirect) = try failure(error)
        #expect(cause.code == .httpTooManyRedirects)
        #expect(cause.url == "https://api.test/again")
        #expect(cause.attempts == 6)
        #expect(redirect.reason == .loop)
        #expect(transport.requestCount == 6)
    }

    @Test("A redirect from https to http is refused")
    func downgrade() async throws {
        let transport = StubServer { _ in Self.to("http://api.test/2") }
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).call(.get, "1").void()
        }
        let (cause, redirect) = try failure(error)
        #expect(cause.code == .appTransportSecurityRequiresSecureConnection)
        #expect(redirect.reason == .downgrade)
        #expect(transport.requestCount == 1)
    }

    @Test("A failure after a redirect names the URL that failed", arguments: [true, false])
    func failureLater(observed: Bool) async throws {
        let transport = StubServer(inOrder: [Self.to("https://other.test/2"), .timedOut(.head)])
        let client = APIClient.scripted(transport) { if observed { $0.logging.onEvent = { _ in } } }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() }
        #expect(error?.context?.url == "https://other.test/2")
        #expect(error?.context?.attempts == 2)
    }

    @Test("An error status after a redirect has the status, body and URL of the last request")
    func refusedLater() async throws {
        let transport = StubServer(inOrder: [Self.to("/2"), .text("no", status: .notFound)])
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).call(.post, "1", body: .text("x")).void()
        }
        #expect(error?.statusCode == 404)
        #expect(error?.context?.url == "https://api.test/2")
        #expect(error?.context?.method == "GET")
    }

    @Test("The body is sent again for 307 and 308, and not for 302", arguments: [302, 307, 308])
    func bodies(status: Int) async throws {
        let transport = StubServer(inOrder: [Self.to("/2", status), .status(.noContent)])
        try await APIClient.scripted(transport).call(.post, "1", body: .json(["a": 1])).void()
        let second = transport.requests[1]
        #expect(second.text == (status == 302 ? "" : #"{"a":1}"#))
        #expect(second.header(.contentType) == (status == 302 ? nil : "application/json"))
    }

    @Test("A single-use body fails with a typed error instead of being sent empty")
    func once() async throws {
        let transport = StubServer(inOrder: [Self.to("/2", 307)])
        let body = RequestBody.once(DataChunks(pieces: [Data("x".utf8)]))
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).call(.post, "1", body: body).void()
        }
        #expect(try failure(error).1.reason == .bodyCannotBeSentAgain)
        #expect(transport.requestCount == 1)
    }

    @Test("A conditional write is not sent to another origin, and a conditional read is sent there unconditionally")
    func conditions() async throws {
        let transport = StubServer(inOrder: [
            Self.to("https://other.test/2", 307), Self.to("https://other.test/2", 307), .text("here"),
        ])
        let client = APIClient.scripted(transport)
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.put, "1", headers: ["If-Match": "\"v1\""], body: .text("x")).void()
        }
        #expect(try failure(error).1.reason == .conditionForAnotherOrigin)
        #expect(transport.requestCount == 1)
        try await client.call(.get, "1", headers: ["If-None-Match": "\"v1\""]).void()
        #expect(transport.requests.map { $0.header(.ifNoneMatch) } == [nil, "\"v1\"", nil])
    }

    @Test("Default fields with a credential are not restored after a redirect to another origin")
    func defaultFields() async throws {
        let transport = StubServer(inOrder: [
            Self.to("https://other.test/2"), Self.to("https://api.test/3"), .status(.ok),
        ])
        let client = APIClient.scripted(transport) {
            $0.headers = ["Authorization": "Bearer secret", "X-API-Key": "secret", "X-Trace": "7"]
        }
        try await client.call(.get, "1").void()
        #expect(transport.requests.map { $0.header(.authorization) } == ["Bearer secret", nil, nil])
        let first = try #require(transport.requests.first)
        for field in first.head.headerFields where field.value.contains("secret") {
            #expect(field.indexingStrategy == .disallow, "the field is never indexed in HPACK")
        }
        let others = transport.requests.dropFirst()
        #expect(others.allSatisfy { !"\($0.head.headerFields)".contains("secret") })
        #expect(
            others.allSatisfy {
                $0.head.headerFields.contains { $0.name.canonicalName == "x-trace" } && $0.header(.userAgent) != nil
            })
    }

    @Test(
        "A credential attached by a step stays with its origin, whatever its field is called",
        arguments: [0, 1, 2])
    func attached(kind: Int) async throws {
        let transport = StubServer(inOrder: [
            Self.to("/2"), Self.to("https://other.test/3"), Self.to("https://api.test/4"), .status(.ok),
        ])
        let client = APIClient.scripted(transport) {
            switch kind {
            case 0: $0.authentication = .apiKey("secret", name: "X-Odd-Key")
            case 1:
                $0.plugins = [
                    Plugins.TokenPlugin(type: .header(.set("X-Odd-Key"))) { "secret" }
                ]
            default:
                $0.interceptors = [
                    AuthRefreshInterceptor(headerField: "X-Odd-Key") { "secret" }.interceptor
                ]
            }
        }
        try await client.call(.get, "1", headers: kind == 2 ? ["X-Odd-Key": "secret"] : [:]).void()
        let sent = transport.requests.map { request in
            request.head.headerFields.contains { $0.name.canonicalName == "x-odd-key" }
        }
        #expect(sent == [true, true, false, false])
    }

    @Test("RedirectPolicy.custom sees each redirect, and stops, follows or changes it")
    func hook() async throws {
        let transport = StubServer(inOrder: [Self.to("/2"), Self.to("/3"), Self.to("/4", 302, "here")])
        let client = APIClient.scripted(transport) {
            $0.redirects = .custom { proposal in
                switch proposal.history.count {
                case 0: return .follow
                case 1:
                    var request = proposal.request
                    request.head.path = "/changed"
                    request.head.headerFields[.accept] = "text/plain"
                    return .change(request)
                default: return .stop
                }
            }
            $0.validation.statusCodes = .any
        }
        let result = try await client.call(.get, "1").decoding(.data).response()
        #expect(transport.requests.map(\.path) == ["/1", "/2", "/changed"])
        #expect(transport.requests.last?.header(.accept) == "text/plain")
        #expect(result.response.statusCode == 302)
        #expect(result.value == Data("here".utf8))
        #expect(result.response.url == "https://api.test/changed")
    }

    @Test("An error thrown by RedirectPolicy.custom fails the call")
    func hookThrows() async throws {
        struct Mine: Error {}
        let client = APIClient.scripted(StubServer { _ in Self.to("/2") }) {
            $0.redirects = .custom { _ in throw Mine() }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() }
        #expect(error?.underlyingError is Mine)
    }

    @Test("cancelAllRequests ends a call that waits in RedirectPolicy.custom")
    func hookCancelled() async throws {
        let gate = Gate()
        let client = APIClient.scripted(StubServer { _ in Self.to("/2") }) {
            $0.redirects = .custom { _ in
                try await gate.wait()
                return .follow
            }
        }
        async let outcome = #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() }
        try await gate.waiting()
        client.cancelAllRequests()
        #expect(try await #require(outcome).isCancelled)
    }

    @Test("An observer receives an event for each redirect")
    func events() async throws {
        let seen = Mutex<[String]>([])
        let transport = StubServer(inOrder: [Self.to("/2?key=secret"), Self.to("/3"), .status(.ok)])
        let client = APIClient.scripted(transport) {
            $0.logging.onEvent = { event in
                if case .redirected(let event) = event { seen.withLock { $0.append("\(event.redirection)") } }
            }
        }
        try await client.call(.get, "1").void()
        #expect(
            seen.withLock { $0 } == [
                "302 from https://api.test/1 to GET https://api.test/2?…",
                "302 from https://api.test/2?… to GET https://api.test/3",
            ])
    }

    @Test("Each request has the remaining total timeout of the call", arguments: [true, false])
    func time(observed: Bool) async throws {
        let clock = TestClock()
        let transport = StubServer { request in
            clock.advance(by: .seconds(2))
            return request.index < 2 ? Self.to("/\(request.index)") : .status(.ok)
        }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(10)
            if observed { $0.logging.onEvent = { _ in } }
        }
        try await client.call(.get, "1").void()
        // Without an observer, the first request's own timings are used; a scripted request took no time.
        #expect(
            transport.requests.map { $0.options?.timeouts.total }
                == (observed ? [.seconds(10), .seconds(8), .seconds(6)] : [.seconds(10), .seconds(10), .seconds(8)]))
    }

    @Test(
        "A timeout of an attempt with the call's remaining time reports the call's limit",
        arguments: ["observed", "retried", "plain"])
    func limit(kind: String) async throws {
        let clock = TestClock()
        let transport = StubServer { request in
            clock.advance(by: .seconds(2))
            if request.index < 2 { return Self.to("/\(request.index)") }
            return .timedOut(.total, after: request.options?.timeouts.total ?? .zero)
        }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(10)
            // Observers and retries make a context count the call's time; for a plain call the redirects count it.
            if kind == "observed" { $0.logging.onEvent = { _ in } }
            if kind == "retried" { $0.retry = RetryPolicy(maximumRetries: 0) }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() }
        guard case .urlError(let cause)? = error else { return }
        #expect(transport.requests.last?.options?.timeouts.total != .seconds(10))
        #expect(cause.limit == .seconds(10))
        #expect(
            cause.message.hasPrefix("the total phase took longer than 10 seconds (timeouts.total)"), "\(cause.message)")
    }
}
