// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// For how long an answer from memory is that of the same request, word by word, and what a second makes of it.
///
/// It is until a second of its age has passed, or something is stored or forgotten that may be about it. That the memory has no
/// more room for the response is no end of it.
final class CacheStanding: ResponseStanding {
    /// What was found in the cache, and when.
    struct Look: Sendable {
        let store: BlobStore
        let key: BlobKey
        /// What the store said of the family's changes before the response was looked for.
        let changes: UInt64
        /// How old the response was.
        let freshness: CacheFreshness
        /// In milliseconds since 1970.
        let moment: Int64
    }

    /// After this the cache is asked again: a minute, in milliseconds.
    private static let longest: Int64 = 60_000

    private let look: Look
    /// In milliseconds since 1970.
    private let moments: Range<Int64>

    /// - Parameters:
    ///   - look: What was found.
    ///   - from: When the answer was made, in milliseconds since 1970.
    ///   - steady: For how many milliseconds it stays the same.
    init(_ look: Look, from: Int64, steady: Int64) {
        self.look = look
        moments = from..<from + steady
    }

    func holds(at now: Int64) -> Bool {
        moments.contains(now) && look.store.changes(of: look.key.group.family) == look.changes
    }

    func renewed(_ response: CollectedResponse, at now: Int64) -> (CollectedResponse, any ResponseStanding)? {
        let passed = now - look.moment
        // The cache learns by that what is in use.
        guard now >= moments.lowerBound, passed < Self.longest, look.store.touch(look.key, since: look.changes) else {
            return nil
        }
        let later = look.freshness.later(by: passed)
        // What the cache says of itself is the last field.
        guard later.isFresh, var report = response.cacheReport, let last = response.headers.indices.last,
            response.headers[last].name == CacheFields.cacheStatus
        else { return nil }
        report.secondsToLive = later.secondsToLive
        var response = response
        response.headers[.age] = String(later.ageSeconds)
        response.headers[last] = HTTPField(name: CacheFields.cacheStatus, value: report.description)
        response.cacheReport = report
        return (response, CacheStanding(look, from: now, steady: later.steady))
    }
}
