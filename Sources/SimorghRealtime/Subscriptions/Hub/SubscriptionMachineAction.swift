// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An action that the owner of a ``SubscriptionStateMachine`` must perform.
package enum SubscriptionMachineAction: Sendable {
    /// Open a connection with this number, as the n-th attempt in a row.
    case open(Int, attempt: Int)
    /// Prepare an operation for the connection with this number.
    case prepare(Int, SubscriptionID)
    /// Cancel the preparation of an operation.
    case cancelPreparation(SubscriptionID)
    /// Send a message on the connection.
    case send(WebSocketMessage)
    /// Send a message, or replace an earlier message of this kind that is still queued.
    case sendLatest(WebSocketMessage)
    /// Report when everything queued so far has been sent, including the message of this subscription.
    case mark(SubscriptionID)
    /// Start or restart a timer.
    case startTimer(SubscriptionMachineTimer, Duration)
    /// Stop a timer; ignored if it is not running.
    case stopTimer(SubscriptionMachineTimer)
    /// Stop all timers.
    case stopTimers
    /// Deliver an event to a subscriber.
    case deliver(SubscriptionID, SubscriptionPayload)
    /// Notify a subscriber of a change.
    case notify(SubscriptionID, SubscriptionNotice)
    /// End a subscription, with an error or with `nil` for a regular end.
    case end(SubscriptionID, SubscriptionError?)
    /// Send everything queued, then perform the close handshake on the connection with this number.
    case close(Int, WebSocketCloseCode)
    /// Drop the connection with this number immediately.
    case drop(Int)
    /// Publish the new state.
    case state(SubscriptionState)
    /// Report that a message has a subscription ID that the connection never used.
    case reportUnknownID
}

/// A change of a subscription other than an event.
package enum SubscriptionNotice: Sendable {
    /// The server accepted the subscription; `isResumed` is true if it had accepted it before.
    case subscribed(isResumed: Bool)
    /// The connection was lost; the next attempt follows after the wait.
    case interrupted(SubscriptionError, retryAfter: Duration)
}
