// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The path and the query of a request's target, both still escaped.
package struct Target: Hashable, Sendable {
    package let path: String
    /// The text after the first question mark; `nil` without one.
    package let query: String?

    package init(_ target: String) {
        let halves = target[...].halves(at: "?")
        path = halves.map { String($0.before) } ?? target
        query = halves.map { String($0.behind) }
    }
}
