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
struct RefreshTests {
    struct Broken: Error {}

    /// A service that accepts one token, and issues another on request.
    final class Service: Sendable {
        let valid = Mutex("new")
        let refreshes = Counter()

        func answer(_ request: RecordedRequest) -> StubResponse {
            request.header(.authorization) == "Bearer \(valid.withLock { $0 })"
                ? .text(request.path) : .text("expired", status: .unauthorized)
        }
    }

    /// A provider that stores the token.
    actor Provider: TokenRefreshProvider {
        var token: String?
        let act: @Sendable () async throws -> String?

        init(_ token: String?, _ act: @escaping @Sendable () async throws -> String?) {
            self.token = token
            self.act = act
        }

        func refreshTokenIfNeeded() async throws { token = try await act() }
    }

    /// The four ways to have a token refreshed.
    enum Way: CaseIterable, Sendable {
        case interceptor, interceptorOwnHeader, provider, token

        /// Configures the way with the token "old".
        func apply(
            to configuration: inout APIClient.Configuration, _ refresh: @escaping @Sendable () async throws -> String?
        ) {
            let value: @Sendable () async throws -> String? = { try await refresh().map { "Bearer \($0)" } }
            switch self {
            case .interceptor:
                configuration.headers["Authorization"] = "Bearer old"
                configuration.interceptors = [AuthRefreshInterceptor(refresh: value).interceptor]
            case .interceptorOwnHeader:
                configuration.interceptors = [
                    Interceptor { request, next in
                        var request = request
                        request.head.headerFields[.authorization] = "Bearer old"
                        return try await next(request)
                    },
                    AuthRefreshInterceptor(refresh: value).interceptor,
                ]
            case .provider:
                let provider = Provider("old", refresh)
                configuration.authentication = .refreshing(provider) { await provider.token }
            case .token:
                configuration.authentication = .refreshing(
                    RefreshingToken(AccessToken("old")) { _ in try await refresh().map { AccessToken($0) } })
            }
        }
    }

    @Test("EK3: without a refresher one request is sent, and the call fails with the 401 and its body")
    func noRefresher() async throws {
        let transport = StubServer { _ in .text("who?", status: .unauthorized) }
        let client = APIClient.scripted(transport) { $0.authentication = .bearer("old") }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(error?.statusCode == 401)
        #expect(error?.responseData == Data("who?".utf8))
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").stream() }
        #expect(transport.requestCount == 2)
    }

    @Test("EK3: a refused call refreshes once and is sent again once", arguments: Way.allCases)
    func one(way: Way) async throws {
        let service = Service()
        let transport = StubServer { service.answer($0) }
        let client = APIClient.scripted(transport) {
            way.apply(to: &$0) {
                service.refreshes.next()
                return "new"
            }
        }
        #expect(try await client.call(.post, "a", body: .text("body")).data() == Data("/a".utf8))
        #expect(transport.requests.map(\.text) == ["body", "body"])
        #expect(transport.requests.map { $0.header(.authorization) } == ["Bearer old", "Bearer new"])
        #expect(service.refreshes.count == 1)
        // From now on, requests are sent with the new token.
        _ = try await client.call(.get, "b").data()
        #expect(transport.requestCount == 3)
    }

    @Test("EK3: a refused stream refreshes once and is sent again once", arguments: Way.allCases)
    func stream(way: Way) async throws {
        let service = Service()
        let transport = StubServer { service.answer($0) }
        let client = APIClient.scripted(transport) {
            way.apply(to: &$0) {
                service.refreshes.next()
                return "new"
            }
        }
        let stream = try await client.call(.get, "a").stream()
        #expect(try await stream.chunks.collect(upTo: 100) == Data("/a".utf8))
        #expect(transport.requestCount == 2)
        #expect(service.refreshes.count == 1)
    }

    @Test("A token refused again after its refresh fails with the 401", arguments: Way.allCases)
    func stillRefused(way: Way) async throws {
        let refreshes = Counter()
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            way.apply(to: &$0) { "new\(refreshes.next())" }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(error?.statusCode == 401)
        #expect(transport.requestCount == 2)
        #expect(refreshes.count == 1)
    }

    @Test(
        "NET4: calls refused together refresh once, and each replay carries the new token",
        arguments: Way.allCases, [8, 10])
    func together(way: Way, count: Int) async throws {
        let service = Service()
        let arrived = Gate()
        let arrivals = Counter()
        let transport = StubServer { request in
            if arrivals.next() == count { arrived.open() }
            try await arrived.wait()
            return service.answer(request)
        }
        let client = APIClient.scripted(transport) {
            way.apply(to: &$0) {
                service.refreshes.next()
                return "new"
            }
        }
        try await withThrowingTaskGroup(of: Data.self) { group in
            for index in 0..<count { group.addTask { try await client.call(.get, "\(index)").data() } }
            var answers: Set<Data> = []
            for try await answer in group { answers.insert(answer) }
            #expect(answers == Set((0..<count).map { Data("/\($0)".utf8) }))
        }
        #expect(service.refreshes.count == 1)
        #expect(transport.requestCount == 2 * count)
        #expect(transport.requests.suffix(count).allSatisfy { $0.header(.authorization) == "Bearer new" })
    }

