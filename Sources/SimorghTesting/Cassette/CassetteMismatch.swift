// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A request or an answer is not what was recorded.
public struct CassetteMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// What differs, one line each.
    public let differences: [String]

    /// What differs, and what to do.
    public var description: String {
        "the cassette does not fit: \(differences.joined(separator: "; ")); record it anew where this is meant"
    }
}
