// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A counter for concurrent tasks.
package final class Counter: Sendable {
    private let value = Mutex(0)

    package init() {}

    /// Increments the number and returns it.
    @discardableResult
    package func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }

    /// The current number.
    package var count: Int { value.withLock { $0 } }
}
