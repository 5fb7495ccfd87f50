// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A number that many tasks raise.
package final class Counter: Sendable {
    private let value = Mutex(0)

    package init() {}

    /// Raises the number by one and returns it.
    @discardableResult
    package func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }

    /// The number now.
    package var count: Int { value.withLock { $0 } }
}
