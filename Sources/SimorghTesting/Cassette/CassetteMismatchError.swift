// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error for a request or a response that differs from the recorded one.
public struct CassetteMismatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The differences, one line each.
    public let differences: [String]

    /// The differences, and what to do.
    public var description: String {
        "the cassette does not match: \(differences.joined(separator: "; ")); record it again if this is intended"
    }
}
