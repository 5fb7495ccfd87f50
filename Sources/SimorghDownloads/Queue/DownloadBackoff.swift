// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Counts the failures of a download and computes the delay of the next attempt.
package struct DownloadBackoff: Sendable, Hashable {
    private let policy: DownloadRetryPolicy
    /// The number of failures since the last byte was received.
    package private(set) var attempt: Int

    package init(_ policy: DownloadRetryPolicy, attempt: Int = 0) {
        self.policy = policy
        self.attempt = max(0, attempt)
    }

    /// Resets the count because bytes were received.
    package mutating func gained() { attempt = 0 }

    /// Returns the reason for giving up early, if the server asks to wait too long.
    ///
    /// - Parameter wanted: The wait that the server asks for.
    /// - Returns: The reason; `nil` if the wait is acceptable.
    package func refusal(of wanted: Duration?) -> String? {
        guard let wanted, wanted > Duration(clampingSeconds: policy.maximumRetryAfter) else { return nil }
        let limit = Duration(clampingSeconds: policy.maximumRetryAfter.rounded()).components.seconds
        return "it asks to wait \(wanted.components.seconds) s, longer than the maximum of \(limit) s"
    }

    /// Records a failure and returns the delay of the next attempt.
    ///
    /// - Parameters:
    ///   - wanted: The wait that the server asks for.
    ///   - fraction: A random number from 0 to 1, so that downloads that failed together do not retry together.
    /// - Returns: The delay; `nil` if no further attempt is made.
    package mutating func failed(wanted: Duration? = nil, fraction: Double) -> Duration? {
        guard attempt < policy.maximumAttempts else { return nil }
        attempt += 1
        var delay = policy.initialDelay
        for _ in 0..<min(attempt - 1, 100) where delay < policy.maximumDelay {
            delay *= policy.multiplier
        }
        delay = min(delay, policy.maximumDelay)
        // Full jitter, but at least a tenth of the delay, so that the retry is not immediate.
        let own = Duration(clampingSeconds: delay * (0.1 + 0.9 * min(1, max(0, fraction))))
        guard let wanted else { return own }
        guard wanted <= Duration(clampingSeconds: policy.maximumRetryAfter) else { return nil }
        return max(own, wanted)
    }
}
