// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The name of a connection in a ``PoolMachine``, never used twice.
package struct ConnectionKey: Sendable, Hashable {
    let index: Int
    let generation: UInt32

    /// That of a connection which is none of a pool's.
    static let none = ConnectionKey(index: .max, generation: 0)
}
