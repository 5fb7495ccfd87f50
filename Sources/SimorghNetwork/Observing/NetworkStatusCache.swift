// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Caches the result of a quick network query for a moment, so that ten thousand concurrent callers cause one query.
final class NetworkStatusCache: Sendable {
    /// The lifetime of a result; 100 ms.
    static let lifetime = Duration.milliseconds(100)

    private let clock = TimeSource.system.stopwatch()
    private let last = Mutex<(status: NetworkStatus, at: Duration)?>(nil)
    /// Held during a query; readers of a cached result do not wait for it.
    private let queryLock = Mutex(())

    /// The cached status; `nil` if there is no fresh one.
    var recent: NetworkStatus? {
        last.withLock { last in
            guard let last, clock.elapsed - last.at < Self.lifetime else { return nil }
            return last.status
        }
    }

    /// Returns the cached status, or queries it.
    func status(_ query: () -> NetworkStatus) -> NetworkStatus {
        if let recent { return recent }
        // Concurrent callers wait for the running query instead of starting another.
        return queryLock.withLock { _ in
            if let recent { return recent }
            let status = query()
            last.withLock { $0 = (status, clock.elapsed) }
            return status
        }
    }
}
