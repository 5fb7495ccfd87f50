// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Remembers for a moment whether there is a network, so that ten thousand who ask at once are one question.
final class NetworkGlances: Sendable {
    /// How long an answer holds; 100 ms.
    static let life = Duration.milliseconds(100)

    private let clock = TimeSource.system.stopwatch()
    private let last = Mutex<(status: NetworkStatus, at: Duration)?>(nil)

    /// What was so a moment ago, or is.
    func status(_ ask: () -> NetworkStatus) -> NetworkStatus {
        // Whoever comes meanwhile waits for the answer, and does not ask as well.
        last.withLock { last in
            if let last, clock.elapsed - last.at < Self.life { return last.status }
            let status = ask()
            last = (status, clock.elapsed)
            return status
        }
    }
}
