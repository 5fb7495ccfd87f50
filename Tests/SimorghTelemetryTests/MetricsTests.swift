// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import Foundation
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import SimorghCore
import SimorghTelemetry
import SimorghTesting
import TestSupport
import Testing

/// Metrics with the names of the OpenTelemetry conventions for HTTP clients.
@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    private let world = TelemetryFixture()

    private func dimensions(_ more: [(String, String)]) -> [(String, String)] {
        [
            ("http.request.method", "POST"), ("server.address", "api.test"), ("server.port", "8443"),
            ("url.scheme", "https"),
        ] + more
    }

    @Test("Each attempt records its duration and body sizes, and counts as active while in progress")
    func attempts() async throws {
        let clock = world.clock
        let active = LockedValue(-1.0)
        let metrics = world.metrics
        let waiting = dimensions([])
        let transport = StubServer { _ in
            clock.advance(by: .milliseconds(250))
            active.change { $0 = (try? metrics.expectMeter("http.client.active_requests", waiting))?.lastValue ?? -1 }
            return .text("12345")
        }
        let client = world.client(transport)
        for _ in 0..<3 { _ = try await client.call(.post, "x", body: .text("abc")).data() }
        let ended = dimensions([("http.response.status_code", "200")])
        let timer = try metrics.expectTimer("http.client.request.duration", ended)
        #expect(timer.values == [250_000_000, 250_000_000, 250_000_000])
        #expect(try metrics.expectRecorder("http.client.request.body.size", ended).values == [3, 3, 3])
        #expect(try metrics.expectRecorder("http.client.response.body.size", ended).values == [5, 5, 5])
        #expect(active.value > 0)
        #expect(metrics.timers.count == 1)
    }

    @Test("A streamed body is measured when it has been read, and a partly read one by the bytes read")
    func streams() async throws {
        let client = world.client(
            StubServer { _ in .chunks([.bytes(Data("123".utf8)), .bytes(Data("45".utf8))]) })
        let ended = dimensions([("http.response.status_code", "200")])
        let read = try await client.stream(.post, "x")
        for try await _ in read.chunks {}
        #expect(try world.metrics.expectRecorder("http.client.response.body.size", ended).values == [5])
        _ = try await client.stream(.post, "x").chunks.first { _ in true }
        #expect(try world.metrics.expectRecorder("http.client.response.body.size", ended).values == [5, 3])
        // The size of an unread body is unknown.
        _ = try await client.stream(.post, "x")
        #expect(try world.metrics.expectRecorder("http.client.response.body.size", ended).values == [5, 3])
    }

    @Test("A failed attempt is recorded with its error type")
    func failure() async throws {
        let error = TransportError(.timedOut, phase: .connect, message: "too long")
        let client = world.client(StubServer { _ in .failure(error) })
        _ = try? await client.call(.post, "x").data()
        let timer = try world.metrics.expectTimer(
            "http.client.request.duration", dimensions([("error.type", "timedOut")]))
        #expect(timer.values.count == 1)
    }

    @Test("Above 1024 origins the metrics of earlier origins are released")
    func bounded() async throws {
        let client = world.client(StubServer { _ in .text("12345") }, { $0.baseURL = nil })
        for index in 0..<1025 { _ = try await client.call(.post, "https://o\(index).test/", body: .text("abc")).data() }
        let metrics = world.metrics
        #expect(metrics.timers.count == 1)
        #expect(metrics.recorders.count == 2)
        #expect(metrics.meters.count == 1)
    }

    @Test("With measuresRequests and tracesCalls off nothing is created")
    func off() async throws {
        let client = world.client(
            StubServer { _ in .status(.ok) }, { _ in },
            {
                $0.measuresRequests = false
                $0.tracesCalls = false
            })
        try await client.call(.post, "x").void()
        #expect(world.metrics.timers.isEmpty && world.metrics.meters.isEmpty && world.tracer.finishedSpans.isEmpty)
        #expect(client.configuration.interceptors.isEmpty && client.configuration.networkInterceptors.isEmpty)
    }
}
#endif
