// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("Lifetime of observed calls", .timeLimit(.minutes(10)))
struct CallLifetimeTests {
    enum Watcher: CaseIterable {
        case unobserved, function, listener, log
    }

    enum Way: CaseIterable {
        case collected, streamed, left, refused, failed
    }

    private static func watch(_ watcher: Watcher, _ configuration: inout APIClient.Configuration) {
        if watcher == .function { configuration.logging.onEvent = { _ in } }
        if watcher == .log {
            configuration.logging.level = .debug
            configuration.logging.logger = NetworkLogger([.custom(format: .line) { _ in }])
        }
    }

    private static func answer(_ way: Way) -> StubResponse {
        switch way {
        case .collected: .text("12345")
        case .streamed, .left: .chunks([.bytes(Data("12".utf8)), .bytes(Data("345".utf8))])
        case .refused: .status(.notFound)
        case .failed:
            .chunks([
                .bytes(Data("12".utf8)), .fail(TransportError(.networkConnectionLost, phase: .body, message: "gone")),
            ])
        }
    }

    @Test(
        "A released client is deallocated, whatever observed its calls and however they ended",
        arguments: Watcher.allCases, Way.allCases)
    func letGo(_ watcher: Watcher, _ way: Way) async throws {
        let sentinel = LeakSentinel()
        try await expectNoLeaks(in: sentinel, within: .seconds(60)) {
            // All objects of a call are reachable from it.
            let transport = sentinel.watch(StubServer { _ in Self.answer(way) })
            let client = APIClient.scripted(transport) { Self.watch(watcher, &$0) }
            let events = watcher == .listener ? client.events() : nil
            defer { withExtendedLifetime(events) {} }
            let body = RequestBody.text("token=secret", contentType: "text/plain")
            let call = client.call(.post, "x", query: ["key": "secret"], body: body)
            do {
                if way == .streamed || way == .left {
                    let response = try await call.stream()
                    for try await _ in response.chunks where way == .left { break }
                } else {
                    _ = try await call.data()
                }
                #expect(way != .refused && way != .failed)
            } catch {
                #expect(way == .refused || way == .failed, "\(error)")
            }
            #expect(!sentinel.leftovers.isEmpty)
        }
    }

    @Test(
        "A client with a WebSocket is deallocated, whatever observed the handshake, accepted or refused",
        arguments: Watcher.allCases, [true, false])
    func webSocket(_ watcher: Watcher, isAccepted: Bool) async throws {
        let sentinel = LeakSentinel()
        try await expectNoLeaks(in: sentinel, within: .seconds(60)) {
            let server = sentinel.watch(ScriptedWebSocket())
            if !isAccepted { server.onOpen { _, _ in .refuse(.status(.forbidden)) } }
            let client = APIClient.scripted(server) { Self.watch(watcher, &$0) }
            let events = watcher == .listener ? client.events() : nil
            defer { withExtendedLifetime(events) {} }
            do {
                let text = try await client.withWebSocket(WebSocketFixture.Socket()) { socket in
                    try await socket.sendText("question")
                    return try await server.peer(at: 0).receiveText()
                }
                #expect(isAccepted && text == "question")
            } catch {
                #expect(!isAccepted, "\(error)")
            }
            #expect(!sentinel.leftovers.isEmpty)
        }
    }
}
