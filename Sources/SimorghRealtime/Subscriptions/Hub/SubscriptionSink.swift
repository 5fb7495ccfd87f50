// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Who takes what comes for a subscription.
package protocol SubscriptionSink: AnyObject, Sendable {
    /// Takes an event; `false` where whoever reads the connection is to wait for ``room()``.
    func deliver(_ payload: SubscriptionPayload) -> Bool
    /// Takes a change.
    func tell(_ notice: HubNotice)
    /// Takes the end.
    func end(_ error: SubscriptionError?)
    /// Waits until there is room for an event, or nobody wants one any more; or ``hurry()`` is called.
    func room() async
    /// How it stands with the room that ``room()`` waits for.
    var space: SubscriptionSpace { get }
    /// Ends the wait for room that there is, or the next one.
    func hurry()
}

/// How much more may be kept for a listener.
package enum SubscriptionSpace: Sendable, Hashable {
    /// There is room.
    case free
    /// There is none, but whoever reads need not wait where somebody else would wait in vain for that.
    case slack
    /// There is none.
    case full
}

extension SubscriptionSink {
    /// One who says nothing else is waited for once.
    package var space: SubscriptionSpace { .free }

    package func hurry() {}
}
