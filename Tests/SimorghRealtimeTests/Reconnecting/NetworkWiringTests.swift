// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkWiringTests {
    private let network = ScriptedNetwork(.disconnected)

    @Test("WebSocket: a returning network ends the backoff")
    func webSocket() async throws {
        let world = WebSocketFixture()
        let monitor = network.monitor()
        let connection = try world.connection { $0.networkMonitor = monitor }
        let events = connection.events()
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        try await connection.waitUntilConnected()
        peer.drop()
        try await world.clock.sleeping()
        try await network.watched()
        try await world.clock.sleeping()
        world.clock.advance(by: .milliseconds(600))
        network.become(.connected(.wifi))
        _ = try await world.server.peer(at: 1)
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        #expect(try await iterator.next() == .reconnecting(attempt: 1, delay: 1))
        #expect(try await iterator.next() == .connected)
        connection.close()
        try await connection.waitUntilClosed()
        try await network.unwatched()
    }

    @Test("Event source: a returning network ends the backoff")
    func eventSource() async throws {
        let clock = TestClock()
        let transport = StubServer(inOrder: [
            .chunks([.bytes(Data("data: a\n\n".utf8))], contentType: "text/event-stream"),
            .chunks([.bytes(Data("data: b\n\n".utf8))], contentType: "text/event-stream"), .status(.noContent),
        ])
        let monitor = network.monitor()
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.networkMonitor = monitor
        }
        let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
        var options = EventSourceOptions()
        options.onState = { if case .waiting = $0 { waiting.yield() } }
        let read = Task { [options] in
            var data: [String] = []
            for try await event in client.eventSource(.get, "feed", options: options) { data.append(event.data) }
            return data
        }
        var round = waits.makeAsyncIterator()
        for count in 1...2 {
            // The client takes a path mark before it reports `waiting`, and its watch of the network begins concurrently.
            // A watch of the previous attempt that ends reports nothing to the monitor.
            _ = await round.next()
            try await eventually { monitor.knownStatus != nil }
            network.become(.disconnected)
            network.become(.connected(.wifi))
            // After a minimum backoff: a network that returned does not mean that the server is up again.
            try await clock.sleeping(for: .milliseconds(500))
            #expect(transport.requestCount == count)
            clock.advance(by: .milliseconds(500))
            _ = try await transport.request(at: count)
        }
        #expect(try await read.value == ["a", "b"])
        #expect(transport.requestCount == 3)
        try await network.unwatched()
    }

    @Test("onNetworkAvailable of the options replaces the network monitor")
    func ownPath() async throws {
        let world = WebSocketFixture()
        let gate = Gate()
        let connection = try world.connection(
            WebSocketFixture.Socket(),
            options: WebSocketFixture.options { $0.onNetworkAvailable = { try? await gate.wait() } }
        ) { $0.networkMonitor = network.monitor() }
        connection.connect()
        try await world.server.peer(at: 0).drop()
        try await world.clock.sleeping()
        #expect(network.watchers == 0)
        world.clock.advance(by: .milliseconds(600))
        gate.open()
        _ = try await world.server.peer(at: 1)
        connection.close()
        try await connection.waitUntilClosed()
    }

    @Test(
        "NetworkProbe tells internet access from a captive portal",
        arguments: [
            (StubResponse.status(.noContent), NetworkStatus.Reachability.open), (.text("Sign in"), .captivePortal),
            (StubResponse.bytes(Data(count: 1024 * 1024 + 1)), .captivePortal),
            (StubResponse.status(.found).header(.location, value: "http://hotspot.test/"), .captivePortal),
            (
                .failure(TransportError(.timedOut, phase: .head, message: "", requestMayHaveBeenSent: true)),
                .unreachable
            ),
        ])
    func probe(answer: StubResponse, expected: NetworkStatus.Reachability) async throws {
        let transport = StubServer { _ in answer }
        let client = APIClient.scripted(transport) { $0.headers = ["Authorization": "secret"] }
        network.become(.connected(.wifi))
        let clock = TestClock()
        let monitor = network.monitor(
            probe: NetworkProbe(url: "http://probe.test/generate_204", using: client), time: clock.timeSource)
        monitor.startMonitoring()
        for await status in monitor.detailedStatusStream() where status.reachability != .unknown {
            #expect(status.reachability == expected)
            break
        }
        #expect(transport.requestCount == 1)
        #expect(transport.requests.first?.header(.authorization) == nil)
    }
}
