// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The error of a dial in which no address of a name could be connected.
package struct DialError: Error, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        case noAddress
        /// All addresses were tried and failed.
        case unreachable
        case timedOut
        /// The event loop was shut down during the dial.
        case cancelled
    }

    package let kind: Kind
    /// The errors of the lookups and of the connection attempts.
    package let causes: [any Error]

    package init(kind: Kind, causes: [any Error]) {
        self.kind = kind
        self.causes = causes
    }

    package var description: String {
        causes.isEmpty ? "\(kind)" : causes.map { "\($0)" }.joined(separator: "; ")
    }
}
