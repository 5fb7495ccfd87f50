// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The decision to retry a failed request: the rules of ``RetryPolicy`` as a pure function, without clock or network.
package enum RetryEvaluation: Sendable, Equatable {
    /// The request is retried after a wait, for the given reason.
    case retry(after: Duration, because: String)
    /// The caller gets the failure, for the given reason.
    case giveUp(because: String)

    /// The input of the decision.
    package struct Facts: Sendable {
        /// A description of the failure, such as `503` or `networkConnectionLost`.
        package var failure: String
        /// True if the failure is transient.
        package var isTransient: Bool
        /// The number of retries of the call so far.
        package var retries: Int
        /// The request method, for the reason.
        package var method: String
        /// True if the server cannot process the request twice when it is sent again.
        package var isSafe: Bool
        /// True if the body can be sent again.
        package var isReplayable: Bool
        /// The wait that the server's `Retry-After` requests.
        package var serverDelay: Duration?
        /// The wait that a decider requests.
        package var chosenDelay: Duration?
        /// The rest of the call's time; `nil` for no limit.
        package var remaining: Duration?

        package init(
            failure: String, isTransient: Bool, retries: Int, method: String, isSafe: Bool, isReplayable: Bool,
            serverDelay: Duration? = nil, chosenDelay: Duration? = nil, remaining: Duration? = nil
        ) {
            self.failure = failure
            self.isTransient = isTransient
            self.retries = retries
            self.method = method
            self.isSafe = isSafe
            self.isReplayable = isReplayable
            self.serverDelay = serverDelay
            self.chosenDelay = chosenDelay
            self.remaining = remaining
        }
    }

    /// Decides whether to retry.
    ///
    /// - Parameters:
    ///   - facts: The input.
    ///   - policy: The rules.
    ///   - fraction: A random number from 0 to 1, for the jitter.
    package init(_ facts: Facts, by policy: RetryPolicy, fraction: Double) {
        let failure = facts.failure
        guard facts.isTransient else {
            self = .giveUp(because: "\(failure) is not retried")
            return
        }
        guard facts.retries < policy.maximumRetries else {
            let limit = max(0, policy.maximumRetries)
            let retries = limit == 1 ? "retry" : "retries"
            self = .giveUp(because: "\(failure), and the limit of \(limit) \(retries) is reached")
            return
        }
        guard facts.isReplayable else {
            self = .giveUp(because: "\(failure), and the request's body can be sent only once")
            return
        }
        guard facts.isSafe else {
            self = .giveUp(because: "\(failure), and a \(facts.method) without Idempotency-Key may have been processed")
            return
        }
        let server = policy.honorsRetryAfter ? facts.serverDelay : nil
        if let server, facts.chosenDelay == nil, server > policy.maximumRetryAfter {
            self = .giveUp(because: "\(failure), and the server asks to wait longer than allowed: \(server)")
            return
        }
        let delay =
            facts.chosenDelay.map { max(.zero, $0) } ?? server
            ?? policy.delay(before: facts.retries + 1, fraction: fraction)
        if let remaining = facts.remaining, delay >= remaining {
            self = .giveUp(because: "\(failure), and a wait of \(delay.shown) would pass the call's deadline")
            return
        }
        let source = server != nil && facts.chosenDelay == nil ? ", as the server asks" : ""
        self = .retry(after: delay, because: "\(failure)\(source)")
    }
}
