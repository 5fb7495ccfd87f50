// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghSupport

/// What a ``SubscriptionRouter`` says, as a protocol with one subscription.
package struct RouterProtocol<Router: SubscriptionRouter>: SubscriptionProtocol {
    let router: Router
    let encoder: JSONEncoder

    package init(router: Router, encoder: JSONEncoder) {
        self.router = router
        self.encoder = encoder
    }

    package func opening(attempt: Int) async throws -> SubscriptionOpening<Session> {
        var opening = SubscriptionOpening(router, session: Session(router: router, encoder: encoder))
        // The server's choice is the router's to judge, in its negotiation.
        opening.requiresSubprotocol = false
        opening.negotiate = { [router] in try await router.negotiate(over: $0) }
        return opening
    }

    /// The one thing to ask for.
    package struct Operation: Sendable {
        package init() {}
    }

    package struct Session: SubscriptionSession {
        let router: Router
        let encoder: JSONEncoder
        /// Whose the events are; one that was left has none.
        private var id: SubscriptionID?
        /// Those that were left and whose confirmation is awaited, in the order in which the server heard of it.
        private var leaving: [SubscriptionID] = []
        /// So many of them, the last.
        private static var mostLeaving: Int { 256 }

        fileprivate init(router: Router, encoder: JSONEncoder) {
            self.router = router
            self.encoder = encoder
        }

        package mutating func subscribe(_ operation: Operation, id: SubscriptionID) throws -> [SubscriptionAction] {
            // One that nobody wants any more, and that was not left yet: the server goes on as it does.
            if self.id != nil {
                self.id = id
                return [.accepted(id)]
            }
            // One whose message cannot be written is not there for the next to take its place.
            let message = try text(router.subscribeMessage)
            self.id = id
            return [message, .accepted(id)]
        }

        package mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
            // Another has taken its place, or it was left already.
            guard id == self.id else { return [.released(id)] }
            guard let message = router.unsubscribeMessage, (message as? JSON)?.isNull != true,
                let action = try? text(message)
            else { return [.released(id)] }
            self.id = nil
            // Asked with what can be no confirmation, to hear whether there is one at all.
            guard router.confirmsUnsubscribe(.text("")) != nil else { return [action, .released(id)] }
            // A server that confirms nothing is not to be waited for by ever more.
            if leaving.count == Self.mostLeaving { leaving.removeFirst() }
            leaving.append(id)
            return [action]
        }

        package mutating func received(_ message: WebSocketMessage) -> [SubscriptionAction] {
            // Each confirmation is of the one that was left first, whoever has subscribed meanwhile.
            if let left = leaving.first, router.confirmsUnsubscribe(message) == true {
                leaving.removeFirst()
                return [.released(left)]
            }
            guard let id else { return [] }
            return [.event(id, SubscriptionPayload(message))]
        }

        private func text(_ message: some Encodable) throws -> SubscriptionAction {
            .send(.text(String(decoding: try encoder.encode(message), as: UTF8.self)))
        }
    }
}
