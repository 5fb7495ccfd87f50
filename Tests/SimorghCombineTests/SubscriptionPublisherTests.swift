// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghCombine
import SimorghCore
import SimorghRealtime
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SubscriptionPublisherTests {
    private struct Trade: Codable, Sendable, Equatable { let price: Int }

    private struct TradeSubscription: SubscriptionRouter {
        typealias Event = Trade
        var baseURLString: String { "wss://stream.example.com" }
        let symbol: String
        var subscribeMessage: some Encodable { ["method": "SUBSCRIBE", "symbol": symbol] }
        var unsubscribeMessage: (some Encodable)? { ["method": "UNSUBSCRIBE", "id": 1] }
        func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> Trade? {
            try? message.decoded(as: Trade.self, decoder: decoder)
        }
    }

    @Test("SIM20: subscribe() returns a sequence or a publisher; cancelling the publisher unsubscribes, then closes")
    func cancels() async throws {
        let socket = ScriptedWebSocket()
        let client = APIClient.scripted(socket)
        let prices = Mutex<[Int]>([])
        let gate = Gate()
        let cancellable = client.subscribe(TradeSubscription(symbol: "btcusdt"))
            .receive(on: DispatchQueue.main)
            .sink(
                receiveCompletion: { _ in },
                receiveValue: { trade in
                    prices.withLock { $0.append(trade.price) }
                    if trade.price == 3 { gate.open() }
                })
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receive()?.decoded(as: JSON.self).method == "SUBSCRIBE")
        for price in 1...3 { peer.send(#"{"price":\#(price)}"#) }
        try await gate.wait()
        #expect(prices.withLock { $0 } == [1, 2, 3])
        cancellable.cancel()
        #expect(try await peer.receive()?.decoded(as: JSON.self).method == "UNSUBSCRIBE")
        #expect(try await peer.receive() == nil)
        try await peer.closed()

        let task = Task {
            for try await trade in client.subscribe(TradeSubscription(symbol: "btcusdt")) { return trade.price }
            return 0
        }
        let other = try await socket.peer(at: 1)
        other.send(#"{"price":9}"#)
        #expect(try await task.value == 9)
    }

    @Test("A connection's publisher starts when it is subscribed to, and shares the subscription")
    func shares() async throws {
        let socket = ScriptedWebSocket()
        let connection = try APIClient.scripted(socket).subscription(TradeSubscription(symbol: "a"))
        connection.connect()
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receive() != nil)
        let ended = Gate()
        let first = Gate()
        let cancellable = connection.publisher(on: .immediate)
            .sink(receiveCompletion: { _ in ended.open() }, receiveValue: { _ in first.open() })
        var events = connection.events().makeAsyncIterator()
        while !first.isOpen {
            peer.send(#"{"price":1}"#)
            #expect(try await events.next() == Trade(price: 1))
        }
        #expect(socket.requests.count == 1)
        let end = Task { await connection.disconnect() }
        #expect(try await peer.receive()?.decoded(as: JSON.self).method == "UNSUBSCRIBE")
        await end.value
        try await ended.wait()
        #expect(try await events.next() == nil)
        cancellable.cancel()
    }
}
