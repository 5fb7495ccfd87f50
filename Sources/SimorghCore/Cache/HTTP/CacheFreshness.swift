// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The age and the freshness lifetime of a stored response (RFC 9111, section 4.2), in milliseconds.
package struct CacheFreshness: Sendable, Equatable {
    /// The current age.
    package let age: Int64
    /// The freshness lifetime.
    package let lifetime: Int64
    /// True if the server stated the lifetime; false if it is heuristic.
    package let isExplicit: Bool

    /// Creates the freshness of a response.
    ///
    /// - Parameters:
    ///   - stored: The response.
    ///   - now: The current time, in milliseconds since 1970.
    ///   - rules: The rules for a response without an explicit lifetime.
    package init(_ stored: StoredResponse, now: Int64, rules: CacheRules) {
        let date = stored.facts.date.value(now: now) ?? stored.responseTime
        age = Self.age(stored, date: date, now: now)
        let control = stored.control
        let (lifetime, isExplicit) = Self.lifetime(of: stored, control: control, date: date, now: now, rules: rules)
        self.lifetime = stored.isInvalidated ? 0 : lifetime
        self.isExplicit = isExplicit
    }

    /// True if the response has not exceeded its lifetime.
    package var isFresh: Bool { lifetime > age }
    /// The time since the response became stale; negative while it is fresh.
    package var staleness: Int64 { age - lifetime }
    /// The remaining lifetime in seconds; zero or less if the response is stale.
    package var secondsToLive: Int64 {
        let seconds = (lifetime - age) / 1000
        // Never positive for a response that has just become stale.
        return isFresh ? seconds : min(seconds, 0)
    }
    /// The age in whole seconds, as in the `Age` field.
    package var ageSeconds: Int64 { min(age / 1000, CacheControl.maximumSeconds) }

    /// Returns the age: that at the time of arrival plus the time in the cache (section 4.2.3).
    private static func age(_ stored: StoredResponse, date: Int64, now: Int64) -> Int64 {
        let apparent = max(0, stored.responseTime - date)
        // The clock may have been set back during the request, so the delay is at least zero.
        let delay = max(0, stored.responseTime - stored.requestTime)
        let corrected = (stored.facts.age ?? 0) * 1000 + delay
        let resident = now - stored.responseTime
        // The clock was set back by an unknown amount since the response arrived, so the response must be validated.
        guard resident >= -tolerance else { return CacheControl.maximumSeconds * 1000 }
        return max(apparent, corrected) + max(0, resident)
    }

    /// The clock adjustment that does not invalidate responses: five seconds.
    private static let tolerance: Int64 = 5000

    /// Returns the number of seconds in an `Age` line: its first member, if that is a number.
    static func age(in line: String) -> Int64? {
        FieldList.members(of: line).first.flatMap { CacheControl.seconds($0) }
    }

    private static func lifetime(
        of stored: StoredResponse, control: CacheControl, date: Int64, now: Int64, rules: CacheRules
    ) -> (Int64, Bool) {
        // An explicit but invalid lifetime counts as zero instead of as missing.
        if let seconds = control.maxAge { return (seconds.value(orIfInvalid: 0) * 1000, true) }
        if stored.facts.hasExpires {
            guard let expires = stored.facts.expires.value(now: now) else { return (0, true) }
            return (max(0, min(expires - date, CacheControl.maximumSeconds * 1000)), true)
        }
        guard CacheStatuses.isHeuristic(stored.status) || control.isPublic,
            let modified = stored.facts.lastModified.value(now: now), modified < date
        else { return (0, false) }
        return (min((date - modified) / rules.heuristicDivisor, rules.heuristicLimit), false)
    }
}
