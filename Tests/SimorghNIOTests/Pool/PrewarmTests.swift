// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("prewarm", .timeLimit(.minutes(10)))
struct PrewarmTests {
    private static func transport(_ change: (inout NIOTransport.Configuration) -> Void = { _ in }) -> NIOTransport {
        var configuration = NIOTransport.Configuration()
        change(&configuration)
        return NIOTransport(configuration: configuration)
    }

    private static func ok() async throws -> RawServer {
        try await .answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }

    @Test("Only missing connections are opened, and requests use them", arguments: [(0, 0), (1, 1), (3, 3), (5, 4)])
    func opens(asked: Int, opened: Int) async throws {
        let server = try await Self.ok()
        let transport = Self.transport { $0.maximumConnectionsPerHost = 4 }
        try await transport.prewarm(for: .get(server), connections: asked)
        #expect(transport.statistics.idle == opened)
        #expect(transport.statistics.dialed == opened)
        try await transport.prewarm(for: .get(server), connections: asked)
        #expect(transport.statistics.dialed == opened)
        #expect(server.requests.isEmpty)
        let response = try await transport.send(.get(server))
        #expect(response.head.status == 200)
        #expect(transport.statistics.dialed == max(1, opened))
        #expect(transport.statistics.reused == min(1, opened))
        // A request that did not wait for a connection reports no connect time.
        #expect((response.timings.connect == nil) == (opened > 0))
        #expect(!response.timings.isReusedConnection)
        #expect(response.timings.transmissions == 1)
    }

    @Test("APIClient: prewarm opens connections to the base URL, and calls reuse them, on an event loop or not")
    func client() async throws {
        let server = try await Self.ok()
        var configuration = APIClient.Configuration()
        configuration.baseURL = "http://\(server.authority)/api"
        let client = APIClient(configuration: configuration, transport: Self.transport())
        try await client.prewarm(connections: 2)
        #expect(client.connectionStatistics?.idle == 2)
        let text = try await client.withEventLoop { try await client.call(.get, "users").data() }
        #expect(text == Data("ok".utf8))
        _ = try await client.call(.get, "users").data()
        #expect(client.connectionStatistics?.reused == 2)
        #expect(client.connectionStatistics?.dialed == 2)
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.text.hasPrefix("GET /api/users ") })
    }

    @Test("With another transport prewarm does nothing, and withEventLoop runs its closure")
    func otherTransport() async throws {
        let client = APIClient(transport: StubServer { _ in .status(.noContent) })
        try await client.prewarm("http://nowhere.test/")
        #expect(client.connectionStatistics == nil)
        let value = try await client.withEventLoop { try await client.call(.get, "http://nowhere.test/").data() }
        #expect(value.isEmpty)
    }

    @Test("prewarm evicts no connection")
    func noRoom() async throws {
        let (first, second) = (try await Self.ok(), try await Self.ok())
        let transport = Self.transport { $0.maximumConnections = 3 }
        try await transport.prewarm(for: .get(first), connections: 2)
        try await transport.prewarm(for: .get(second), connections: 2)
        #expect(transport.statistics.idle == 3)
        #expect(transport.statistics.evicted == 0)
        try await transport.prewarm(for: .get(second), connections: 2)
        #expect(transport.statistics.idle == 3)
    }

    @Test("prewarm throws the dial error, and leaves no host or connection behind")
    func refused() async throws {
        try await UnreachablePort.with { unreachable in
            let transport = Self.transport()
            let request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(unreachable.port)", path: "/"))
            let error = await failure { try await transport.prewarm(for: request, connections: 3) }
            #expect(error?.code == .cannotConnectToHost)
            var left = NIOTransport.Statistics()
            left.dialed = 3
            #expect(transport.statistics == left)
        }
    }

    @Test("A cancelled task stops waiting")
    func cancelled() async throws {
        let names = DialTests.Names(four: .never, six: .never)
        let transport = Self.transport { $0.resolver = names }
        let task = Task {
            let request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: "host.test:80", path: "/"))
            return await failure { try await transport.prewarm(for: request) }
        }
        try await eventually { !names.asked.withLock { $0.isEmpty } }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }

    @Test("A request that arrives during prewarm waits for its connection")
    func transmissions() async throws {
        let server = try await Self.ok()
        let transport = Self.transport()
        async let warmed: Void = transport.prewarm(for: .get(server))
        try await eventually { transport.statistics.dialed == 1 }
        _ = try await transport.send(.get(server))
        try await warmed
        #expect(transport.statistics.dialed == 1)
    }
}
