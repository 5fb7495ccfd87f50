// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Whether a failed request is sent again: the rules of ``RetryPolicy``, without a clock, a network or chance.
package enum RetryJudgement: Sendable, Equatable {
    /// It is sent again after a wait, for a reason.
    case retry(after: Duration, because: String)
    /// The caller gets the failure, for a reason.
    case giveUp(because: String)

    /// What is known when it is decided.
    package struct Facts: Sendable {
        /// What failed, in words: `503`, `networkConnectionLost`.
        package var failure: String
        /// Whether the failure is of a kind that may pass.
        package var mayPass: Bool
        /// How many retries the call has had.
        package var retries: Int
        /// The method, as words for the reason.
        package var method: String
        /// Whether sending it again cannot do its work twice.
        package var isSafe: Bool
        /// Whether the body can be sent again.
        package var isReplayable: Bool
        /// What the server's `Retry-After` asks for.
        package var serverDelay: Duration?
        /// What a decider asks for.
        package var chosenDelay: Duration?
        /// What is left of the call's time; `nil` for no limit.
        package var remaining: Duration?

        package init(
            failure: String, mayPass: Bool, retries: Int, method: String, isSafe: Bool, isReplayable: Bool,
            serverDelay: Duration? = nil, chosenDelay: Duration? = nil, remaining: Duration? = nil
        ) {
            self.failure = failure
            self.mayPass = mayPass
            self.retries = retries
            self.method = method
            self.isSafe = isSafe
            self.isReplayable = isReplayable
            self.serverDelay = serverDelay
            self.chosenDelay = chosenDelay
            self.remaining = remaining
        }
    }

    /// Judges a failure.
    ///
    /// - Parameters:
    ///   - facts: What is known.
    ///   - policy: The rules.
    ///   - fraction: A number from 0 to 1 that chance gave.
    package init(_ facts: Facts, by policy: RetryPolicy, fraction: Double) {
        let failure = facts.failure
        guard facts.mayPass else {
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
            self = .giveUp(because: "\(failure), and a \(facts.method) without Idempotency-Key may have done its work")
            return
        }
        let server = policy.honoursRetryAfter ? facts.serverDelay : nil
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
