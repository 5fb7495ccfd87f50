// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghDownloads
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

/// The entries of each log level for downloads, streams, WebSockets and subscriptions.
@Suite("Log contents by level", .timeLimit(.minutes(10)))
struct LogContentsTests {
    private static let url = "https://origin.test/bird.png?token=s3cret"
    private static let shown = "https://origin.test/bird.png?token=[hidden]"

    /// The events of a download, the lowest level that logs each, and the logged line.
    private static let downloads: [(event: DownloadLog.Event, from: LogLevel, line: String)] = [
        (.enqueued(url: url, fileName: "bird.png"), .standard, "download enqueued \(shown) file=bird.png"),
        (.started(url: url), .standard, "download started \(shown)"),
        (
            .response(url: url, status: 200, headers: [.contentType: "image/png", .eTag: "x"]), .standard,
            "download response 200 \(shown) headers=\"Content-Type: image/png\""
        ),
        (.progress(url: url, bytes: 7, total: 9, speed: 3), .verbose, "\(progress) total=9 bytesPerSecond=3"),
        (.progress(url: url, bytes: 7, total: nil, speed: 3), .verbose, "\(progress) total=unknown bytesPerSecond=3"),
        (.paused(url: url, bytes: 7), .standard, "download paused \(shown) bytes=7"),
        (.resumed(url: url, bytes: 7), .standard, "download resumed \(shown) bytes=7"),
        (
            .retry(url: url, attempt: 1, delay: .seconds(1), reason: "status 503"), .standard,
            "download retry \(shown) attempt=1 after=1000.000ms reason=\"status 503\""
        ),
        (.mime(url: url, type: "image/png"), .standard, "download mime \(shown) type=image/png"),
        (.completed(url: url, file: "bird.png"), .standard, "download completed \(shown) file=bird.png"),
        (.failed(url: url, reason: "status 404"), .failures, "download failed \(shown) error=\"status 404\""),
        (.cancelled(url: url), .standard, "download cancelled \(shown)"),
    ]
    private static let progress = "download progress \(shown) bytes=7"

    private let box = LogBox()

    @Test("Each download event is logged from its level on, with the expected text", arguments: LogLevel.allCases)
    func downloadLines(level: LogLevel) {
        let logger = NetworkLogger([.logger(box.logger, format: .line)])
        let log = DownloadLog(NetworkLog(level, to: logger, rules: .standard))
        for download in Self.downloads { log(download.event) }
        #expect(box.texts == Self.downloads.filter { level >= $0.from }.map { $0.line })
    }

    @Test(
        "A stream is logged with its request, head, chunks and end",
        arguments: [
            (.none, []), (.failures, []), (.minimal, ["request GET"]), (.standard, ["request GET", "response 200"]),
            (.verbose, ["request GET", "response 200", "stream chunk", "stream end"]),
        ] as [(LogLevel, [String])])
    func streams(level: LogLevel, told: [String]) async throws {
        let transport = StubServer { _ in
            .chunks([.bytes(Data(#"{"n":1,"token":"s3cret"}"#.utf8))], contentType: "application/x-ndjson")
        }
        let client = APIClient.scripted(transport) {
            $0.logging.level = level
            $0.logging.logger = NetworkLogger([.logger(box.logger, format: .line)])
        }
        for try await _ in try await client.stream(.get, "feed").chunks {}
        #expect(box.texts.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == told)
        #expect(box.texts.allSatisfy { $0.contains("https://api.test/feed") })
        #expect(!box.all.contains("s3cret"))
        guard level == .minimal else { return }
        #expect(box.texts.map { $0.replacing(#/ call=\S+/#, with: "") } == ["request GET https://api.test/feed"])
    }

    @Test("A WebSocket is logged with its request, state and messages", arguments: LogLevel.allCases)
    func webSockets(level: LogLevel) async throws {
        let world = WebSocketFixture()
        let connection = try world.connection {
            $0.logging.level = level
            $0.logging.logger = NetworkLogger([.logger(box.logger)])
        }
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        try await connection.waitUntilConnected()
        let events = connection.events()
        try await connection.sendText("hello")
        _ = try await peer.receiveText()
        peer.send("welcome")
        for try await event in events { if case .message = event { break } }
        connection.close()
        try await connection.waitUntilClosed()
        expect(
            level,
            [
                "request": .minimal, "response": .standard, "websocket connecting": .standard,
                "websocket connected": .standard, "websocket disconnected": .standard, "websocket sent": .verbose,
                "websocket received": .verbose,
            ])
    }

    @Test("Subscriptions are logged from their level on, like WebSockets", arguments: LogLevel.allCases)
    func subscriptions(level: LogLevel) async throws {
        let world = SubscriptionFixture()
        let client = world.client {
            $0.logging.level = level
            $0.logging.logger = NetworkLogger([.logger(box.logger)])
        }
        let socket = client.subscriptions(over: PlainProtocol(confirms: false), options: SubscriptionOptions())
        let reader = Task { for try await _ in socket.events("prices") { break } }
        let peer = try await world.peer(at: 0)
        #expect(try await peer.receiveText() == "hello")
        peer.send("welcome")
        #expect(try await peer.receiveText() == "sub 1 prices")
        peer.send("event 1 x")
        try await reader.value
        await socket.disconnect()
        expect(
            level,
            [
                "request": .minimal, "response": .standard, "subscriptions connecting": .standard,
                "subscriptions connected": .standard, "subscription sent": .verbose,
                "subscription received": .verbose,
            ])
    }
}

extension LogContentsTests {
    /// Expects each message from its level on, and no other below `standard`.
    private func expect(_ level: LogLevel, _ levels: [String: LogLevel]) {
        for (name, from) in levels { #expect(box.texts.contains(name) == (level >= from), "\(name)") }
        if level < .standard { #expect(Set(box.texts).isSubset(of: ["request"])) }
    }
}
