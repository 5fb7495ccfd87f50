// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghInspector
import SimorghNIO
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

/// An inspector with its server.
@Suite(.timeLimit(.minutes(10)))
struct InspectorTests {
    private struct Echo: WebSocketRouter {
        let baseURLString: String
        var path: String { "/ws/echo" }
    }

    /// The data of the page's events.
    private func changes(of inspector: Inspector) async throws -> ServerSentEvents {
        try await APIClient(transport: NIOTransport.shared).stream(.get, inspector.url + "api/feed").serverSentEvents()
    }

    @Test("The page's server sends each call as it begins and ends")
    func feed() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = APIClient(configuration: server.clientConfiguration, transport: NIOTransport())
            let inspector = try await Inspector.start(client, named: "bin")
            var feed = try await changes(of: inspector).makeAsyncIterator()
            #expect(try await feed.next()?.data.contains(#""calls":[]"#) == true)
            _ = try await client.call(.get, "get", query: ["a": "b"]).data()
            var text = ""
            while !text.contains(#""stage":"done""#) { text += try #require(try await feed.next()).data }
            #expect(text.contains("get?a=b") && text.contains(#""client":"bin""#))
            await inspector.stop()
        }
    }

    @Test("The messages of a WebSocket are recorded, and its end")
    func socket() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = APIClient(configuration: server.clientConfiguration, transport: NIOTransport())
            let inspector = try await Inspector.start(client)
            let socket = try client.webSocketConnection(Echo(baseURLString: server.webSocketURL))
            let events = socket.events()
            socket.connect()
            for try await event in events {
                if case .connected = event { try await socket.sendText("hello") }
                if case .message = event { break }
            }
            let store = inspector.store
            try await eventually { store.read { ($0.calls.first?.messageCount ?? 0) >= 2 } }
            let call = try #require(store.snapshot.calls.first)
            #expect(call.kind == .socket && call.stage == .open && call.status == 101)
            #expect(Array(call.messages.map(\.isSent).prefix(2)) == [true, false])
            #expect(call.messages.first?.text == "hello")
            socket.close()
            try await eventually { store.read { $0.calls.first?.stage } == .done }
            await inspector.stop()
        }
    }

    @Test("A running inspector is found by its process, and a stopped one is not")
    func registry() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let registry = InspectorRegistry(in: folder)
        #expect(registry.entries() == [])
        let file = try #require(registry.add(url: "http://127.0.0.1:1/a/", port: 1))
        #expect(registry.entries().map(\.url) == ["http://127.0.0.1:1/a/"])
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        registry.remove(file)
        #expect(registry.entries() == [])
        // The file of a process that ended without removing it: no process has this id.
        let left = #"{"process":2147483647,"program":"a","url":"http://127.0.0.1:2/a/"}"#
        try PrivateFile(file).replace(with: Data(left.utf8))
        #expect(registry.entries() == [])
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("A port that is in use, or is no port, is reported")
    func ports() async throws {
        let client = APIClient.scripted(StubServer { _ in .text("a") })
        let first = try await Inspector.start(client)
        for port in [first.port, 70_000, -1] {
            let error = await #expect(throws: InspectorError.self) {
                _ = try await Inspector.start(client, port: port)
            }
            #expect(error?.reason == .portUnavailable && error?.description.contains("\(port)") == true)
        }
        await first.stop()
        await first.stop()
        #expect(!client.hub.isActive)
    }

    @Test("A client that is watched again, or through a view, is recorded once")
    func watchedAgain() async throws {
        let client = APIClient.scripted(StubServer { _ in .text("a") })
        let inspector = try await Inspector.start(client)
        let view = client.with { $0.headers["X-View"] = "1" }
        inspector.watch(client, named: "again")
        inspector.watch(view, named: "view")
        _ = try await view.call(.get, "a").data()
        #expect(inspector.store.snapshot.calls.map(\.attemptCount) == [1])
        await inspector.stop()
    }

    @Test("A client that is watched after the end is not recorded")
    func watchedAfterEnd() async throws {
        let client = APIClient.scripted(StubServer { _ in .text("a") })
        let inspector = try await Inspector.start(client)
        await inspector.stop()
        inspector.watch(client, named: "late")
        #expect(!client.hub.isActive)
        _ = try await client.call(.get, "a").data()
        #expect(inspector.store.read(\.total) == 0)
    }

    @Test("A released inspector stops observing")
    func released() async throws {
        let client = APIClient.scripted(StubServer { _ in .text("a") })
        var inspector: Inspector? = try await Inspector.start(client)
        #expect(client.hub.isActive && inspector?.port != 0)
        inspector = nil
        #expect(!client.hub.isActive)
    }
}
