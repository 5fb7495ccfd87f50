// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// Collected calls that continue after a response: its body is not awaited, and does not count towards any limit.
@Suite("Collected calls: a response that another request follows", .timeLimit(.minutes(5)))
struct IntermediateResponseTests {
    /// The reason why the call continues.
    enum Reason: String, CaseIterable, Sendable {
        case redirect, sharedRedirect, digest, retry

        var status: HTTPResponse.Status {
            switch self {
            case .redirect, .sharedRedirect: .found
            case .digest: .unauthorized
            case .retry: .serviceUnavailable
            }
        }
    }

    /// The body of the response that is not the last one.
    enum Body: String, CaseIterable, Sendable {
        case lengthNeverMet, lastChunkNeverComes, dripping, large, endless, short

        func steps(_ gate: Gate) -> [StubResponse.BodyStep] {
            switch self {
            case .lengthNeverMet, .lastChunkNeverComes: [.bytes(Data("short".utf8)), .wait(gate)]
            case .dripping: [.bytes(Data(count: 600))]
            case .large: [.bytes(Data(count: 100_000))]
            case .endless: Array(repeating: .bytes(Data(count: 1024 * 1024)), count: 64)
            case .short: [.bytes(Data("short".utf8))]
            }
        }

        func answer(_ status: HTTPResponse.Status, _ gate: Gate) -> StubResponse {
            let answer = StubResponse.chunks(steps(gate), status: status)
            return switch self {
            case .lengthNeverMet: answer.header(.contentLength, value: "500")
            // Ten minutes for the whole body.
            case .dripping: answer.throttled(to: 1, every: .seconds(1))
            default: answer
            }
        }
    }

