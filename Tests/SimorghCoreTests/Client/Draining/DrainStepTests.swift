// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

/// The steps of a running call during a drain: nested calls, retries, hedged requests, queues.
@Suite("APIClient.drain(within:): steps of a running call", .timeLimit(.minutes(5)))
struct DrainStepTests {
    private let clock = TestClock()
    private let gate = Gate()
    private let transport = StubServer()

    private func client(_ change: (inout APIClient.Configuration) -> Void) -> APIClient {
        .scripted(transport) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0.5 }
            change(&$0)
        }
    }

    private func begin(_ client: APIClient) async throws -> Task<DrainReport, Never> {
        let drain = Task { await client.drain(within: .seconds(3600)) }
        try await eventually { client.isDraining }
        return drain
    }

    @Test("The token of a running call is refreshed through the same client")
    func refresh() async throws {
        let owner = LockedValue<APIClient?>(nil)
        let token = RefreshingToken(AccessToken("old")) { _ in
            let client = try #require(owner.value)
            return AccessToken(try await client.with { $0.authentication = nil }.call(.post, "token").string())
        }
        let gate = gate
        transport.on(nil, path: "/me") { request in
            request.head.headerFields[.authorization] == "Bearer new"
                ? .text("Zal") : StubResponse.status(.unauthorized).held(by: gate)
        }
        transport.on(nil, path: "/token", response: .text("new"))
        let client = client { $0.authentication = .refreshing(token) }
        owner.change { $0 = client }
        let call = Task { try await client.call(.get, "me").string() }
        try await gate.waiting()
        let drain = try await begin(client)
        gate.open()
        #expect(try await call.value == "Zal")
        #expect(await drain.value.isComplete)
        #expect(transport.requests.map(\.path) == ["/me", "/token", "/me"])
        owner.change { $0 = nil }
    }

    @Test("An interceptor of a running call makes calls through a view; a task that it leaves behind does not")
    func interceptor() async throws {
        let owner = LockedValue<APIClient?>(nil)
        let leftover = LockedValue<Task<Void, any Error>?>(nil)
        let (gate, late) = (gate, Gate())
        transport.on(nil, path: "/extra", response: .text("more"))
        transport.on(nil, path: "/main", response: .text("done"))
        let client = client {
            $0.interceptors = [
                Interceptor { request, next in
                    try await gate.wait()
                    let view = try #require(owner.value).with { $0.interceptors = [] }
                    leftover.change {
                        $0 = Task {
                            try await late.wait()
                            try await view.call(.get, "extra").void()
                        }
                    }
                    _ = try await view.call(.get, "extra").string()
                    return try await next(request)
                }
            ]
        }
        owner.change { $0 = client }
        let call = Task { try await client.call(.get, "main").string() }
        try await gate.waiting()
        let drain = try await begin(client)
        gate.open()
        #expect(try await call.value == "done")
        #expect(await drain.value.isComplete)
        late.open()
        let error = await #expect(throws: NetworkError.self) { try await leftover.value?.value }
        #expect(error?.underlyingError is ClientDrainedError)
        #expect(transport.requests.map(\.path) == ["/extra", "/main"])
        owner.change { $0 = nil }
        leftover.change { $0 = nil }
    }

    @Test("A running call is retried after its wait")
    func retries() async throws {
        let client = client {
            $0.retry = RetryPolicy(maximumRetries: 2)
            $0.retry?.baseDelay = .seconds(4)
            $0.retry?.jitter = .none
        }
        transport.on(nil, path: "/a", inOrder: [.status(.serviceUnavailable), .text("a")])
        let call = Task { try await client.call(.get, "a").string() }
        try await clock.sleeping(for: .seconds(4))
        let drain = try await begin(client)
        clock.advance(by: .seconds(4))
        #expect(try await call.value == "a")
        #expect(await drain.value.isComplete)
        #expect(transport.requestCount == 2)
    }

    @Test("A running call follows its redirect")
    func redirects() async throws {
        let client = client { _ in }
        let redirect = StubResponse.status(.found).header(.location, value: "/new")
        transport.on(nil, path: "/old", response: redirect.held(by: gate))
        transport.on(nil, path: "/new", response: .text("new"))
        let call = Task { try await client.call(.get, "old").string() }
        try await gate.waiting()
        let drain = try await begin(client)
        gate.open()
        #expect(try await call.value == "new")
        #expect(await drain.value.isComplete)
        #expect(transport.requests.map(\.path) == ["/old", "/new"])
    }

    @Test("A slow running call gets its hedged request")
    func hedges() async throws {
        let client = client { $0.resilience.hedging = Hedging(after: .seconds(4)) }
        transport.on(nil, path: "/a", inOrder: [.text("slow").held(by: gate), .text("fast")])
        let call = Task { try await client.call(.get, "a").string() }
        try await gate.waiting()
        try await clock.sleeping(for: .seconds(4))
        let drain = try await begin(client)
        clock.advance(by: .seconds(4))
        #expect(try await call.value == "fast")
        #expect(await drain.value.isComplete)
    }

    @Test("A request in the offline queue is sent when the network is back")
    func offline() async throws {
        let fixture = OfflineQueueFixture()
        fixture.transport.on("/a", response: .text("a"))
        let client = fixture.client()
        let call = Task { try await client.call(.get, "a").string() }
        try await fixture.waiting(1, in: client)
        let drain = try await begin(client)
        fixture.network.become(.connected(.wifi))
        #expect(try await call.value == "a")
        #expect(await drain.value.isComplete)
    }

    @Test("A request that still waits in the offline queue at the end of the time is cancelled, and was not sent")
    func offlineCut() async throws {
        let fixture = OfflineQueueFixture()
        fixture.transport.on("/a", response: .text("a"))
        let client = fixture.client()
        let call = Task { try await client.call(.get, "a").string() }
        try await fixture.waiting(1, in: client)
        #expect(await client.drain(within: .zero).calls == 1)
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
        #expect(fixture.transport.requestCount == 0)
    }
}
