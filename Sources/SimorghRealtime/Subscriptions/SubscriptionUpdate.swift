// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a subscriber learns who wants to know more than events.
@nonexhaustive
public enum SubscriptionUpdate<Event: Sendable>: Sendable {
    /// The server has accepted the subscription.
    case subscribed
    /// An event.
    case event(Event)
    /// The connection was lost, or the server does not have the subscription for now; after the wait it is asked for again.
    /// Events may be missed meanwhile.
    case interrupted(SubscriptionError, retryAfter: Duration)
    /// The server has the subscription again.
    case resumed
    /// So many events were dropped, because they were not taken soon enough.
    case missed(Int)
}
