// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// For how long an answer from memory is that of the same request, word by word.
///
/// It is until a second of its age has passed, or something is stored or forgotten that may be about it. That the memory has no
/// more room for the response is no end of it. The next answer is looked for where this one was found, by the same request.
final class CacheStanding: ResponseStanding {
    private let run: CacheRun
    private let store: BlobStore
    private let changes: UInt64
    /// In milliseconds since 1970.
    private let moments: Range<Int64>

    /// - Parameters:
    ///   - run: The request on its way through the cache; what only its call is about is left out.
    ///   - store: Where the response is.
    ///   - changes: What the store said of the family's changes before the response was looked for.
    ///   - from: When the answer was made, in milliseconds since 1970.
    ///   - until: Up to when it stays the same.
    init(_ run: CacheRun, in store: BlobStore, changes: UInt64, from: Int64, until: Int64) {
        self.run = run.forAnyCall
        (self.store, self.changes) = (store, changes)
        moments = from..<max(from, until)
    }

    func holds(at now: Int64) -> Bool {
        moments.contains(now) && store.changes(of: run.key.group.family) == changes
    }

    func renewed() async throws -> TransportResponse? { try await run.answer(at: store) }
}