    static func serve(_ server: MockServer, _ reason: Reason, _ body: Body, _ gate: Gate) {
        let first = body.answer(reason.status, gate)
        switch reason {
        case .redirect, .sharedRedirect:
            server.on(.get, path: "/first", response: first.header(.location, value: "/target"))
            server.on(.get, path: "/target", response: .text("done"))
        case .digest:
            let challenge = first.header(
                .wwwAuthenticate, value: #"Digest realm="a", nonce="n", qop="auth", algorithm=MD5"#)
            server.on(.get, path: "/first") { $0.header(.authorization) == nil ? challenge : .text("done") }
        case .retry: server.on(.get, path: "/first", inOrder: [first, .text("done")])
        }
    }

    static func client(_ server: MockServer, _ reason: Reason, isStepped: Bool) -> APIClient {
        var configuration = server.clientConfiguration
        configuration.maximumCollectedBytes = 1000
        configuration.timeouts.total = .seconds(60)
        switch reason {
        case .redirect: break
        case .sharedRedirect: configuration.resilience.coalescesRequests = true
        case .digest: configuration.authentication = .digest(username: "zal", password: "feather")
        case .retry:
            var policy = RetryPolicy(maximumRetries: 1)
            policy.baseDelay = .milliseconds(1)
            configuration.retry = policy
        }
        if isStepped { configuration.interceptors = [Interceptor { request, next in try await next(request) }] }
        return APIClient(configuration: configuration, transport: NIOTransport.patient())
    }

    @Test(
        "The next request is sent at once, whatever the body does",
        arguments: Reason.allCases.flatMap { reason in Body.allCases.map { (reason, $0) } },
        [MockServer.HTTPProtocol.http1, .http2])
    func goesOn(_ example: (reason: Reason, body: Body), version: MockServer.HTTPProtocol) async throws {
        var configuration = MockServer.Configuration()
        configuration.protocols = [version]
        let gate = Gate()
        try await MockServer.with(configuration) { server in
            Self.serve(server, example.reason, example.body, gate)
            for isStepped in [false, true] {
                if isStepped, example.reason == .retry { break }
                let client = Self.client(server, example.reason, isStepped: isStepped)
                let data = try await client.call(.get, "first").data()
                #expect(String(decoding: data, as: UTF8.self) == "done")
            }
            gate.open()
        }
    }

    @Test(
        "HTTP/1.1: a short body is drained, so that the next request uses the same connection",
        arguments: Reason.allCases)
    func reuse(reason: Reason) async throws {
        var configuration = MockServer.Configuration()
        configuration.protocols = [.http1]
        try await MockServer.with(configuration) { server in
            Self.serve(server, reason, .short, Gate())
            let data = try await Self.client(server, reason, isStepped: false).call(.get, "first").data()
            #expect(String(decoding: data, as: UTF8.self) == "done")
            #expect(server.requestCount == 2)
            #expect(server.acceptedConnectionCount == 1)
        }
    }

    @Test(
        "HTTP/2: a long body is ended by resetting its stream, and the connection stays open",
        arguments: [Body.large, .endless])
    func reset(body: Body) async throws {
        var configuration = MockServer.Configuration()
        configuration.protocols = [.http2]
        try await MockServer.with(configuration) { server in
            Self.serve(server, .redirect, body, Gate())
            _ = try await Self.client(server, .redirect, isStepped: false).call(.get, "first").data()
            #expect(server.acceptedConnectionCount == 1)
        }
    }

    /// The part of an error body that is expected to be kept.
    struct KeptBody: Sendable {
        var collected: Int
        var error: Int
        var count: Int
        var isTruncated: Bool
    }

    @Test(
        "An error keeps its status and fields, and at most maximumErrorBodyBytes of its body",
        arguments: [
            KeptBody(collected: 1000, error: 500, count: 500, isTruncated: true),
            KeptBody(collected: 1000, error: 100_000, count: 100_000, isTruncated: false),
            KeptBody(collected: 1000, error: 99_999, count: 99_999, isTruncated: true),
            KeptBody(collected: 1_000_000, error: 500, count: 500, isTruncated: true),
            KeptBody(collected: 0, error: 0, count: 0, isTruncated: true),
            KeptBody(collected: -1, error: -1, count: 0, isTruncated: true),
        ], [MockServer.HTTPProtocol.http1, .http2])
    func error(_ kept: KeptBody, version: MockServer.HTTPProtocol) async throws {
        var configuration = MockServer.Configuration()
        configuration.protocols = [version]
        try await MockServer.with(configuration) { server in
            let body = Data(count: 100_000)
            server.on(.get, path: "/length", response: .bytes(body, status: .internalServerError))
            server.on(.get, path: "/chunks", response: .chunks([.bytes(body)], status: .internalServerError))
            for reason in [Reason.redirect, .retry, .digest, .sharedRedirect] {
                var settings = Self.client(server, reason, isStepped: false).configuration
                settings.retry?.maximumRetries = 0
                settings.maximumCollectedBytes = kept.collected
                settings.maximumErrorBodyBytes = kept.error
                let client = APIClient(configuration: settings, transport: NIOTransport.patient())
                for path in ["length", "chunks"] {
                    let error = await #expect(throws: NetworkError.self) { try await client.call(.get, path).data() }
                    guard case .customError(500, let response)? = error else {
                        Issue.record("\(reason) \(path): \(error.map { "\($0)" } ?? "none")")
                        continue
                    }
                    #expect(response.body.count == kept.count)
                    #expect(response.isBodyTruncated == kept.isTruncated)
                    #expect(response.headers[.contentType] == "application/octet-stream")
                }
            }
        }
    }

    @Test(
        "An error with an endless body ends the call after maximumErrorBodyBytes", arguments: [false, true])
    func endlessError(isRetried: Bool) async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/first", response: Body.endless.answer(.internalServerError, Gate()))
            let client = Self.client(server, isRetried ? .retry : .redirect, isStepped: false)
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "first").data() }
            #expect(error?.statusCode == 500)
            #expect(error?.responseData?.count == 1024 * 1024)
        }
    }

    @Test("An accepted status keeps the body limit of a success")
    func accepted() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/x", response: .bytes(Data(count: 100_000), status: .notFound))
            var settings = server.clientConfiguration
            settings.validation.statusCodes = .any
            settings.maximumErrorBodyBytes = 500
            settings.maximumCollectedBytes = 100_000
            let transport = NIOTransport.patient()
            let body = try await APIClient(configuration: settings, transport: transport).call(.get, "x").data()
            #expect(body.count == 100_000)
            settings.maximumCollectedBytes = 99_999
            let small = APIClient(configuration: settings, transport: transport)
            let error = await #expect(throws: NetworkError.self) { try await small.call(.get, "x").data() }
            guard case .bodyTooLarge? = error else {
                Issue.record("\(error.map { "\($0)" } ?? "none")")
                return
            }
        }
    }

    @Test("A truncated error body is not cached")
    func cached() async throws {
        try await MockServer.with { server in
            server.on(
                .get, path: "/x",
                response: .chunks([.bytes(Data(count: 100_000))], status: .notFound).header(
                    .cacheControl, value: "max-age=60"))
            var settings = server.clientConfiguration
            settings.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
            settings.maximumErrorBodyBytes = 500
            let transport = NIOTransport.patient()
            let small = APIClient(configuration: settings, transport: transport)
            await #expect(throws: NetworkError.self) { try await small.call(.get, "x").data() }
            settings.maximumErrorBodyBytes = 100_000
            let large = APIClient(configuration: settings, transport: transport)
            let error = await #expect(throws: NetworkError.self) { try await large.call(.get, "x").data() }
            #expect(error?.responseData?.count == 100_000)
            #expect(server.requestCount == 2)
        }
    }

    @Test("A compressed error body is decompressed, and truncated after that")
    func compressed() async throws {
        let server = try await RawServer { _ in
            let zipped = DecompressionTests.deflated([UInt8](repeating: 0, count: 10_000), windowBits: 31)
            let head =
                "HTTP/1.1 500 No\r\nContent-Encoding: gzip\r\nContent-Length: \(zipped.count)\r\n\r\n"
            return [.send(head), .bytes(zipped)]
        }
        var settings = APIClient.Configuration()
        settings.baseURL = "http://\(server.authority)"
        settings.maximumCollectedBytes = 10
        settings.maximumErrorBodyBytes = 1000
        let client = APIClient(configuration: settings, transport: NIOTransport.patient())
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(error?.statusCode == 500)
        #expect(error?.responseData == Data(count: 1000))
    }

    @Test("An ETag with a control character is kept in its field, and never used for revalidation")
    func oddValidator() async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nETag: \"a\u{1}b\"\r\nContent-Length: 2\r\n\r\nok")
        var settings = APIClient.Configuration()
        settings.baseURL = "http://\(server.authority)"
        settings.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        let client = APIClient(configuration: settings, transport: NIOTransport.patient())
        for _ in 0..<2 {
            let body = try await client.call(.get, "x").data()
            #expect(body == Data("ok".utf8))
        }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.text.lowercased().contains("if-none-match") })
    }

    @Test("A transport used without a client collects every body up to its limit")
    func transportAlone() async throws {
        let body = String(repeating: "a", count: 100)
        let server = try await RawServer.answering("HTTP/1.1 404 No\r\nContent-Length: 100\r\n\r\n\(body)")
        let transport = NIOTransport.patient()
        #expect(try await transport.send(.get(server)).body.collectedBytes == Data(body.utf8))
        let error = await failure {
            try await transport.send(.get(server).with { $0.options.delivery = .collected(upTo: 99) })
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }
}
