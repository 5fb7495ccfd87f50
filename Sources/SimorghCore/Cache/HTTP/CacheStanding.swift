// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// For how long an answer from memory is that of the same request, word by word.
///
/// It is until a second of its age has passed, or something is stored or forgotten that may be about it. That the memory has no
/// more room for the response is no end of it.
package final class CacheStanding: Sendable {
    private let store: BlobStore
    private let family: UInt64
    private let changes: UInt64
    /// In milliseconds since 1970.
    private let moments: Range<Int64>

    /// - Parameters:
    ///   - store: Where the response is.
    ///   - family: The family of its key.
    ///   - changes: What the store said of the family's changes before the response was looked for.
    ///   - from: When the answer was made, in milliseconds since 1970.
    ///   - until: Up to when it stays the same.
    init(_ store: BlobStore, family: UInt64, changes: UInt64, from: Int64, until: Int64) {
        (self.store, self.family, self.changes) = (store, family, changes)
        moments = from..<max(from, until)
    }

    /// Whether it still is.
    ///
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Returns: Whether the same request is answered with the same response.
    package func holds(at now: Int64) -> Bool { moments.contains(now) && store.changes(of: family) == changes }
}
