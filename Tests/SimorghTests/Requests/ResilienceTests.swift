// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// The effects of the resilience interceptors on real connections.
@Suite("Resilience on real connections", .timeLimit(.minutes(10)))
struct ResilienceTests {
    private static func client(
        _ server: MockServer, _ transport: NIOTransport,
        _ change: (inout APIClient.Configuration) -> Void
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = server.url
        change(&configuration)
        return APIClient(configuration: configuration, transport: transport)
    }

    @Test("The losing attempt of a hedge is cancelled at once, and its connection closed")
    func hedge() async throws {
        let never = Gate()
        let clock = TestClock()
        try await MockServer.with { server in
            server.on("/slow") { request in
                request.index == 0 ? .text("late").held(by: never) : .text("here")
            }
            let transport = NIOTransport()
            let client = Self.client(server, transport) {
                $0.time = clock.timeSource
                $0.resilience.hedging = Hedging(after: .seconds(1))
            }
            let call = Task { try await client.call(.get, "slow").response() }
            _ = try await server.request(at: 0)
            try await clock.sleeping(forAtMost: .seconds(1))
            clock.advance(by: .seconds(1))
            let response = try await call.value
            #expect(String(decoding: response.value, as: UTF8.self) == "here")
            #expect(response.response.attempts == 2)
            try await eventually { transport.statistics.leased == 0 }
            #expect(transport.statistics.idle == 1)
            #expect(server.requests.count == 2)
            never.open()
        }
    }

    @Test("A streamed response that will be retried is released before the retry delay, with its connection")
    func letGo() async throws {
        let never = Gate()
        let clock = TestClock()
        try await MockServer.with { server in
            server.on("/stream") { request in
                request.index == 0
                    ? .chunks([.bytes(Data("busy".utf8)), .wait(never)], status: .serviceUnavailable) : .text("here")
            }
            let transport = NIOTransport()
            let client = Self.client(server, transport) {
                $0.time = clock.timeSource
                $0.retry = RetryPolicy()
                $0.retry?.jitter = .none
            }
            let call = Task { try await client.call(.get, "stream").stream() }
            try await clock.sleeping(for: .milliseconds(500))
            try await eventually { transport.statistics.leased == 0 }
            clock.advance(by: .milliseconds(500))
            let response = try await call.value
            #expect(try await response.chunks.collect(upTo: 100) == Data("here".utf8))
            never.open()
        }
    }

    @Test("Requests that wait for a connection are served by priority")
    func priority() async throws {
        let gate = Gate()
        try await MockServer.with { server in
            server.on("/p/{name}") { _ in .text("ok").held(by: gate) }
            var engine = NIOTransport.Configuration()
            engine.maximumConnectionsPerHost = 1
            let transport = NIOTransport(configuration: engine)
            let client = Self.client(server, transport) { _ in }
            let order: [RequestPriority] = [.normal, .low, .normal, .high, .critical]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, priority) in order.enumerated() {
                    group.addTask {
                        try await client.call(.get, "p/\(index)").with { $0.priority = priority }.void()
                    }
                    try await eventually { transport.statistics.leased == 1 && transport.statistics.waiting == index }
                }
                gate.open()
                try await group.waitForAll()
            }
            // Every fourth turn goes to the oldest waiter, here the one with low priority.
            #expect(server.requests.map(\.path) == ["/p/0", "/p/4", "/p/3", "/p/2", "/p/1"])
        }
    }

    @Test("Identical concurrent requests reach the server once")
    func shared() async throws {
        let gate = Gate()
        try await MockServer.with { server in
            server.on("/shared") { _ in .text("one").held(by: gate) }
            let transport = NIOTransport()
            let client = Self.client(server, transport) { $0.resilience.coalescesRequests = true }
            let flights = client.settings.state.value(for: true) { InFlightRequests() }
            try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<50 { group.addTask { try await client.call(.get, "shared").data() } }
                try await eventually { flights.waiterCount == 50 }
                gate.open()
                for try await data in group { #expect(data == Data("one".utf8)) }
            }
            #expect(server.requests.count == 1)
        }
    }
}
