// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("APIClient.drain(within:)", .timeLimit(.minutes(5)))
struct DrainTests {
    private let clock = TestClock()
    private let gate = Gate()
    private let transport = StubServer()

    /// Returns a client whose path `/slow` is answered when the gate opens.
    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        transport.on(nil, path: "/slow", response: .text("late").held(by: gate))
        return .scripted(transport) {
            $0.time = clock.timeSource
            change(&$0)
        }
    }

    /// Returns a running call to `/slow`.
    private func running(_ client: APIClient) async throws -> Task<String, any Error> {
        let call = Task { try await client.call(.get, "slow").string() }
        try await gate.waiting()
        return call
    }

    /// Begins a drain, and returns it when the client refuses calls.
    private func begin(_ client: APIClient, within time: Duration = .seconds(60)) async throws -> Task<
        DrainReport, Never
    > {
        let drain = Task { await client.drain(within: time) }
        try await eventually { client.isDraining }
        return drain
    }

    private static func isRefused(_ error: NetworkError?) -> Bool { error?.underlyingError is ClientDrainedError }

    @Test("A running call ends, later calls are refused with a typed error, and nothing is cut")
    func drains() async throws {
        let client = client()
        let call = try await running(client)
        let drain = try await begin(client)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.post, "orders").void() }
        #expect(Self.isRefused(error) && error?.isRetryable == false)
        #expect(error?.context?.method == "POST" && error?.context?.attempts == 0)
        #expect(error?.context?.url == "https://api.test/orders")
        let stream = await #expect(throws: NetworkError.self) { try await client.stream(.get, "log") }
        #expect(Self.isRefused(stream))
        gate.open()
        #expect(try await call.value == "late")
        let report = await drain.value
        #expect(report.isComplete && report.calls == 0 && report.requests.isEmpty)
        #expect(transport.requestCount == 1)
    }

    @Test("A drain of an idle client returns at once, and is final", arguments: [Duration.zero, .seconds(60)])
    func idle(time: Duration) async {
        let client = client()
        #expect(await client.drain(within: time).isComplete)
        #expect(client.isDraining)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "slow").void() }
        #expect(Self.isRefused(error))
        #expect(transport.requestCount == 0)
    }

    @Test("A call that still runs at the end of the time is cancelled and counted")
    func cuts() async throws {
        let client = client()
        let call = try await running(client)
        let drain = try await begin(client, within: .seconds(7))
        try await clock.sleeping(for: .seconds(7))
        clock.advance(by: .seconds(7))
        let report = await drain.value
        #expect(report.calls == 1 && report.streams == 0 && !report.isComplete)
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
    }

    @Test(
        "With no time, running calls are cancelled at once",
        arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
    func noTime(time: Duration) async throws {
        let client = client()
        let call = try await running(client)
        #expect(await client.drain(within: time).calls == 1)
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
    }

    @Test("A huge time waits as long as necessary", arguments: [Duration.seconds(Int64.max), .seconds(1 << 40)])
    func hugeTime(time: Duration) async throws {
        let client = client()
        let call = try await running(client)
        let drain = try await begin(client, within: time)
        gate.open()
        #expect(try await call.value == "late")
        #expect(await drain.value.isComplete)
    }

    @Test("Cancelling the drain ends its time at once")
    func cancelled() async throws {
        let client = client()
        let call = try await running(client)
        let drain = try await begin(client)
        drain.cancel()
        #expect(await drain.value.calls == 1)
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
    }

    @Test("Drains at the same time share one report, and the shortest time applies")
    func twice() async throws {
        let client = client()
        let call = try await running(client)
        let long = try await begin(client, within: .seconds(60))
        let short = Task { await client.drain(within: .seconds(3)) }
        try await clock.sleeping(for: .seconds(3))
        clock.advance(by: .seconds(3))
        let reports = [await short.value, await long.value, await client.drain(within: .seconds(60))]
        #expect(reports.map(\.calls) == [1, 1, 1] && Set(reports).count == 1)
        #expect("\(reports[0])".hasPrefix("cancelled: calls 1"))
        _ = await call.result
    }

    @Test("A client and its views drain together", arguments: [true, false])
    func views(isOfView: Bool) async throws {
        let client = client()
        let view = client.with { $0.headers["X-View"] = "1" }
        let call = try await running(isOfView ? client : view)
        let drain = try await begin(isOfView ? view : client)
        for other in [client, view, view.with { $0.userAgent = nil }] {
            let error = await #expect(throws: NetworkError.self) { try await other.call(.get, "slow").void() }
            #expect(Self.isRefused(error))
        }
        gate.open()
        #expect(try await call.value == "late")
        #expect(await drain.value.isComplete)
    }

    @Test("Another client over the same transport is not affected")
    func others() async throws {
        transport.on(nil, path: "/a", response: .text("a"))
        await client().drain(within: .zero)
        #expect(try await APIClient.scripted(transport).call(.get, "a").string() == "a")
    }

    @Test("A call that was described before the drain is refused when it is made")
    func described() async {
        let client = client()
        let call = client.call(.get, "slow")
        await client.drain(within: .zero)
        let error = await #expect(throws: NetworkError.self) { try await call.void() }
        #expect(Self.isRefused(error))
    }

    @Test("cancelAllRequests() during a drain ends it")
    func cancelAll() async throws {
        let client = client()
        let call = try await running(client)
        let drain = try await begin(client)
        client.cancelAllRequests()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
        #expect(await drain.value.isComplete)
        let refused = await #expect(throws: NetworkError.self) { try await client.call(.get, "slow").void() }
        #expect(Self.isRefused(refused))
    }

    @Test("cancelAllRequests() after a drain lets no late call escape: its scope stays cancelled")
    func cancelAllLater() async throws {
        let client = client()
        let call = try await running(client)
        await client.drain(within: .zero)
        client.cancelAllRequests()
        #expect(client.scope.isCancelled)
        _ = await call.result
    }
}
