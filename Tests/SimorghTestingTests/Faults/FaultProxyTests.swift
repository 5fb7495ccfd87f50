// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

@Suite("FaultProxy", .timeLimit(.minutes(10)))
struct FaultProxyTests {
    private static func request(_ proxy: FaultProxy, _ path: String, _ total: Duration = .seconds(3600))
        -> TransportRequest
    {
        var options = TransportOptions()
        options.timeouts = Timeouts()
        (options.timeouts.connect, options.timeouts.head, options.timeouts.idle) = (nil, nil, nil)
        options.timeouts.total = total
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(proxy.port)", path: path),
            options: options)
    }

    @Test("Without faults exchanges pass through unchanged")
    func plain() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            try await FaultProxy.with(to: server.port) { proxy in
                let transport = NIOTransport()
                for turn in 0..<3 {
                    let response = try await transport.send(Self.request(proxy, "/bytes/1000000?seed=3"))
                    #expect(response.body.collectedBytes == MockServer.bytes(1_000_000, seed: 3))
                    #expect(response.timings.isReusedConnection == (turn > 0))
                }
                #expect(proxy.acceptedConnections == 1)
            }
        }
    }

    @Test("Each of many connections is relayed, with one and with several threads", arguments: [1, 4])
    func threads(count: Int) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            var configuration = FaultProxy.Configuration()
            configuration.threads = count
            try await FaultProxy.with(configuration, to: server.port) { proxy in
                for _ in 0..<50 {
                    let response = try await NIOTransport().send(Self.request(proxy, "/bytes/10"))
                    #expect(response.head.status.code == 200)
                }
                #expect(proxy.acceptedConnections == 50)
            }
        }
    }

    @Test("A slow path with delays and pauses loses no bytes")
    func slow() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            var faults = FaultProxy.Configuration()
            faults.upstream.delay = .milliseconds(20)
            faults.downstream.delay = .milliseconds(20)
            faults.downstream.bytesPerSecond = 2_000_000
            faults.downstream.pauses = .init(every: 50_000, for: .milliseconds(5))
            try await FaultProxy.with(faults, to: server.port) { proxy in
                let response = try await NIOTransport().send(Self.request(proxy, "/bytes/200000?seed=4"))
                #expect(response.body.collectedBytes == MockServer.bytes(200_000, seed: 4))
                #expect(response.timings.total.map { $0 >= .milliseconds(140) } == true)
            }
        }
    }

    @Test("An unavailable server closes the connection, and faults can be changed while running")
    func changes() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            var faults = FaultProxy.Configuration()
            faults.downstream.cut = .init(after: 0, .close)
            let proxy = try await FaultProxy.start(faults, to: server.port)
            let transport = NIOTransport()
            await #expect(throws: TransportError.self) { try await transport.send(Self.request(proxy, "/get")) }
            proxy.change()
            let response = try await transport.send(Self.request(proxy, "/get"))
            #expect(response.head.status == .ok)
            await server.shutdown()
            proxy.closeConnections()
            await #expect(throws: TransportError.self) { try await transport.send(Self.request(proxy, "/get")) }
            await proxy.shutdown()
            await proxy.shutdown()
        }
    }

    @Test("A connection above maximumConnections is closed at once")
    func bounded() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            var configuration = FaultProxy.Configuration()
            configuration.maximumConnections = 1
            try await FaultProxy.with(configuration, to: server.port) { proxy in
                let first = NIOTransport()
                _ = try await first.send(Self.request(proxy, "/get"))
                await #expect(throws: TransportError.self) {
                    try await NIOTransport().send(Self.request(proxy, "/get"))
                }
                _ = try await first.send(Self.request(proxy, "/get"))
            }
        }
    }
}
