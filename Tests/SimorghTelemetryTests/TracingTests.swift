// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import SimorghCore
import SimorghTelemetry
import SimorghTesting
import Testing
import Tracing

/// Spans with the names of the OpenTelemetry conventions for HTTP clients.
@Suite("Tracing", .timeLimit(.minutes(10)))
struct TracingTests {
    private let world = TelemetryFixture()

    @Test("A call is a span with one child span per attempt, and the server receives the attempt's context")
    func spans() async throws {
        let transport = StubServer(inOrder: [.status(.serviceUnavailable), .text("ok")])
        let client = world.client(transport) { $0.retry = RetryPolicy(maximumRetries: 1) }
        _ = try await client.call(.get, "users", query: ["page": 2, "api_key": "s3cret"]).data()
        let finished = world.tracer.finishedSpans
        #expect(finished.count == 3)
        let call = try #require(finished.first { $0.kind == .internal })
        let attempts = finished.filter { $0.kind == .client }
        #expect(call.operationName == "HTTP GET" && attempts.map(\.operationName) == ["GET", "GET"])
        #expect(attempts.allSatisfy { $0.parentSpanID == call.spanID && $0.traceID == call.traceID })
        #expect(call.text("simorgh.attempts") == "2" && call.text("http.response.status_code") == "200")
        let first = attempts[0]
        #expect(first.text("http.request.method") == "GET")
        #expect(first.text("server.address") == "api.test" && first.text("server.port") == "8443")
        #expect(first.text("url.full") == "https://api.test:8443/users?page=2&api_key=[hidden]")
        #expect(first.text("url.scheme") == "https")
        #expect(first.text("http.response.status_code") == "503" && first.text("error.type") == "503")
        #expect(first.text("http.request.resend_count") == nil)
        #expect(first.status?.code == .error)
        #expect(attempts[1].text("http.request.resend_count") == "1" && attempts[1].text("error.type") == nil)
        #expect(attempts[1].status == nil)
        let name = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
        for (index, attempt) in attempts.enumerated() {
            let request = try await transport.request(at: index)
            #expect(request.head.headerFields[name] == attempt.spanID)
        }
    }

    @Test("A failure is reported with its error type, without secrets")
    func failure() async throws {
        let error = TransportError(
            .cannotFindHost, phase: .connect, message: "no address for token=s3cret", requestMayHaveBeenSent: false)
        let client = world.client(StubServer { _ in .failure(error) })
        _ = try? await client.call(.get, "x").data()
        #expect(world.tracer.finishedSpans.count == 2)
        for span in world.tracer.finishedSpans {
            #expect(span.text("error.type") == "cannotFindHost" && span.status?.code == .error)
            #expect(span.status?.message?.contains("s3cret") == false && span.errors.isEmpty)
        }
    }

    @Test("An attempt reports its protocol version and peer", arguments: [("h2", "2"), ("http/1.1", "1.1")])
    func connection(applicationProtocol: String, version: String) async throws {
        let answer = StubResponse.status(.ok).carried(
            over: ConnectionInfo(
                id: 3, applicationProtocol: applicationProtocol, localAddress: nil, remoteAddress: "[2001:db8::1]:443",
                tlsVersion: "TLSv1.3"))
        let client = world.client(StubServer { _ in answer })
        try await client.call(.get, "x").void()
        let attempt = try #require(world.tracer.finishedSpans.first { $0.kind == .client })
        #expect(attempt.text("network.protocol.name") == "http")
        #expect(attempt.text("network.protocol.version") == version)
        #expect(attempt.text("network.peer.address") == "2001:db8::1" && attempt.text("network.peer.port") == "443")
        let timer = try world.metrics.expectTimer(
            "http.client.request.duration",
            [
                ("http.request.method", "GET"), ("server.address", "api.test"), ("server.port", "8443"),
                ("url.scheme", "https"), ("http.response.status_code", "200"), ("network.protocol.version", version),
            ])
        #expect(timer.values.count == 1)
    }

    @Test("An unknown method is reported as _OTHER")
    func unknownMethod() async throws {
        let client = world.client(StubServer { _ in .status(.ok) })
        try await client.call(RequestMethod(rawValue: "BREW"), "x").void()
        let attempt = try #require(world.tracer.finishedSpans.first { $0.kind == .client })
        #expect(attempt.operationName == "HTTP" && attempt.text("http.request.method") == "_OTHER")
        #expect(attempt.text("http.request.method_original") == "BREW")
    }

    @Test("Without propagatesContext no trace context is sent")
    func unpropagated() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = world.client(transport, { _ in }, { $0.propagatesContext = false })
        try await client.call(.get, "x").void()
        let request = try await transport.request(at: 0)
        #expect(request.head.headerFields[try #require(HTTPField.Name(InMemoryTracer.spanIDKey))] == nil)
        #expect(world.tracer.finishedSpans.count == 2)
    }

    @Test("A call inside a span of the program is a child of that span")
    func parent() async throws {
        let client = world.client(StubServer { _ in .status(.ok) })
        try await world.tracer.withSpan("work") { span in
            try await client.call(.get, "x").void()
            let call = try #require(world.tracer.finishedSpans.first { $0.kind == .internal })
            #expect(call.parentSpanID == span.spanID)
        }
    }
}
#endif
