// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Counts the failures of a download, and says when it is tried again.
package struct DownloadBackoff: Sendable, Hashable {
    private let policy: DownloadRetryPolicy
    /// How often it failed since a byte came.
    package private(set) var attempt: Int

    package init(_ policy: DownloadRetryPolicy, attempt: Int = 0) {
        self.policy = policy
        self.attempt = max(0, attempt)
    }

    /// Bytes came: what failed before does not count any more.
    package mutating func gained() { attempt = 0 }

    /// Says why no further attempt is made though some are left.
    ///
    /// - Parameter wanted: The wait that the server asks for.
    /// - Returns: The reason; `nil` if the wait is none.
    package func refusal(of wanted: Duration?) -> String? {
        guard let wanted, wanted > Duration(clampingSeconds: policy.maximumRetryAfter) else { return nil }
        let limit = Int64(clamping: Int(policy.maximumRetryAfter.rounded()))
        return "it asks to wait \(wanted.components.seconds) s, longer than the \(limit) s that are waited at most"
    }

    /// It failed.
    ///
    /// - Parameters:
    ///   - wanted: The wait that the server asks for.
    ///   - fraction: A number from 0 to 1 that chance gave, so that those who failed together do not come back together.
    /// - Returns: The wait before the next attempt; `nil` where there is none.
    package mutating func failed(wanted: Duration? = nil, fraction: Double) -> Duration? {
        guard attempt < policy.maximumAttempts else { return nil }
        attempt += 1
        var delay = policy.initialDelay
        for _ in 0..<min(attempt - 1, 100) where delay < policy.maximumDelay {
            delay *= policy.multiplier
        }
        delay = min(delay, policy.maximumDelay)
        // Full jitter, but not at once again: a tenth of the wait is kept to.
        let own = Duration(clampingSeconds: delay * (0.1 + 0.9 * min(1, max(0, fraction))))
        guard let wanted else { return own }
        guard wanted <= Duration(clampingSeconds: policy.maximumRetryAfter) else { return nil }
        return max(own, wanted)
    }
}
