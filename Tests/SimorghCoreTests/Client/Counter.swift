// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A number that many tasks raise.
final class Counter: Sendable {
    private let value = Mutex(0)

    /// Raises the number by one and returns it.
    @discardableResult
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }

    /// The number now.
    var count: Int { value.withLock { $0 } }
}
