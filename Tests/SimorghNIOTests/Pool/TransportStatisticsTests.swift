// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// All counts of the pool are compared together, so that no count hides the error of another.
@Suite("NIOTransport.Statistics", .timeLimit(.minutes(10)))
struct TransportStatisticsTests {
    /// A resolver that finds every host on the loopback once its gate is open.
    private final class HeldNames: HostResolver {
        let gate = Gate()

        func addresses(of host: String, family: AddressFamily) async throws -> [String] {
            try await gate.wait()
            return family == .ipv4 ? ["127.0.0.1"] : []
        }
    }

    private static let versions: [TransportOptions.HTTPVersion] = [.http1Only, .http2PriorKnowledge]

    private static func transport(
        _ names: HeldNames, _ change: (inout NIOTransport.Configuration) -> Void = { _ in }
    ) -> NIOTransport {
        var configuration = NIOTransport.Configuration()
        configuration.resolver = names
        configuration.idleTimeout = .seconds(3600)
        change(&configuration)
        return NIOTransport(configuration: configuration)
    }

    private static func get(
        _ authority: String, _ version: TransportOptions.HTTPVersion, _ path: String = "/"
    ) -> TransportRequest {
        var options = TransportOptions()
        options.httpVersion = version
        let patience = Duration.seconds(3600)
        (options.timeouts.queue, options.timeouts.connect) = (patience, patience)
        (options.timeouts.head, options.timeouts.total) = (patience, patience)
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: path), options: options)
    }

    private static func counts(_ change: (inout NIOTransport.Statistics) -> Void) -> NIOTransport.Statistics {
        var statistics = NIOTransport.Statistics()
        change(&statistics)
        return statistics
    }

    @Test(
        "The counts follow connections through dialing, use, idling, eviction and closing",
        arguments: versions)
    func life(version: TransportOptions.HTTPVersion) async throws {
        try await MockServer.with { server in
            let (names, answers) = (HeldNames(), Gate())
            server.on(.get, path: "/held", response: .text("held").held(by: answers))
            server.on(.get, path: "/", response: .text("ok"))
            // With one stream each, HTTP/2 connections are counted like HTTP/1.1 ones.
            let transport = Self.transport(names) {
                $0.maximumConnections = 2
                $0.maximumConnectionsPerHost = 2
                $0.maximumConcurrentStreams = 1
            }
            #expect(transport.statistics == Self.counts { _ in })

            let held = Self.get("bird.test:\(server.port)", version, "/held")
            let tasks = (0..<3).map { _ in Task { try await transport.send(held).head.status } }
            try await eventually { transport.statistics.waiting == 3 }
            var expected = Self.counts { ($0.dialing, $0.dialed, $0.waiting, $0.hosts) = (2, 2, 3, 1) }
            #expect(transport.statistics == expected)

            names.gate.open()
            try await answers.waiting(2)
            (expected.dialing, expected.open, expected.leased, expected.waiting) = (0, 2, 2, 1)
            #expect(transport.statistics == expected)

            answers.open()
            for task in tasks { #expect(try await task.value == .ok) }
            try await eventually { transport.statistics.leased == 0 }
            (expected.idle, expected.leased, expected.waiting, expected.reused) = (2, 0, 0, 1)
            #expect(transport.statistics == expected)

            let other = Self.get("other.test:\(server.port)", version)
            #expect(try await transport.send(other).head.status == .ok)
            try await eventually { transport.statistics.leased == 0 }
            (expected.dialed, expected.hosts, expected.evicted) = (3, 2, 1)
            #expect(transport.statistics == expected)

            // A connection that the server closes does not count as evicted.
            await server.shutdown()
            try await eventually { transport.statistics.open == 0 }
            (expected.open, expected.idle, expected.hosts) = (0, 0, 0)
            #expect(transport.statistics == expected)
        }
    }

    @Test("An HTTP/2 connection with several requests counts once, and all but the first request count as reused")
    func shared() async throws {
        try await MockServer.with { server in
            let (names, answers) = (HeldNames(), Gate())
            server.on(.get, path: "/held", response: .text("held").held(by: answers))
            let transport = Self.transport(names)
            let held = Self.get("bird.test:\(server.port)", .http2PriorKnowledge, "/held")
            let tasks = (0..<3).map { _ in Task { try await transport.send(held).head.status } }
            try await eventually { transport.statistics.waiting == 3 }
            var expected = Self.counts { ($0.dialing, $0.dialed, $0.waiting, $0.hosts) = (1, 1, 3, 1) }
            #expect(transport.statistics == expected)

            names.gate.open()
            try await answers.waiting(3)
            (expected.dialing, expected.open, expected.leased, expected.waiting) = (0, 1, 1, 0)
            expected.reused = 2
            #expect(transport.statistics == expected)

            answers.open()
            for task in tasks { #expect(try await task.value == .ok) }
            try await eventually { transport.statistics.leased == 0 }
            (expected.leased, expected.idle) = (0, 1)
            #expect(transport.statistics == expected)
        }
    }

    @Test("A cancelled request is no longer counted, but its dial is", arguments: versions)
    func givenUp(version: TransportOptions.HTTPVersion) async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/", response: .text("ok"))
            let names = HeldNames()
            let transport = Self.transport(names)
            let request = Self.get("bird.test:\(server.port)", version)
            let task = Task { await failure { try await transport.send(request) } }
            try await eventually { transport.statistics.waiting == 1 }
            var expected = Self.counts { ($0.dialing, $0.dialed, $0.waiting, $0.hosts) = (1, 1, 1, 1) }
            #expect(transport.statistics == expected)

            task.cancel()
            #expect(await task.value?.code == .cancelled)
            expected.waiting = 0
            #expect(transport.statistics == expected)

            names.gate.open()
            try await eventually { transport.statistics.dialing == 0 }
            (expected.dialing, expected.open, expected.idle) = (0, 1, 1)
            #expect(transport.statistics == expected)

            #expect(try await transport.send(request).head.status == .ok)
            try await eventually { transport.statistics.leased == 0 }
            expected.reused = 1
            #expect(transport.statistics == expected)
        }
    }

    @Test("A failed dial counts as dialed, and leaves no host behind", arguments: versions)
    func refused(version: TransportOptions.HTTPVersion) async throws {
        try await UnreachablePort.with { unreachable in
            let names = HeldNames()
            names.gate.open()
            let transport = Self.transport(names)
            for number in 1...3 {
                let request = Self.get("bird.test:\(unreachable.port)", version)
                let error = await failure { try await transport.send(request) }
                #expect(error?.code == .cannotConnectToHost)
                #expect(transport.statistics == Self.counts { $0.dialed = number })
            }
        }
    }
}
