// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// How often the steps of a chain handed one call to the transport.
package final class AttemptCounter: Sendable {
    private let value = Atomic(0)

    package init() {}

    /// Counts one more.
    package func increment() { value.add(1, ordering: .relaxed) }

    /// How many there were.
    package var count: Int { value.load(ordering: .relaxed) }
}
