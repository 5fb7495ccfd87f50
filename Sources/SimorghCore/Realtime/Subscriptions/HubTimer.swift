// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a connection of subscriptions waits for.
package enum HubTimer: Sendable, Hashable {
    /// The end of the handshake.
    case ready
    /// The server's word on a subscription.
    case subscribe(SubscriptionID)
    /// The server's word on the end of one.
    case release(SubscriptionID)
    /// Nobody having come for a connection without subscriptions.
    case linger
    /// The promise of messages having been broken.
    case silence
    /// The next attempt.
    case reconnect
    /// A timer of the session's own.
    case session(SubscriptionTimer)
}
