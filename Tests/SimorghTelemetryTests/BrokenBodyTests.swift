// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Telemetry
import Foundation
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import SimorghCore
import SimorghNIO
import SimorghTelemetry
import SimorghTesting
import TestSupport
import Testing
import Tracing

/// Responses with a complete head and an interrupted body: all observers report the head.
@Suite("Observed responses with interrupted bodies", .timeLimit(.minutes(10)))
struct BrokenBodyTests {
    /// A way in which the body fails.
    struct Break: Sendable, CustomTestStringConvertible {
        let name: String
        /// The HTTP/1.1 response after its status line; `nil` for HTTP/2.
        var http1: String?
        var http2: StubResponse?
        var limit = 1_000_000
        /// The body in the HAR file.
        var text: String?
        /// The code of the error.
        let error: String

        var testDescription: String { name }
        var version: String { http1 == nil ? "2" : "1.1" }

        static let all = [
            Break(
                name: "HTTP/1.1, Content-Length 100, 10 bytes, close (axios#6935)",
                http1: "Content-Type: text/plain\r\nContent-Length: 100\r\n\r\n0123456789", text: "0123456789",
                error: "networkConnectionLost"),
            Break(
                name: "HTTP/1.1, a chunk, close",
                http1: "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", text: "abc",
                error: "networkConnectionLost"),
            Break(
                name: "HTTP/1.1, invalid gzip", http1: "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
                error: "cannotDecodeContentData"),
            Break(
                name: "HTTP/1.1, three layers of gzip",
                http1: "Content-Encoding: gzip, gzip, gzip\r\nContent-Length: 5\r\n\r\nhello",
                error: "cannotDecodeContentData"),
            Break(
                name: "HTTP/1.1, above the limit, by its Content-Length",
                http1: "Content-Length: 100\r\n\r\n0123456789", limit: 50, error: "dataLengthExceedsMaximum"),
            Break(
                name: "HTTP/1.1, above the limit, by its chunks",
                http1: "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n40\r\n"
                    + String(repeating: "c", count: 64) + "\r\n0\r\n\r\n",
                limit: 50, error: "dataLengthExceedsMaximum"),
            Break(
                name: "HTTP/2, RST_STREAM in the body",
                http2: StubResponse.text(String(repeating: "a", count: 100)).fault(.resetStream(2), at: .responseBody),
                text: String(repeating: "a", count: 50), error: "networkConnectionLost"),
            Break(
                name: "HTTP/2, the connection ends in the body",
                http2: StubResponse.text(String(repeating: "a", count: 100)).fault(.close, at: .responseBody),
                text: String(repeating: "a", count: 50), error: "networkConnectionLost"),
            Break(
                name: "HTTP/2, invalid gzip", http2: StubResponse.text("hello").header(.contentEncoding, value: "gzip"),
                error: "cannotDecodeContentData"),
            Break(
                name: "HTTP/2, above the limit", http2: StubResponse.text(String(repeating: "a", count: 100)),
                limit: 50,
                error: "dataLengthExceedsMaximum"),
        ]
    }

    private let world = TelemetryFixture()
    private let recorder = HARRecorder()
    private let events = LockedValue<[NetworkEvent]>([])

    /// Runs a function with a client of a server that interrupts its body.
    private func with(
        _ fault: Break, _ body: (APIClient, _ port: Int) async throws -> Void
    ) async throws {
        func client(_ url: String, _ version: TransportOptions.HTTPVersion) -> APIClient {
            world.client(NIOTransport()) {
                $0.baseURL = url
                $0.time = .system
                $0.httpVersion = version
                $0.maximumCollectedBytes = fault.limit
                $0.networkInterceptors = [recorder.interceptor]
                $0.logging.onEvent = { [events] event in events.change { $0.append(event) } }
            }
        }
        if let response = fault.http1 {
            let server = try await RawServer { _ in
                [.send("HTTP/1.1 200 OK\r\nX-Bird: simorgh\r\nSet-Cookie: sid=s3cret-cookie\r\n\(response)"), .close]
            }
            try await body(client("http://\(server.authority)", .http1Only), server.port)
        } else if let answer = fault.http2 {
            try await MockServer.with { server in
                let name = try #require(HTTPField.Name("X-Bird"))
                server.enqueue(
                    answer.header(name, value: "simorgh").header(.setCookie, value: "sid=s3cret-cookie"))
                try await body(client(server.url, .http2PriorKnowledge), server.port)
            }
        }
    }

    @Test("A received head is reported in the HAR file, events, spans and metrics", arguments: Break.all)
    func collected(fault: Break) async throws {
        try await with(fault) { client, port in
            await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
            try checkFile(fault)
            try checkEvents(fault)
            try checkSpans(fault, port)
        }
    }

