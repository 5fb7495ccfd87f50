// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A wait of a call for something other than its own exchange.
public struct WaitEvent: Sendable, Hashable {
    /// The cause of a wait.
    @nonexhaustive
    public enum Cause: Sendable, Hashable {
        /// A token is being refreshed, for this call or for another one that uses the same token.
        case tokenRefresh
        /// The pipeline is paused; see `StopTheLine`.
        case stoppedLine
        /// The call waits for its turn under a ``RateLimit``.
        case rateLimit
        /// The call waits because of a limit that the server has stated; `nil` for the server's first response, which
        /// tells its limits.
        case serverRateLimit(ServerRateLimit?)
        /// The call waits for the network, or for its turn after the network is back; see ``OfflineQueue``.
        case network
    }

    /// The stage of a wait.
    @nonexhaustive
    public enum Stage: Sendable, Hashable {
        /// The wait began.
        case began
        /// The wait ended, successfully or not.
        case ended(after: Duration)
    }

    /// The id of the call.
    public let callID: CallContext.ID
    /// The cause of the wait.
    public let cause: Cause
    /// The stage of the wait.
    public let stage: Stage

    package init(_ cause: Cause, stage: Stage, callID: CallContext.ID) {
        self.callID = callID
        self.cause = cause
        self.stage = stage
    }
}
