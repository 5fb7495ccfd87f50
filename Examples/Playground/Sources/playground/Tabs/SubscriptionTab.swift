// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

struct Trade: Codable, Sendable {
    /// The symbol.
    var s: String
    /// The price.
    var p: String
}

// shown: begin
struct TradeSubscription: SubscriptionRouter {
    typealias Event = Trade

    let baseURLString: String
    let symbol: String
    var path: String { "/trades" }
    var subscribeMessage: some Encodable {
        ["method": "SUBSCRIBE", "params": ["\(symbol)@trade"], "id": 1]
    }
    var unsubscribeMessage: (some Encodable)? {
        ["method": "UNSUBSCRIBE", "params": ["\(symbol)@trade"], "id": 1]
    }

    func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> Trade? {
        try? message.decoded(as: Trade.self, decoder: decoder)
    }
}

/// A live feed for as long as somebody looks at it.
struct SubscriptionTab: Sendable {
    let client = APIClient()

    func trades(of symbol: String, from base: String) -> AsyncThrowingStream<Trade, any Error> {
        feed { send in
            for try await trade in client.subscribe(TradeSubscription(baseURLString: base, symbol: symbol)) {
                send(trade)
            }
        }
    }
}
// shown: end
