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
    /// Waits until there is room for an event, or nobody wants one any more.
    func room() async
}
