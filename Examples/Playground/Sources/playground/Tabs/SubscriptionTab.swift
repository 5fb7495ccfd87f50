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

    func trades(of symbol: String, from base: String) -> AsyncThrowingStream<Step, any Error> {
        feed { send in
            let router = TradeSubscription(baseURLString: base, symbol: symbol)
            for try await update in client.subscribe(router).updates {
                switch update {
                case .event(let trade): send(Step(price: trade.p))
                case .subscribed: send(Step(state: "subscribed", text: "subscribed"))
                case .resumed: send(Step(state: "subscribed", text: "subscribed again"))
                case .interrupted(let error, let wait): send(Step(lost: error, wait: wait))
                default: break
                }
            }
        }
    }
}
// shown: end

extension SubscriptionTab {
    /// What the page is told: a price, or how the feed stands.
    struct Step: Encodable, Sendable {
        /// The price, where there was a trade.
        var price: String?
        /// What it is now, where that has changed: `subscribed` or `lost`.
        var state: String?
        /// The same for a person.
        var text: String?
    }
}

extension SubscriptionTab.Step {
    /// An interruption, which says why, and when the feed is asked for again.
    init(lost error: SubscriptionError, wait: Duration) {
        let seconds = String(format: "%.1f", wait / Duration.seconds(1))
        self.init(state: "lost", text: "interrupted: \(error.message); again in \(seconds) s")
    }
}
