// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The identifier of a connection in a ``ConnectionPoolStateMachine``; never reused.
package struct ConnectionKey: Sendable, Hashable {
    let index: Int
    let generation: UInt32

    /// The key of a connection outside the pool.
    static let none = ConnectionKey(index: .max, generation: 0)
}
