// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The choices that RFC 9111 leaves to a cache; times in milliseconds.
package struct CacheRules: Sendable, Hashable {
    /// The divisor for the heuristic lifetime, a fraction of the time since the last modification.
    ///
    /// Default: 10.
    package var heuristicDivisor: Int64 = 10
    /// The maximum heuristic lifetime.
    ///
    /// Default: one week.
    package var heuristicLimit: Int64 = 7 * 86_400_000
    /// The time for which any stale response may be used if the server fails.
    ///
    /// Default: zero.
    package var staleIfError: Int64 = 0
    /// True to store also responses that only the strategies for any age can use.
    ///
    /// Default: false.
    package var storesForAnyAge = false

    package init() {}
}
