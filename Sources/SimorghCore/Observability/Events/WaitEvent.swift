// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A call that waits for something else than its own exchange.
public struct WaitEvent: Sendable, Hashable {
    /// What a call may wait for.
    @nonexhaustive
    public enum Cause: Sendable, Hashable {
        /// A token is renewed, for this call or for another that uses the same.
        case tokenRefresh
        /// The line is stopped; see `StopTheLine`.
        case stoppedLine
        /// The call's turn under a ``RateLimit``.
        case rateLimit
        /// A way to the internet, or the call's turn to take it; see ``OfflineQueue``.
        case network
    }

    /// How far the wait has come.
    @nonexhaustive
    public enum Stage: Sendable, Hashable {
        /// It begins.
        case began
        /// It is over, well or not.
        case ended(after: Duration)
    }

    /// The call it is about.
    public let callID: CallContext.ID
    /// What it waits for.
    public let cause: Cause
    /// How far the wait has come.
    public let stage: Stage

    package init(_ cause: Cause, _ stage: Stage, callID: CallContext.ID) {
        self.callID = callID
        self.cause = cause
        self.stage = stage
    }
}
