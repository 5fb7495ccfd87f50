// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The path and the query of a request's target, neither unescaped.
package struct Target: Hashable, Sendable {
    package let path: String
    /// What follows the first question mark; `nil` without one.
    package let query: String?

    package init(_ target: String) {
        let halves = target[...].halves(at: "?")
        path = halves.map { String($0.before) } ?? target
        query = halves.map { String($0.behind) }
    }
}
