// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Logging
import SimorghCompatibility
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

/// The log output of a client at each level.
@Suite("Log output of APIClient", .timeLimit(.minutes(10)))
struct ClientLogTests {
    private let box = LogBox()

    private func client(
        _ level: LogLevel, _ format: LogFormat = .line, _ transport: StubServer? = nil,
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        let transport = transport ?? StubServer { _ in .json(#"{"id":7,"token":"s3cret"}"#) }
        return APIClient.scripted(transport) {
            $0.logging.level = level
            $0.logging.logger = NetworkLogger([.logger(box.logger, format: format)])
            change(&$0)
        }
    }

    /// The lines without the number of their call.
    private var lines: [String] {
        box.texts.map { $0.replacing(#/ (call|duration)=\S+/#, with: "") }
    }

    private func post(_ client: APIClient) async throws {
        try await client.call(
            .post, "users", query: ["page": 2, "api_key": "s3cret"], headers: ["Authorization": "Bearer s3cret"],
            body: .text(#"{"name":"Zal","password":"s3cret"}"#, contentType: "application/json")
        ).void()
    }

    @Test("Level none logs nothing")
    func none() async throws {
        try await post(client(.none))
        #expect(box.texts.isEmpty)
    }

    @Test("Level minimal logs method and URL")
    func minimal() async throws {
        try await post(client(.minimal))
        #expect(lines == ["request POST https://api.test/users?page=2&api_key=[hidden]"])
    }

    @Test("Level standard also logs the header fields and the status")
    func standard() async throws {
        try await post(client(.standard))
        #expect(lines.count == 2)
        #expect(
            lines[0].contains("Authorization: Bearer [hidden]") && lines[0].contains("Content-Type: application/json"))
        #expect(lines[1].hasPrefix("response 200 https://api.test/users"))
        #expect(!box.all.contains("s3cret") && !box.all.contains("Zal"))
    }

    @Test("Level verbose also logs the bodies with secrets hidden")
    func verbose() async throws {
        try await post(client(.verbose))
        #expect(lines[0].hasSuffix(#"body="{\"name\":\"Zal\",\"password\":\"[hidden]\"}""#))
        #expect(lines[1].hasSuffix(#"body="{\"id\":7,\"token\":\"[hidden]\"}""#))
        #expect(!box.all.contains("s3cret"))
    }

    @Test("A streamed upload is logged with its type and length", arguments: [Int64?.some(3), nil])
    func upload(length: Int64?) async throws {
        let body = RequestBody.stream(length: length, contentType: "image/png") {
            ResponseBody(Data("abc".utf8))
        }
        try await client(.verbose).call(.put, "picture", body: body).void()
        let size = length == nil ? "length unknown" : "3 bytes"
        #expect(lines.first?.hasSuffix("body=\"[image/png, \(size)]\"") == true)
    }

    @Test("SN4: a request and its JSON response are logged as a tree")
    func tree() async throws {
        let transport = StubServer { _ in
            .json(#"{"genres":[{"id":28,"name":"Action"},{"id":12,"name":"Adventure"}]}"#)
                .header(.eTag, value: "\"df26\"").header(.setCookie, value: "sid=s3cret; Path=/")
        }
        let client = client(.debug, .tree, transport) {
            $0.userAgent = nil
            $0.logging.logger = NetworkLogger([.logger(box.logger, format: .tree)])
        }
        _ = try await client.call(
            .get, "3/genre/movie/list", query: ["language": "en", "api_key": "20495f041a8caac8752afc86"],
            headers: ["Accept": "application/json"]
        ).data()
        #expect(
            box.texts.first == """
                [REQUEST] GET https://api.test/3/genre/movie/list?language=en&api_key=[hidden]
                ├─ Headers
                │ Accept: application/json
                """)
        let answer = try #require(box.texts.last)
        #expect(answer.hasPrefix("[RESPONSE] 200 https://api.test/3/genre/movie/list?language=en&api_key=[hidden]\n"))
        #expect(answer.contains("│ Content-Type: application/json\n│ ETag: \"df26\"\n│ Set-Cookie: [hidden]\n"))
        #expect(
            answer.hasSuffix(
                """
                ├─ Content
                 {
                   "genres" : [
                     {
                       "id" : 28,
                       "name" : "Action"
                     },
                     {
                       "id" : 12,
                       "name" : "Adventure"
                     }
                   ]
                 }
                """))
        #expect(box.levels == [.debug, .debug])
    }

    @Test(
        "NET11: with redaction neither token nor body is logged; without it, both are; level none logs nothing",
        arguments: [true, false])
    func redaction(isOn: Bool) async throws {
        let transport = StubServer { _ in .json(#"{"reason":"feathers"}"#, status: .badRequest) }
        let client = client(.failures, .line, transport)
        client.setRedactsLogs(isOn)
        await #expect(throws: NetworkError.self) { try await post(client) }
        #expect(box.texts.count == 1)
        #expect(box.all.contains("feathers") == !isOn)
        #expect(box.all.contains("s3cret") == !isOn)
        client.setLogLevel(.none)
        await #expect(throws: NetworkError.self) { try await post(client) }
        #expect(box.texts.count == 1)
    }

    @Test("NET11: level failures logs only failures, and cancelled calls are not failures")
    func failures() async throws {
        let gate = Gate()
        let transport = StubServer(precedence: .first)
        transport.on(.get, path: "/good") { _ in .status(.ok) }
        transport.on(.get, path: "/bad") { _ in .status(.internalServerError) }
        transport.on(.get, path: "/slow") { _ in
            try await gate.wait()
            return .status(.ok)
        }
        let client = client(.failures, .line, transport)
        try await client.call(.get, "good").void()
        try? await client.call(.get, "bad").void()
        let slow = Task { try await client.call(.get, "slow").void() }
        try await gate.waiting()
        slow.cancel()
        _ = await slow.result
        gate.open()
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("failed 500 GET https://api.test/bad") == true)
        #expect(box.levels == [.error])
    }

    @Test("A call whose request cannot be created is logged")
    func preflight() async throws {
        let client = client(.minimal)
        _ = try? await client.call(.get, "x", headers: ["A": "b\r\nc"]).void()
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("failed GET https://api.test/x") == true)
    }

    @Test("Messages are constant; the details of a call are metadata")
    func metadata() async throws {
        let client = client(.verbose) { $0.logging.logger = NetworkLogger([.logger(box.logger)]) }
        try await post(client)
        #expect(box.texts == ["request", "response"])
        #expect(box.data[0]["method"] == "POST" && box.data[1]["status"] == "200")
        #expect(box.data[0]["call"] == box.data[1]["call"] && box.data[0]["call"] != nil)
        guard case .dictionary(let headers) = box.data[0]["headers"] else {
            Issue.record("no header fields")
            return
        }
        #expect(headers["Authorization"] == "Bearer [hidden]")
        #expect(!box.all.contains("s3cret"))
    }

    @Test("A logger whose level is too high gets no entries")
    func quietLogger() async throws {
        var logger = box.logger
        logger.logLevel = .warning
        try await post(client(.verbose) { $0.logging.logger = NetworkLogger([.logger(logger)]) })
        #expect(box.texts.isEmpty)
    }

    @Test(
        "Entries that no destination takes are not created",
        arguments: [
            (.debug, .verbose), (.info, .failures), (.error, .failures), (.critical, .none),
        ] as [(Logger.Level, LogLevel)])
    func unheard(level: Logger.Level, told: LogLevel) {
        var logger = box.logger
        logger.logLevel = level
        func network(_ asked: LogLevel, _ destinations: [LogDestination]) -> NetworkLog {
            NetworkLog(asked, to: NetworkLogger(destinations), rules: .standard)
        }
        #expect(network(.verbose, [.logger(logger)]).level == told)
        #expect(network(.none, [.logger(logger)]).level == .none)
        #expect(network(.verbose, [.logger(logger), .custom { _ in }]).level == .verbose)
        #expect(network(.verbose, []).level == .none)
    }

    @Test("Retries and redirects are logged with their reasons, each attempt separately")
    func decisions() async throws {
        let transport = StubServer(inOrder: [
            .status(.serviceUnavailable), .status(.found).header(.location, value: "/there?token=s3cret"), .status(.ok),
        ])
        let clock = TestClock(movesItself: true)
        let client = client(.standard, .line, transport) {
            $0.retry = RetryPolicy(maximumRetries: 1)
            $0.time = clock.timeSource
        }
        try await client.call(.get, "here").void()
        #expect(
            lines.map { $0.split(separator: " ")[0] } == [
                "request", "response", "retry", "request", "response", "redirect", "request", "response",
            ])
        #expect(lines[2].contains("status 503"))
        #expect(!box.all.contains("s3cret"))
    }

    @Test("Level verbose logs the chunks and the end of a stream", arguments: [true, false])
    func stream(isVerbose: Bool) async throws {
        let transport = StubServer { _ in
            .chunks(
                [.bytes(Data("{\"n\":1,\"to".utf8)), .bytes(Data("ken\":\"s3cret\"}\n{\"n\":2}".utf8))],
                contentType: "application/x-ndjson")
        }
        let client = client(isVerbose ? .verbose : .standard, .line, transport)
        var count = 0
        for try await _ in try await client.stream(.get, "feed").chunks { count += 1 }
        #expect(count == 2)
        let words = lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(words.prefix(2) == ["request GET", "response 200"])
        #expect(words.dropFirst(2) == (isVerbose ? ["stream chunk", "stream chunk", "stream end"] : []))
        #expect(!box.all.contains("s3cret"))
        if isVerbose { #expect(lines[2].contains(#"{\"n\":1,\"token\":\"[hidden]\"}"#)) }
    }

    @Test("Several destinations get each entry, each in its format")
    func destinations() async throws {
        let other = LogBox()
        let client = client(.minimal) {
            $0.logging.logger = NetworkLogger([.logger(box.logger, format: .tree), other.destination(.json)])
        }
        try await client.call(.get, "x").void()
        #expect(box.texts == ["[REQUEST] GET https://api.test/x"])
        #expect(other.texts.count == 1 && other.texts[0].hasPrefix("{\"time\""))
    }

    @Test("A body larger than maximumBodyBytes is truncated")
    func bodyLimit() async throws {
        let transport = StubServer { _ in .text(String(repeating: "x", count: 100)) }
        let client = client(.verbose, .line, transport) {
            $0.logging.logger = NetworkLogger([.logger(box.logger, format: .line)], maximumBodyBytes: 10)
        }
        try await client.call(.get, "x").void()
        #expect(lines.last?.hasSuffix("body=\"xxxxxxxxxx… and 90 bytes more\"") == true)
    }

    @Test(
        "A WebSocket is logged: open and close at level standard, messages at verbose",
        arguments: [true, false])
    func webSocket(isVerbose: Bool) async throws {
        let world = WebSocketFixture()
        let connection = try world.connection { configuration in
            configuration.logging.level = isVerbose ? .verbose : .standard
            configuration.logging.logger = NetworkLogger([.logger(box.logger, format: .line)])
        }
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        try await connection.waitUntilConnected()
        let events = connection.events()
        try await connection.sendText(#"{"token":"s3cret"}"#)
        _ = try await peer.receiveText()
        peer.send(#"{"password":"s3cret","n":1}"#)
        for try await event in events { if case .message = event { break } }
        connection.close()
        try await connection.waitUntilClosed()
        let names = lines.map { line in line.prefix { !"=:".contains($0) } }
        #expect(names.contains { $0.hasPrefix("websocket connecting") })
        #expect(names.contains { $0.hasPrefix("websocket connected") })
        #expect(names.contains { $0.hasPrefix("websocket disconnected") })
        #expect(names.contains { $0.hasPrefix("websocket sent") } == isVerbose)
        #expect(names.contains { $0.hasPrefix("websocket received") } == isVerbose)
        #expect(!box.all.contains("s3cret"))
        #expect(box.all.contains("[hidden]") == isVerbose)
    }

    @Test("URLSessionLogger is NetworkLogger, and log levels are ordered")
    func names() {
        #expect(URLSessionLogger.self == NetworkLogger.self)
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
        #expect(APIClientConfiguration(logLevel: .debug).logLevel == .verbose)
    }
}
