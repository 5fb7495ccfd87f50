// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Remembers for a moment whether there is a network, so that ten thousand who ask at once are one question.
final class NetworkGlances: Sendable {
    /// How long an answer holds; 100 ms.
    static let life = Duration.milliseconds(100)

    private let clock = TimeSource.system.stopwatch()
    private let last = Mutex<(status: NetworkStatus, at: Duration)?>(nil)
    /// Held by whoever asks; nobody who only looks at what was answered waits for that.
    private let asking = Mutex(())

    /// What was so a moment ago; `nil` where nobody has asked.
    var recent: NetworkStatus? {
        last.withLock { last in
            guard let last, clock.elapsed - last.at < Self.life else { return nil }
            return last.status
        }
    }

    /// What was so a moment ago, or is.
    func status(_ ask: () -> NetworkStatus) -> NetworkStatus {
        if let recent { return recent }
        // Whoever comes meanwhile waits for the answer, and does not ask as well.
        return asking.withLock { _ in
            if let recent { return recent }
            let status = ask()
            last.withLock { $0 = (status, clock.elapsed) }
            return status
        }
    }
}
