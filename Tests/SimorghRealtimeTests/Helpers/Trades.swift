// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime

struct Trade: Codable, Sendable, Equatable {
    let price: Int
}

/// The subscription of the documentation.
struct TradeSubscription: SubscriptionRouter {
    typealias Event = Trade

    var baseURLString: String { "wss://stream.example.com" }
    var path: String { "/ws" }
    let symbol: String
    var confirms = false

    var subscribeMessage: some Encodable {
        ["method": "SUBSCRIBE", "params": ["\(symbol)@trade"], "id": 1]
    }
    var unsubscribeMessage: (some Encodable)? {
        ["method": "UNSUBSCRIBE", "params": ["\(symbol)@trade"], "id": 1]
    }
    func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> Trade? {
        try? message.decoded(as: Trade.self, decoder: decoder)
    }
    func confirmsUnsubscribe(_ message: WebSocketMessage) -> Bool? {
        confirms ? (try? message.decoded(as: JSON.self))?.result == "done" : nil
    }
}

/// A subscription that keeps every default.
struct PlainSubscription: SubscriptionRouter {
    typealias Event = Trade
    var baseURLString: String { "wss://stream.example.com" }
    var subscribeMessage: some Encodable { ["topic": "trades"] }
}

/// A subscription that negotiates before it subscribes.
struct NegotiatingSubscription: SubscriptionRouter {
    struct Rejected: Error, Equatable { let answer: String }

    typealias Event = Trade
    var baseURLString: String { "wss://stream.example.com" }
    var protocols: [String] { ["trades.v1"] }
    var subscribeMessage: JSON { ["type": "subscribe", "n": 1] }
    var unsubscribeMessage: JSON? { nil }

    func negotiate(over transport: any SubscriptionTransport) async throws {
        try await transport.send(["type": "connection_init"])
        let answer = try await transport.receive().decoded(as: JSON.self)
        guard answer.type == "connection_ack" else { throw Rejected(answer: answer.type.string ?? "") }
    }
}

/// A transport that records what is sent and returns scripted answers, for a negotiation without a socket.
actor NotedTransport: SubscriptionTransport {
    private(set) var sent: [WebSocketMessage] = []
    private var answers: [WebSocketMessage]

    init(_ answers: [WebSocketMessage] = []) { self.answers = answers }

    func send(_ message: WebSocketMessage) { sent.append(message) }
    func receive() throws -> WebSocketMessage {
        guard !answers.isEmpty else { throw CancellationError() }
        return answers.removeFirst()
    }
}
