// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import Synchronization

extension ConnectionInfo {
    private static let counter = Atomic<UInt64>(0)

    /// Returns a number for a new connection that is unique in this process.
    package static func nextID() -> UInt64 { counter.add(1, ordering: .relaxed).newValue }
}
