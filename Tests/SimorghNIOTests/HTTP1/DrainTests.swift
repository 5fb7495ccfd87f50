// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("NIOTransport: releasing the last reference", .timeLimit(.minutes(10)))
struct DrainTests {
    private static func request(_ server: MockServer, _ path: String) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: path))
    }

    private static func clients(_ server: MockServer) -> Int {
        (try? Sockets.open(server.port, isRemoteOnly: true)) ?? -1
    }

    @Test("Idle connections close at once, and a body that is being read is delivered to its end")
    func streaming() async throws {
        let server = try await MockServer.start()
        server.addHTTPBinRoutes()
        let gate = Gate()
        server.on("/held") { _ in
            try await gate.wait()
            return .text("held")
        }
        var transport: NIOTransport? = NIOTransport()
        let isThere = try #require(transport).poolProbe
        try await transport?.prewarm(for: Self.request(server, "/"), connections: 5)
        #expect(Self.clients(server) == 5)
        // More than the engine buffers for a reader, so that the connection stays in use until the body is read.
        let request = Self.request(server, "/bytes/4000000").with { $0.options.delivery = .streamed }
        let response = try #require(try await transport?.send(request))
        let late = Self.request(server, "/held")
        let task = Task { [transport] in try await transport?.send(late).body.collect(upTo: 100) }
        try await gate.waiting()
        transport = nil
        gate.open()
        #expect(try await task.value == Data("held".utf8))
        // The task held the last reference to the transport.
        try await server.waitForOpenConnections(atMost: 1)
        try await eventually { Self.clients(server) <= 1 }
        #expect(isThere())
        #expect(try await response.body.collect(upTo: 4_000_000).count == 4_000_000)
        try await server.waitForOpenConnections(atMost: 0)
        try await eventually { Self.clients(server) == 0 && !isThere() }
        #expect(Self.clients(server) == 0)
        #expect(!isThere())
        await server.shutdown()
    }

    @Test("A streamed body that is dropped unread is released with its connection")
    func forgotten() async throws {
        let server = try await MockServer.start()
        server.addHTTPBinRoutes()
        var transport: NIOTransport? = NIOTransport()
        let isThere = try #require(transport).poolProbe
        let request = Self.request(server, "/bytes/4000000").with { $0.options.delivery = .streamed }
        var response: TransportResponse? = try await transport?.send(request)
        transport = nil
        #expect(isThere())
        #expect(response?.head.status == 200)
        response = nil
        try await server.waitForOpenConnections(atMost: 0)
        try await eventually { Self.clients(server) == 0 && !isThere() }
        #expect(!isThere())
        await server.shutdown()
    }

    @Test("A host without connections and requests is removed once its last connection has idled out")
    func emptyPools() async throws {
        let server = try await MockServer.start()
        server.addHTTPBinRoutes()
        var configuration = NIOTransport.Configuration()
        configuration.idleTimeout = .milliseconds(20)
        let transport = NIOTransport(configuration: configuration)
        _ = try await transport.send(Self.request(server, "/bytes/10"))
        try await eventually { transport.statistics.hosts == 0 }
        let statistics = transport.statistics
        #expect(statistics.hosts == 0)
        #expect(statistics.open == 0)
        #expect(statistics.evicted == 1)
        try await server.waitForOpenConnections(atMost: 0)
        await server.shutdown()
    }
}
