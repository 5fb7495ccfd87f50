// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghSupport

/// The ``SubscriptionProtocol`` of a ``SubscriptionRouter``, with a single subscription.
package struct SingleSubscriptionProtocol<Router: SubscriptionRouter>: SubscriptionProtocol {
    let router: Router
    let encoder: JSONEncoder

    package init(router: Router, encoder: JSONEncoder) {
        self.router = router
        self.encoder = encoder
    }

    package func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<Session> {
        var opening = SubscriptionConnectionRequest(router, session: Session(router: router, encoder: encoder))
        // The router validates the server's choice in `negotiate(over:)`.
        opening.requiresSubprotocol = false
        opening.negotiate = { [router] in try await router.negotiate(over: $0) }
        return opening
    }

    /// The single operation.
    package struct Operation: Sendable {
        package init() {}
    }

    package struct Session: SubscriptionSession {
        let router: Router
        let encoder: JSONEncoder
        /// The subscription that receives the events; `nil` after it was ended.
        private var id: SubscriptionID?
        /// The ended subscriptions whose confirmation is pending, in the order in which the server was notified.
        private var leaving: [SubscriptionID] = []
        /// The maximum number of pending confirmations; the oldest is dropped.
        private static var maximumPendingConfirmations: Int { 256 }

        fileprivate init(router: Router, encoder: JSONEncoder) {
            self.router = router
            self.encoder = encoder
        }

        package mutating func subscribe(_ operation: Operation, id: SubscriptionID) throws -> [SubscriptionAction] {
            // The previous subscription was not ended yet on the server; the new one takes over its events.
            if self.id != nil {
                self.id = id
                return [.accepted(id)]
            }
            // Set after the message was encoded, so that a failed subscription is not taken over by the next one.
            let message = try text(router.subscribeMessage)
            self.id = id
            return [message, .accepted(id)]
        }

        package mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
            // A newer subscription has taken over, or this one was already ended.
            guard id == self.id else { return [.released(id)] }
            guard let message = router.unsubscribeMessage, (message as? JSON)?.isNull != true,
                let action = try? text(message)
            else { return [.released(id)] }
            self.id = nil
            // An empty message cannot be a confirmation; the call only finds out if the server confirms at all.
            guard router.confirmsUnsubscribe(.text("")) != nil else { return [action, .released(id)] }
            // Bounds the memory if the server never confirms.
            if leaving.count == Self.maximumPendingConfirmations { leaving.removeFirst() }
            leaving.append(id)
            return [action]
        }

        package mutating func received(_ message: WebSocketMessage) -> [SubscriptionAction] {
            // A confirmation belongs to the subscription that was ended first, even if a new one has begun since.
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
