// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a cache decides by, where RFC 9111 leaves a choice; times in milliseconds.
package struct CacheRules: Sendable, Hashable {
    /// The part of the time since its last change for which a response is fresh without a word on it: a tenth.
    package var heuristicDivisor: Int64 = 10
    /// The longest such time: a week.
    package var heuristicLimit: Int64 = 7 * 86_400_000
    /// For how long a stale response is used when the server fails, without a word on it; never by default.
    package var staleIfError: Int64 = 0
    /// Whether responses are kept for the strategies that use them however old they are, too.
    package var keepsForAnyAge = false

    package init() {}
}
