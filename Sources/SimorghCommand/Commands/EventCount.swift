// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Synchronization

/// How many events were printed, of how many.
final class EventCount: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(limit: Int?) { self.limit = limit ?? .max }

    /// Whether there were enough.
    var isOver: Bool { taken.withLock { $0 >= limit } }

    /// Counts one; `false` where there were enough before.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }
}
#endif
