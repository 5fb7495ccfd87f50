// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Many listeners, connections and drops at once.
@Suite(.timeLimit(.minutes(5)))
struct SubscriptionStressTests {
    @Test("Listeners that begin during disconnect() end, too, or keep the connection open")
    func crossing() async throws {
        let world = SubscriptionFixture()
        let client = world.client()
        for round in 0..<300 {
            let connection = try client.subscription(PlainSubscription())
            connection.connect()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        for try await _ in connection.events() { if number.isMultiple(of: 2) { break } }
                    }
                }
                group.addTask { await connection.disconnect() }
                if round.isMultiple(of: 3) { group.addTask { for try await _ in connection.events() {} } }
                try await group.waitForAll()
            }
        }
        try await eventually { world.server.openCount == 0 }
    }

    @Test("The last listener ends only its own subscription, never one that begins meanwhile")
    func handsOver() async throws {
        let world = SubscriptionFixture()
        let client = world.client()
        // With any limit: the hub may receive the next subscription before the end of the previous one.
        var options = SubscriptionOptions()
        options.maximumSubscriptions = 1
        for _ in 0..<300 {
            let before = world.server.requests.count
            let connection = try client.subscription(PlainSubscription(), options: options)
            connection.connect()
            let first = Mutex<SubscriptionEvents<Trade>.Iterator?>(connection.events().makeAsyncIterator())
            let leaves = Task { first.withLock { $0 = nil } }
            let isDone = Mutex(false)
            let second = Task {
                defer { isDone.withLock { $0 = true } }
                // A subscription that the other task ends is empty, at most once.
                while true {
                    connection.connect()
                    if let trade = try await connection.events().first(where: { _ in true }) { return trade }
                }
            }
            try await eventually {
                for peer in world.server.peers.suffix(3) where peer.isOpen { peer.send(#"{"price":1}"#) }
                return isDone.withLock { $0 }
            }
            #expect(try await second.value.price == 1)
            await leaves.value
            await connection.disconnect()
            #expect(world.server.requests.count - before <= 2)
        }
    }

    @Test("1,000 lost connections: each subscription is sent once and in order after each, each event delivered once")
    func drops() async throws {
        let world = SubscriptionFixture()
        let client = world.client()
        var options = SubscriptionOptions(
            webSocket: WebSocketOptions(
                reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: .max, initialDelay: 0)))
        options.bufferSize = 100_000
        let hub = SubscriptionMultiplexer(
            PlainProtocol(), options: options, time: world.clock.timeSource, random: RandomSource { 0.5 }
        ) { router, options in
            try await client.openWebSocket(options.link) { try WebSocketRequest(router) }
        }
        let socket = SubscriptionClient(hub, options: options, decoder: JSONDecoder())
        let listeners = (1...5).map { number in
            let events = socket.events("t\(number)").updates
            return Task {
                var heard: [String] = []
                var resumed = 0
                for try await update in events {
                    switch update {
                    case .event(let payload): heard.append(String(decoding: payload.message.bytes, as: UTF8.self))
                    case .resumed: resumed += 1
                    default: break
                    }
                }
                return (heard, resumed)
            }
        }
        try await eventually { hub.load.sinks >= 5 }
        var sent: [String: [String]] = [:]
        for round in 0...1000 {
            let peer = try await world.server.peer(at: round)
            #expect(try await peer.receiveText() == "hello")
            peer.send("welcome")
            var ids: [String] = []
            for _ in 0..<5 {
                let words = try #require(try await peer.receiveText()).split(separator: " ").map(String.init)
                ids.append(words[1])
                peer.send("ok \(words[1])")
                peer.send("event \(words[1]) \(words[2])-\(round)")
                sent[words[2], default: []].append("\(words[2])-\(round)")
            }
            #expect(ids == (1...5).map(\.description))
            // In order: the next message was read after all of that.
            peer.send(round < 1000 ? "leave" : "done 1")
            if round < 1000 { try await peer.closed() }
        }
        for id in 2...5 { try await world.server.peer(at: 1000).send("done \(id)") }
        for (index, listener) in listeners.enumerated() {
            let (heard, resumed) = try await listener.value
            #expect(Set(heard).count == heard.count && resumed == 1000)
            #expect(sent.values.contains(heard), "listener \(index) received all events of one topic")
        }
        await socket.disconnect()
        #expect(hub.load == (0, 0, 0) && world.server.openCount == 0 && world.server.peers.count == 1001)
    }
}