    @Test("An error response with an interrupted body is in the HAR file with status, partial body and reason")
    func refused() async throws {
        let server = try await RawServer { _ in
            [.send("HTTP/1.1 500 Oops\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n0123456789"), .close]
        }
        let client = world.client(NIOTransport()) {
            $0.baseURL = "http://\(server.authority)"
            $0.time = .system
            $0.networkInterceptors = [recorder.interceptor]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(error?.statusCode == 500)
        let entry = try #require(recorder.document.log.entries.first)
        #expect(entry.response.status == 500 && entry.response.content.text == "0123456789")
        #expect(entry.comment?.contains("networkConnectionLost") == true)
    }

    private func checkFile(_ fault: Break) throws {
        let entry = try #require(recorder.document.log.entries.first)
        #expect(entry.response.status == 200 && entry.comment?.contains(fault.error) == true)
        #expect(entry.response.headers.contains { $0.name.lowercased() == "x-bird" && $0.value == "simorgh" })
        #expect(entry.response.cookies.map(\.name) == ["sid"])
        #expect(entry.serverIPAddress == "127.0.0.1" && entry.connection != nil)
        #expect(entry.request.httpVersion == (fault.version == "2" ? "HTTP/2" : "HTTP/1.1"))
        #expect(entry.timings.wait >= 0)
        if let text = fault.text {
            #expect(entry.response.content.text == text && entry.response.content.size == Int64(text.utf8.count))
        }
        #expect(!String(decoding: try recorder.export(), as: UTF8.self).contains("s3cret"))
    }

    private func checkEvents(_ fault: Break) throws {
        let attempts = events.value.compactMap { event in
            if case .attempt(let attempt) = event { attempt } else { nil }
        }
        let attempt = try #require(attempts.first)
        guard attempts.count == 1, case .failed = attempt.outcome else {
            Issue.record("\(attempts)")
            return
        }
        let name = try #require(HTTPField.Name("X-Bird"))
        #expect(attempt.statusCode == 200 && attempt.responseHeaders[name] == "simorgh")
        #expect(attempt.responseHeaders[.setCookie]?.contains("s3cret") == false)
        #expect(attempt.connection?.remoteAddress?.hasPrefix("127.0.0.1:") == true)
        guard case .completed(let call) = events.value.last, case .failure(let failure) = call.outcome else {
            Issue.record("\(events.value)")
            return
        }
        #expect(failure.statusCode == 200 && call.metrics?.attempts.map(\.statusCode) == [200])
    }

    private func checkSpans(_ fault: Break, _ port: Int) throws {
        for span in world.tracer.finishedSpans {
            #expect(span.text("http.response.status_code") == "200", "\(span.operationName)")
            #expect(span.text("error.type") == fault.error && span.status?.code == .error)
        }
        let attempt = try #require(world.tracer.finishedSpans.first { $0.kind == .client })
        #expect(attempt.text("network.protocol.name") == "http")
        #expect(attempt.text("network.protocol.version") == fault.version)
        #expect(attempt.text("network.peer.address") == "127.0.0.1" && attempt.text("network.peer.port") == "\(port)")
        let timer = try world.metrics.expectTimer(
            "http.client.request.duration",
            [
                ("http.request.method", "GET"), ("server.address", "127.0.0.1"), ("server.port", "\(port)"),
                ("url.scheme", "http"), ("http.response.status_code", "200"), ("error.type", fault.error),
                ("network.protocol.version", fault.version),
            ])
        #expect(timer.values.count == 1)
    }

    @Test("The head of a stream is reported, with the error of its body if known", arguments: Break.all)
    func streamed(fault: Break) async throws {
        try await with(fault) { client, _ in
            // A stream has no size limit: only an interrupted body or invalid gzip fails.
            do {
                for try await _ in try await client.stream(.get, "x").chunks {}
                #expect(fault.error == "dataLengthExceedsMaximum")
            } catch {
                #expect(error is NetworkError)
            }
            let entry = try #require(recorder.document.log.entries.first)
            #expect(entry.response.status == 200)
            #expect(entry.response.headers.contains { $0.name.lowercased() == "x-bird" && $0.value == "simorgh" })
            for span in world.tracer.finishedSpans { #expect(span.text("http.response.status_code") == "200") }
            let statuses = events.value.compactMap { event -> Int? in
                if case .attempt(let attempt) = event { attempt.statusCode } else { nil }
            }
            #expect(statuses == [200])
        }
    }

    @Test("A call that is cancelled during its body reports the received head")
    func cancelled() async throws {
        let server = try await RawServer { _ in
            [.send("HTTP/1.1 200 OK\r\nX-Bird: simorgh\r\nContent-Length: 100\r\n\r\n0123456789")]
        }
        let records = LockedValue<[WireRecord]>([])
        let client = world.client(NIOTransport()) {
            $0.baseURL = "http://\(server.authority)"
            $0.time = .system
            $0.networkInterceptors = [
                recorder.interceptor,
                Interceptor { request, next in
                    if let wire = request.options.wire { records.change { $0.append(wire) } }
                    return try await next(request)
                },
            ]
            $0.logging.onEvent = { [events] event in events.change { $0.append(event) } }
        }
        let call = Task { try await client.call(.get, "x").data() }
        try await eventually { records.value.first?.facts(ExchangeTimings())?.response != nil }
        call.cancel()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
        let entry = try #require(recorder.document.log.entries.first)
        #expect(entry.response.status == 200 && entry.serverIPAddress == "127.0.0.1")
        let span = try #require(world.tracer.finishedSpans.first { $0.kind == .client })
        #expect(span.text("http.response.status_code") == "200" && span.text("error.type") == "cancelled")
        guard case .completed(let end) = events.value.last, case .failure(let failure) = end.outcome else {
            Issue.record("\(events.value)")
            return
        }
        #expect(failure.statusCode == 200)
    }

    @Test("An attempt without a response head has no status, and reports its connection")
    func noHead() async throws {
        let server = try await RawServer { _ in [.close] }
        let client = world.client(NIOTransport()) {
            $0.baseURL = "http://\(server.authority)"
            $0.time = .system
            $0.networkInterceptors = [recorder.interceptor]
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        let entry = try #require(recorder.document.log.entries.first)
        #expect(entry.response.status == 0 && entry.serverIPAddress == "127.0.0.1")
        let span = try #require(world.tracer.finishedSpans.first { $0.kind == .client })
        #expect(span.text("http.response.status_code") == nil)
        #expect(span.text("network.peer.port") == "\(server.port)")
    }
}
#endif
