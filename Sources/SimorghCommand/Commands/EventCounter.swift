// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Synchronization

/// A counter of printed events with a limit.
final class EventCounter: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(limit: Int?) { self.limit = limit ?? .max }

    /// True if the limit was reached.
    var hasReachedLimit: Bool { taken.withLock { $0 >= limit } }

    /// Counts one event; returns false if the limit was already reached.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }
}
#endif
