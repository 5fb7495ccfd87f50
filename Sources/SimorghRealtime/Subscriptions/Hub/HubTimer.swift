// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a connection of subscriptions waits for.
package enum HubTimer: Sendable, Hashable {
    /// The description of the connection, then the end of the handshake.
    case ready
    /// The completion of what a subscription asks for, then the server's word on it.
    case subscribe(SubscriptionID)
    /// The next attempt at a subscription that the server did not have.
    case again(SubscriptionID)
    /// Those behind an operation that is not complete.
    case completion
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
