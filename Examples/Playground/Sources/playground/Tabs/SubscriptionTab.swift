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

/// A live feed, subscribed to as long as the page listens.
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
    /// An update for the page: a price, or a change of the subscription's state.
    struct Step: Encodable, Sendable {
        /// The price, if there was a trade.
        var price: String?
        /// The new state, if it changed: `subscribed` or `lost`.
        var state: String?
        /// The state as a sentence.
        var text: String?
    }
}

extension SubscriptionTab.Step {
    /// Creates the update of an interruption, with its reason and the time until the next attempt.
    init(lost error: SubscriptionError, wait: Duration) {
        let seconds = String(format: "%.1f", wait / Duration.seconds(1))
        self.init(state: "lost", text: "interrupted: \(error.message); retry in \(seconds) s")
    }
}
