// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

/// True on the main queue: on Linux it may run on another thread than the main thread.
private let onMainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// A model that records whether it is decoded on the main queue.
private struct Witness: Decodable, Sendable {
    let isOnMainQueue: Bool

    init(from decoder: any Decoder) throws { isOnMainQueue = DispatchQueue.getSpecific(key: onMainQueue) == true }
}

@Suite(.timeLimit(.minutes(5)))
struct DecodingThreadTests {
    @Test(
        "A call from the main actor is decoded off the main queue",
        arguments: [nil, CachingLevel.none, .memory] as [CachingLevel?])
    @MainActor
    func mainActor(level: CachingLevel?) async throws {
        let client = APIClient.scripted(StubServer { _ in .json("{}") }) {
            var cache = AppCacheConfiguration()
            cache.sweepsAtStart = false
            $0.appCache = AppCache(cache)
        }
        try #require(DispatchQueue.getSpecific(key: onMainQueue) == true)
        let witness: Witness
        if let level {
            witness = try await client.get("x", cachingLevel: level)
        } else {
            witness = try await client.get("x")
        }
        #expect(!witness.isOnMainQueue)
        #expect(try await !client.call(.get, "x").result(Witness.self).get().isOnMainQueue)
    }
}
