// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What the owner of a ``SubscriptionHubMachine`` has to do.
package enum HubAction: Sendable {
    /// Open a connection with this number, the attempt being the n-th in a row.
    case open(Int, attempt: Int)
    /// Complete an operation for the connection with this number.
    case prepare(Int, SubscriptionID)
    /// Nobody waits for the completion of an operation any more.
    case cancelPreparation(SubscriptionID)
    /// Send a message on the connection.
    case send(WebSocketMessage)
    /// Send a message in the place of an earlier one of this kind, where that still waits to be sent.
    case sendLatest(WebSocketMessage)
    /// Say when all has been sent that is to be sent so far: a subscription is in it.
    case mark(SubscriptionID)
    /// Start a timer, or start it anew.
    case startTimer(HubTimer, Duration)
    /// Stop a timer; one that does not run is none.
    case stopTimer(HubTimer)
    /// Stop all timers.
    case stopTimers
    /// Hand an event over.
    case deliver(SubscriptionID, SubscriptionPayload)
    /// Tell of a change.
    case tell(SubscriptionID, HubNotice)
    /// A subscription is over: `nil` for a good end.
    case end(SubscriptionID, SubscriptionError?)
    /// Shake hands and close the connection with this number, after what is still to be sent.
    case close(Int, WebSocketCloseCode)
    /// Leave the connection with this number at once.
    case drop(Int)
    /// The state has changed.
    case state(SubscriptionState)
    /// A message names a subscription that the connection never had.
    case noteStray
}

/// What a subscriber is told beside events.
package enum HubNotice: Sendable {
    /// The server has the subscription, again if it had it before.
    case subscribed(isResumed: Bool)
    /// The connection was lost; the next attempt follows after the wait.
    case interrupted(SubscriptionError, retryAfter: Duration)
}
