// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The events of waits, hedges, interim responses and attempts in `onEvent`.
@Suite("NetworkEvent", .timeLimit(.minutes(10)))
struct EventTests {
    private let clock = TestClock()
    private let events = LockedValue<[NetworkEvent]>([])

    private var lines: [String] {
        events.value.compactMap { event in
            switch event {
            case .wait(let wait): "\(wait.cause) \(wait.stage)"
            case .hedgeStarted(let hedge): "hedge \(hedge.requests)"
            case .interim(let interim): "interim \(interim.response.status.code)"
            case .attempt(let attempt):
                switch attempt.outcome {
                case .response(let status): "attempt \(attempt.attempt) \(attempt.method) \(attempt.url) \(status)"
                case .failed: "attempt \(attempt.attempt) failed"
                @unknown default: nil
                }
            default: nil
            }
        }
    }

    private func client(
        _ transport: StubServer, _ change: (inout APIClient.Configuration) -> Void
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.logging.onEvent = { [events] event in events.change { $0.append(event) } }
            change(&$0)
        }
    }

    @Test("Each attempt is reported with its number and outcome, and without the query")
    func attempts() async throws {
        let transport = StubServer(inOrder: [.status(.serviceUnavailable), .status(.ok)])
        let client = client(transport) {
            $0.retry = RetryPolicy(maximumRetries: 1)
            $0.retry?.jitter = .none
        }
        let call = Task { try await client.get("x", query: ["key": "secret"]) as EmptyResponse }
        // The wait before the second attempt, not the call's deadline.
        try await clock.sleeping(forAtMost: .seconds(1))
        clock.advance(by: .seconds(1))
        _ = try await call.value
        #expect(lines == ["attempt 1 GET https://api.test/x?… 503", "attempt 2 GET https://api.test/x?… 200"])
        let ids = events.value.compactMap { event in
            if case .attempt(let attempt) = event { attempt.callID } else { nil }
        }
        #expect(Set(ids).count == 1)
    }

    @Test("An attempt without a response is reported with its error")
    func failing() async throws {
        struct Broken: Error {}
        let client = client(StubServer { _ in throw Broken() }) { _ in }
        _ = try? await client.call(.get, "x").void()
        #expect(lines == ["attempt 1 failed"])
    }

    @Test("Interim responses are reported, also to the call's observeInterim")
    func interim() async throws {
        let hints = StubResponse.status(.ok).interim(.earlyHints, headerFields: [.location: "/a"])
        let client = client(StubServer { _ in hints }) { _ in }
        let own = LockedValue<[Int]>([])
        var call = client.call(.get, "x")
        call.observeInterim = { response in own.change { $0.append(response.status.code) } }
        try await call.void()
        #expect(lines == ["interim 103", "attempt 1 GET https://api.test/x 200"])
        #expect(own.value == [103])
    }

    @Test("A rate-limit wait is reported with its duration; an immediate permit is not")
    func rateLimit() async throws {
        let client = client(StubServer { _ in .status(.ok) }) {
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(2), burst: 1)
        }
        try await client.call(.get, "x").void()
        #expect(lines.count == 1)
        let second = Task { try await client.call(.get, "x").void() }
        try await clock.sleeping(forAtMost: .seconds(2))
        #expect(lines.last == "rateLimit began")
        clock.advance(by: .seconds(2))
        try await second.value
        #expect(lines.dropFirst(2) == ["rateLimit ended(after: 2.0 seconds)", "attempt 1 GET https://api.test/x 200"])
    }

    @Test("Waiting for a token refresh is reported for each call, also for the one that started it")
    func refresh() async throws {
        let gate = Gate()
        let token = RefreshingToken(AccessToken("old", expiration: clock.date)) { _ in
            try await gate.wait()
            return AccessToken("new")
        }
        let client = client(StubServer { _ in .status(.ok) }) { $0.authentication = .refreshing(token) }
        let calls = (0..<3).map { _ in Task { try await client.call(.get, "x").void() } }
        try await clock.sleeping(3)
        #expect(lines == Array(repeating: "tokenRefresh began", count: 3))
        gate.open()
        for call in calls { try await call.value }
        #expect(lines.filter { $0.hasPrefix("tokenRefresh ended") }.count == 3)
        try await client.call(.get, "x").void()
        #expect(lines.filter { $0.hasPrefix("tokenRefresh") }.count == 6)
    }

    @Test("A wait that ends by cancellation is reported as ended")
    func cancelled() async throws {
        let never = Gate()
        let token = RefreshingToken(AccessToken("old", expiration: clock.date)) { _ in
            try await never.wait()
            return nil
        }
        let client = client(StubServer { _ in .status(.ok) }) { $0.authentication = .refreshing(token) }
        let call = Task { try await client.call(.get, "x").void() }
        try await clock.sleeping(1)
        call.cancel()
        await #expect(throws: NetworkError.self) { try await call.value }
        #expect(lines == ["tokenRefresh began", "tokenRefresh ended(after: 0.0 seconds)"])
        never.open()
    }

    @Test("Waiting while StopTheLine holds requests is reported")
    func line() async throws {
        let gate = Gate()
        let transport = StubServer { request in request.index == 0 ? .status(.unauthorized) : .status(.ok) }
        let client = client(transport) {
            $0.stopTheLine = Line { _, _ in
                try await gate.wait()
                return .retry
            }
        }
        let first = Task { try await client.call(.get, "x").void() }
        try await gate.waiting()
        let second = Task { try await client.call(.get, "y").void() }
        try await clock.sleeping(2)
        #expect(lines.filter { $0 == "stoppedLine began" }.count == 2)
        gate.open()
        try await first.value
        try await second.value
        #expect(lines.filter { $0.hasPrefix("stoppedLine ended") }.count == 2)
    }

    @Test("The start of a hedge is reported")
    func hedge() async throws {
        let never = Gate()
        let transport = StubServer { request in
            if request.index == 0 { try await never.wait() }
            return .text("ok")
        }
        let client = client(transport) { $0.resilience.hedging = Hedging(after: .seconds(1), maximum: 2) }
        let call = Task { try await client.call(.get, "x").data() }
        try await clock.sleeping(forAtMost: .seconds(1))
        #expect(lines.isEmpty)
        clock.advance(by: .seconds(1))
        _ = try await call.value
        #expect(lines.first == "hedge 2")
        #expect(!lines.contains("hedge 3"))
    }
}
