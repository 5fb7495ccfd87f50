// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An event or a change of a subscription.
@nonexhaustive
public enum SubscriptionUpdate<Event: Sendable>: Sendable {
    /// The server accepted the subscription.
    case subscribed
    /// An event.
    case event(Event)
    /// The connection was lost, or the server cannot serve the subscription at the moment.
    ///
    /// The subscription is sent again after the wait. Events may be missed in the meantime.
    case interrupted(SubscriptionError, retryAfter: Duration)
    /// The server accepted the subscription again.
    case resumed
    /// This number of events was dropped, because they were not read quickly enough.
    case missed(Int)
}
