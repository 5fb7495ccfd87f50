// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

/// Planted secrets in downloads, WebSockets, subscriptions, the cache, and calls that fail early.
@Suite("Planted secrets outside plain calls", .timeLimit(.minutes(10)))
struct PlantedSecretsElsewhereTests {
    private static let secrets = (0..<16).map { "pl4nted-\($0 < 10 ? "0" : "")\($0)-s3cret" }
    private static let table = LogLevel.allCases.flatMap { level in LogFormat.allCases.map { (level, $0) } }

    private struct Thrown: Error, CustomStringConvertible { let description: String }

    private struct Chat: WebSocketRouter {
        var baseURLString: String { "wss://api.test" }
        var path: String { "/chat" }
        var headers: [String: String]? {
            ["Authorization": "Bearer \(secrets[0])", "Cookie": "sid=\(secrets[1])", "X-API-Key": secrets[2]]
        }
        var queryParams: [String: String]? { ["access_token": secrets[3], "room": "general"] }
    }

    private static func isReconnecting(_ event: NetworkEvent) -> Bool {
        if case .webSocket(let report) = event, case .reconnecting = report.change { return true }
        return false
    }

    @Test("No secret of a download appears in any output", arguments: table)
    func downloads(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        origin.change { state in
            state.fields[.setCookie] = "sid=\(secrets[0]); Path=/"
            state.fields[.contentType] = "application/octet-stream"
            state.fault = .once(503)
        }
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = nil
        witnesses.watch(&configuration, level, format)
        var config = DownloadManagerConfig(
            retryPolicy: DownloadRetryPolicy(maximumAttempts: 2, initialDelay: 0.001, maximumDelay: 0.002),
            downloadDirectory: place.folder, minFreeDiskSpace: 0)
        config.segments = 1
        let manager = try DownloadManager(
            config: config, logLevel: level, client: APIClient(configuration: configuration, transport: origin))
        func request(_ text: String) throws -> DownloadRequest {
            var request = DownloadRequest(url: try #require(URL(string: text)))
            request.headers = ["Authorization": "Bearer \(secrets[1])", "X-API-Key": secrets[2]]
            return request
        }
        let whole = try manager.enqueue(
            try request("https://origin.test/a.bin?X-Amz-Signature=\(secrets[3])&token=\(secrets[4])&size=1"))
        #expect(await manager.progress(for: whole).last()?.state == .completed)
        origin.change { $0.fault = .always(404) }
        let failed = try manager.enqueue(try request("https://origin.test/b.bin?sig=\(secrets[5])#\(secrets[7])"))
        #expect(await manager.progress(for: failed).last()?.state == .failed)
        let refused = try request("https://zal:\(secrets[6])@origin.test/c.bin#\(secrets[7])")
        let refusal = try #require(throws: DownloadError.self) { try manager.enqueue(refused) }
        #expect(!secrets.contains { "\(refusal) \(refusal.localizedDescription)".contains($0) })
        await place.end(manager)
        #expect(try witnesses.leaks(secrets) == [])
        #expect(witnesses.system.texts.contains("download failed") == (level >= .failures))
        #expect(level < .minimal || witnesses.box.all.contains("origin.test/a.bin?X-Amz-Signature=[hidden]"))
        #expect(level > .none || witnesses.box.all.isEmpty)
    }

    @Test("No secret of a WebSocket appears in any output", arguments: table)
    func webSockets(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let world = WebSocketFixture()
        let name = try #require(HTTPField.Name("X-Auth-Token"))
        let connection = try world.connection(Chat()) {
            witnesses.watch(&$0, level, format)
            $0.networkInterceptors.append(
                Interceptor { request, next in
                    var request = request
                    request.head.headerFields[name] = secrets[10]
                    return try await next(request)
                })
        }
        let events = connection.events()
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        try await connection.waitUntilConnected()
        try await connection.sendText(#"{"type":"init","payload":{"Authorization":"Bearer \#(secrets[4])"}}"#)
        _ = try await peer.receiveText()
        peer.send(#"{"password":"\#(secrets[5])","you":"\#(secrets[0])"}"#)
        peer.send("token=\(secrets[6]) for \(secrets[1]) and \(secrets[10])")
        var count = 0
        for try await event in events {
            if case .message = event { count += 1 }
            if count == 2 { break }
        }
        peer.drop("lost wss://zal:\(secrets[7])@api.test/?token=\(secrets[8])")
        try await eventually { witnesses.told.value.contains(where: Self.isReconnecting) }
        connection.close(code: .goingAway, reason: "secret: \(secrets[9])")
        try await connection.waitUntilClosed()
        #expect(try witnesses.leaks(secrets) == [])
        #expect(witnesses.system.texts.contains("websocket sent") == (level == .verbose))
        #expect(witnesses.system.texts.contains("websocket reconnecting") == (level >= .standard))
    }

    @Test("No secret of a subscription appears in any output, and its connection is logged", arguments: table)
    func subscriptions(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let world = SubscriptionFixture()
        let socket = world.client { witnesses.watch(&$0, level, format) }
            .subscriptions(over: PlainProtocol(confirms: false, token: { secrets[0] }), options: SubscriptionOptions())
        let count = LockedValue(0)
        let reader = Task {
            for try await _ in socket.events("prices?api_key=\(secrets[1])") { count.change { $0 += 1 } }
        }
        for index in 0..<2 {
            let peer = try await world.peer(at: index)
            #expect(try await peer.receiveText() == "hello")
            peer.send("welcome")
            let words = try #require(try await peer.receiveText()).split(separator: " ")
            peer.send(#"event \#(words[1]) {"password":"\#(secrets[2])","you":"\#(secrets[0])"}"#)
            try await eventually { count.value != index }
            if index == 0 { peer.drop("lost at wss://plain.test/?token=\(secrets[3])") }
        }
        reader.cancel()
        await socket.disconnect()
        #expect(try witnesses.leaks(secrets) == [])
        let names = witnesses.system.texts
        for name in ["connecting", "connected", "reconnecting"] {
            #expect(names.contains("subscriptions \(name)") == (level >= .standard), "\(name)")
        }
        #expect(names.contains("subscription received") == (level == .verbose))
    }

    @Test("No secret of an upload appears in any output, and its progress is logged", arguments: table)
    func uploads(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) { witnesses.watch(&$0, level, format) }
        let body = RequestBody.stream {
            DataChunks(pieces: [Data("token=\(secrets[0])".utf8), Data(count: 10)])
        }
        try await client.call(
            .put, "x;jsessionid=\(secrets[1])", query: ["api_key": secrets[2]],
            headers: ["Authorization": "Bearer \(secrets[3])"], body: body
        ).void()
        #expect(try witnesses.leaks(secrets) == [])
        #expect(witnesses.system.texts.contains("upload progress") == (level == .verbose))
    }

    @Test("No secret of a cache hit appears in any output, and the hit is logged", arguments: table)
    func cache(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let transport = StubServer { _ in
            .json(#"{"token":"\#(secrets[0])"}"#).header(.cacheControl, value: "max-age=60")
        }
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
            witnesses.watch(&$0, level, format)
        }
        for _ in 0..<2 {
            _ = try await client.call(.get, "x", query: ["api_key": secrets[1], "page": "1"]).data()
        }
        #expect(transport.requestCount == 1)
        #expect(try witnesses.leaks(secrets) == [])
        let hits = witnesses.told.value.filter { event in
            if case .cache(let cache) = event { return cache.report.isHit }
            return false
        }
        #expect(hits.count == 1)
        #expect(witnesses.system.texts.contains("cache") == (level >= .standard))
    }

    @Test("No secret of a request that cannot be sent appears in any output", arguments: table)
    func refused(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let transport = StubServer { _ in .status(.ok) }
        func client(_ base: String) -> APIClient {
            APIClient.scripted(transport, baseURL: base) { witnesses.watch(&$0, level, format) }
        }
        _ = try? await client("https://api.test").call(
            .get, "x", headers: ["X-API-Key": "\(secrets[0])\r\nHost: other.test"]
        ).void()
        _ = try? await client("https://zal:\(secrets[1])@api.test:no").call(
            .get, "x", query: ["token": secrets[2]]
        ).void()
        #expect(transport.requestCount == 0)
        #expect(witnesses.told.value.count == 4)
        #expect(try witnesses.leaks(secrets) == [])
        #expect(witnesses.system.texts.contains("failed") == (level >= .failures))
    }

    @Test("No secret of a request refused by a step appears through the step's error", arguments: table)
    func refusedByStep(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            witnesses.watch(&$0, level, format)
            $0.interceptors = [
                Interceptor { _, _ in throw Thrown(description: "no \(secrets[0]), no \(secrets[1])") }
            ]
        }
        await #expect(throws: NetworkError.self) {
            try await client.call(
                .post, "x", headers: ["Authorization": "Bearer \(secrets[0])"],
                body: .text(#"{"pin":"\#(secrets[1])"}"#, contentType: "application/json")
            ).void()
        }
        #expect(try witnesses.leaks(secrets) == [])
        #expect(witnesses.system.texts.contains("failed") == (level >= .failures))
    }

    @Test(
        "A secret of the request appears neither in an error that repeats it, nor in an interim response",
        arguments: table)
    func repeated(level: LogLevel, format: LogFormat) async throws {
        let secrets = Self.secrets
        let witnesses = Witnesses()
        let clock = TestClock(movesItself: true)
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            witnesses.watch(&$0, level, format)
            $0.time = clock.timeSource
            $0.retry = RetryPolicy(maximumRetries: 1)
            $0.networkInterceptors.append(
                Interceptor { request, _ in
                    var early = HTTPResponse(status: .init(code: 103))
                    early.headerFields[.setCookie] = "sid=\(secrets[0])"
                    early.headerFields[.location] = "/there?code=\(secrets[1])"
                    early.headerFields[.contentLocation] = "//zal:\(secrets[4])@api.test/there"
                    early.headerFields[.server] = "for \(secrets[2]) and \(secrets[3])"
                    request.options.informational?(early)
                    if request.options.call?.attempts == 1 {
                        throw TransportError(
                            .networkConnectionLost, phase: .head, message: "unknown \(secrets[2])",
                            underlying: Thrown(description: "not \(secrets[3])"))
                    }
                    throw Thrown(description: "neither \(secrets[2]) nor \(secrets[3])")
                })
        }
        await #expect(throws: NetworkError.self) {
            try await client.call(
                .get, "x", query: ["key": secrets[3]], headers: ["Authorization": "Bearer \(secrets[2])"]
            ).void()
        }
        #expect(try witnesses.leaks(secrets) == [])
        #expect(witnesses.system.texts.contains("interim response") == (level >= .standard))
    }
}
