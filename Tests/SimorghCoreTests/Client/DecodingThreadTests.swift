// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghTesting
import Testing

/// A model that notes on which thread it was decoded.
private struct Witness: Decodable, Sendable {
    let isOnMainThread: Bool

    init(from decoder: any Decoder) throws { isOnMainThread = Thread.isMainThread }
}

@Suite(.timeLimit(.minutes(5)))
struct DecodingThreadTests {
    /// Foundation's property is not for asynchronous functions.
    private func isOnMainThread() -> Bool { Thread.isMainThread }

    @Test(
        "A call from the main actor is decoded on another thread",
        arguments: [nil, CachingLevel.none, .memory] as [CachingLevel?])
    @MainActor
    func mainActor(level: CachingLevel?) async throws {
        let client = APIClient.scripted(ScriptedTransport { _ in .json("{}") }) {
            var cache = AppCacheConfiguration()
            cache.sweepsAtStart = false
            $0.appCache = AppCache(cache)
        }
        try #require(isOnMainThread())
        let witness: Witness
        if let level {
            witness = try await client.get("x", cachingLevel: level)
        } else {
            witness = try await client.get("x")
        }
        #expect(!witness.isOnMainThread)
        #expect(try await !client.call(.get, "x").result(Witness.self).get().isOnMainThread)
    }
}