    @Test(
        "NET15: ten calls with a stale token, refused one after another, refresh once",
        arguments: Way.allCases)
    func staggered(way: Way) async throws {
        let service = Service()
        let gates = (0..<10).map { _ in Gate() }
        let arrived = Gate()
        let arrivals = Counter()
        let transport = StubServer { request in
            if arrivals.next() == gates.count { arrived.open() }
            if request.header(.authorization) == "Bearer old" {
                try await gates[Int(request.path.dropFirst()) ?? 0].wait()
            }
            return service.answer(request)
        }
        let client = APIClient.scripted(transport) {
            way.apply(to: &$0) {
                service.refreshes.next()
                return "new"
            }
        }
        let calls = gates.indices.map { index in Task { try await client.call(.get, "\(index)").data() } }
        try await arrived.wait()
        for (gate, call) in zip(gates, calls) {
            gate.open()
            _ = try await call.value
        }
        #expect(service.refreshes.count == 1)
        #expect(transport.requestCount == 20)
    }

    @Test(
        "NET15: a refresh refused through the same client fails every waiting call instead of deadlocking",
        arguments: Way.allCases)
    func ownRefusal(way: Way) async throws {
        let arrived = Gate()
        let arrivals = Counter()
        let transport = StubServer { request in
            if request.path != "/token", arrivals.next() == 5 { arrived.open() }
            try await arrived.wait()
            return .status(.unauthorized)
        }
        let own = Mutex<APIClient?>(nil)
        let client = APIClient.scripted(transport) {
            way.apply(to: &$0) {
                let client = try #require(own.withLock { $0 })
                return try await client.call(.post, "token").decode(String.self, at: "token")
            }
        }
        own.withLock { $0 = client }
        await withTaskGroup(of: NetworkError?.self) { group in
            for _ in 0..<5 {
                group.addTask { await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() } }
            }
            for await error in group {
                let failure = error?.underlyingError as? TokenRefreshError
                #expect((failure?.underlying as? NetworkError)?.statusCode == 401)
            }
        }
        #expect(transport.requests.count { $0.path == "/token" } == 1)
        own.withLock { $0 = nil }
    }

    @Test("A failed refresh fails every waiting call, and a later call tries again", arguments: Way.allCases)
    func failure(way: Way) async throws {
        let service = Service()
        let transport = StubServer { service.answer($0) }
        let client = APIClient.scripted(transport) {
            way.apply(to: &$0) {
                guard service.refreshes.next() > 1 else { throw Broken() }
                return "new"
            }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect((error?.underlyingError as? TokenRefreshError)?.underlying is Broken)
        #expect(error?.context?.url == "https://api.test/x")
        try await client.call(.get, "x").void()
        #expect(service.refreshes.count == 2)
    }

    @Test(
        "A refresh that returns no token leaves each refused call its own 401",
        arguments: [Way.interceptor, .interceptorOwnHeader, .token])
    func declined(way: Way) async throws {
        let transport = StubServer { .text($0.path, status: .unauthorized) }
        let client = APIClient.scripted(transport) { way.apply(to: &$0) { nil } }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(error?.responseData == Data("/x".utf8))
        #expect(transport.requestCount == 1)
    }

    @Test(
        "A call cancelled while it waits ends at once, and the refresh continues for the others",
        arguments: Way.allCases)
    func cancelledWaiter(way: Way) async throws {
        let service = Service()
        let (refreshing, done) = (Gate(), Gate())
        let clock = TestClock()
        let transport = StubServer { service.answer($0) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            way.apply(to: &$0) {
                refreshing.open()
                try await done.wait()
                return "new"
            }
        }
        let starter = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() } }
        try await refreshing.wait()
        let other = Task { try await client.call(.get, "2").void() }
        // Before or while it waits: the test does not depend on the order.
        await yieldToOthers()
        starter.cancel()
        #expect(try #require(await starter.value).isCancelled)
        done.open()
        try await other.value
    }

    @Test("A refresh without waiters is cancelled after 30 seconds", arguments: Way.allCases)
    func abandoned(way: Way) async throws {
        let (refreshing, cancelled) = (Gate(), Gate())
        let clock = TestClock()
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(3_600)
            way.apply(to: &$0) {
                refreshing.open()
                do { try await Gate().wait() } catch { cancelled.open() }
                return "new"
            }
        }
        let only = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() } }
        try await refreshing.wait()
        client.cancelAllRequests()
        #expect(try #require(await only.value).isCancelled)
        // Not after the longer total timeout of the cancelled call.
        try await clock.sleeping(forAtMost: .seconds(30))
        clock.advance(by: .seconds(30))
        try await cancelled.wait()
    }

    @Test("A new call joins a running refresh that earlier callers have abandoned", arguments: Way.allCases)
    func rejoined(way: Way) async throws {
        let service = Service()
        let (refreshing, done) = (Gate(), Gate())
        let clock = TestClock()
        let transport = StubServer { service.answer($0) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(3_600)
            way.apply(to: &$0) {
                service.refreshes.next()
                refreshing.open()
                try await done.wait()
                return "new"
            }
        }
        let only = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "1").void() } }
        try await refreshing.wait()
        only.cancel()
        _ = await only.value
        let next = Task { try await client.call(.get, "2").void() }
        // The new call waits with its own timeout, beside the timer of the abandoned refresh.
        try await clock.sleeping(2)
        done.open()
        try await next.value
        #expect(service.refreshes.count == 1)
        #expect(transport.requests.map { $0.header(.authorization) } == ["Bearer old", "Bearer new"])
    }

    @Test("A single-use body leaves the call its 401, and starts no refresh", arguments: Way.allCases)
    func once(way: Way) async throws {
        let refreshes = Counter()
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) { way.apply(to: &$0) { "new\(refreshes.next())" } }
        let chunks = AsyncThrowingStream<Data, any Error> { stream in
            stream.yield(Data("abc".utf8))
            stream.finish()
        }
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.post, "x", body: .once(chunks)).void()
        }
        #expect(error?.statusCode == 401)
        #expect(transport.requestCount == 1)
        #expect(refreshes.count == 0)
    }
}
