// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A timer of the subscription state machine.
package enum SubscriptionMachineTimer: Sendable, Hashable {
    /// The timeout for the description of the connection, then for the handshake.
    case ready
    /// The timeout for preparing a subscription, then for the server's answer to it.
    case subscribe(SubscriptionID)
    /// The wait before a postponed subscription is sent again.
    case again(SubscriptionID)
    /// The time that prepared operations wait for a slow one before them.
    case preparation
    /// The timeout for the server's confirmation of the end of a subscription.
    case release(SubscriptionID)
    /// The time that a connection without subscriptions stays open.
    case linger
    /// The maximum time without a message from the server.
    case silence
    /// The wait before the next attempt to connect.
    case reconnect
    /// A timer of the session.
    case session(SubscriptionTimer)
}
