// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How old a stored response is, and for how long it is fresh (RFC 9111, section 4.2); all times in milliseconds.
package struct CacheFreshness: Sendable, Equatable {
    /// How old the response is now.
    package let age: Int64
    /// Up to which age it is fresh.
    package let lifetime: Int64
    /// Whether the server said so, or it was guessed.
    package let isExplicit: Bool

    /// The freshness of a response.
    ///
    /// - Parameters:
    ///   - stored: The response.
    ///   - now: The time, in milliseconds since 1970.
    ///   - rules: How long a response without a word on it is fresh.
    package init(_ stored: StoredResponse, now: Int64, rules: CacheRules) {
        let date = stored.facts.date.value(now: now) ?? stored.responseTime
        age = Self.age(stored, date: date, now: now)
        let control = stored.control
        let (lifetime, isExplicit) = Self.lifetime(stored, control, date: date, now: now, rules: rules)
        self.lifetime = stored.isInvalidated ? 0 : lifetime
        self.isExplicit = isExplicit
    }

    /// Whether it may be used without asking the server, as far as time goes.
    package var isFresh: Bool { lifetime > age }
    /// For how long it has not been fresh any more; negative while it is.
    package var staleness: Int64 { age - lifetime }
    /// For how many seconds it is fresh; zero or less where it is not.
    package var secondsToLive: Int64 {
        let seconds = (lifetime - age) / 1000
        // Of a response that has just ceased to be fresh, too, nobody is to think that it is.
        return isFresh ? seconds : min(seconds, 0)
    }
    /// The age in whole seconds, as the field `Age` has it.
    package var ageSeconds: Int64 { min(age / 1000, CacheControl.longest) }

    /// The age that a response had when it came, and how long it has been here since (section 4.2.3).
    private static func age(_ stored: StoredResponse, date: Int64, now: Int64) -> Int64 {
        let apparent = max(0, stored.responseTime - date)
        // A clock that went back in between has measured nothing.
        let delay = max(0, stored.responseTime - stored.requestTime)
        let corrected = (stored.facts.age ?? 0) * 1000 + delay
        let resident = now - stored.responseTime
        // A clock that is behind the time of the response was set back, by nobody knows how much: only the server can tell.
        guard resident >= -tolerance else { return CacheControl.longest * 1000 }
        return max(apparent, corrected) + max(0, resident)
    }

    /// How far a clock may be corrected without making every response stale: five seconds.
    private static let tolerance: Int64 = 5000

    /// The number of seconds in a line of `Age`: its first member, if that is a number.
    static func age(in line: String) -> Int64? {
        FieldList.members(of: line).first.flatMap { CacheControl.seconds($0) }
    }

    private static func lifetime(
        _ stored: StoredResponse, _ control: CacheControl, date: Int64, now: Int64, rules: CacheRules
    ) -> (Int64, Bool) {
        // What was said and cannot be read is better taken for zero than for nothing.
        if let seconds = control.maxAge { return (seconds.value(orIfInvalid: 0) * 1000, true) }
        if stored.facts.hasExpires {
            guard let expires = stored.facts.expires.value(now: now) else { return (0, true) }
            return (max(0, min(expires - date, CacheControl.longest * 1000)), true)
        }
        guard CacheStatuses.isHeuristic(stored.status) || control.isPublic,
            let modified = stored.facts.lastModified.value(now: now), modified < date
        else { return (0, false) }
        return (min((date - modified) / rules.heuristicDivisor, rules.heuristicLimit), false)
    }
}
