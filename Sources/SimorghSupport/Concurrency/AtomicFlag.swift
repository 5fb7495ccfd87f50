// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A Boolean value that any task can set, once.
package final class AtomicFlag: Sendable {
    private let value = Atomic(false)

    package init() {}

    /// True once ``set()`` was called.
    package var isSet: Bool { value.load(ordering: .acquiring) }

    package func set() { value.store(true, ordering: .releasing) }
}
