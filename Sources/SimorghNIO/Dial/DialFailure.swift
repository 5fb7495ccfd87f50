// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why no address of a name could be connected to.
package struct DialFailure: Error, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        case noAddress
        /// Each address was tried.
        case unreachable
        case timedOut
        /// The event loop was shut down meanwhile.
        case cancelled
    }

    package let kind: Kind
    /// What the lookups and the attempts failed with.
    package let causes: [any Error]

    package var description: String {
        causes.isEmpty ? "\(kind)" : causes.map { "\($0)" }.joined(separator: "; ")
    }
}
