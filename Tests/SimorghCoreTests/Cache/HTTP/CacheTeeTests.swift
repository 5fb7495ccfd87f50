// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

/// Storing a response body while the caller reads it.
@Suite("CacheTee", .timeLimit(.minutes(5)))
struct CacheTeeTests {
    /// Three chunks; ends early, without an error, if the reading task is cancelled.
    private struct Quiet: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = any Error

        func makeAsyncIterator() -> Iterator { Iterator() }

        struct Iterator: AsyncIteratorProtocol {
            var count = 0
            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                guard count < 3, !Task.isCancelled else { return nil }
                count += 1
                return Data("a".utf8)
            }
        }
    }

    @Test(
        "Huge capacities and lengths do not overflow",
        arguments: [1 << 40, 1 << 52, Int64.max / 8, Int64.max / 5, Int64.max] as [Int64])
    func huge(length: Int64) async throws {
        let (steps, folder) = (CacheStepTests(), BlobStoreTests.Folder())
        let cache = HTTPCache(
            CacheConfiguration(memoryCapacity: .max, diskCapacity: .max, diskPath: folder.path))
        let fields = [("Cache-Control", "max-age=60"), ("Content-Length", "\(length)")]
        for isStreamed in [false, true] {
            steps.origin.answers(
                isStreamed ? CacheStepTests.streamed(fields, ["a", "b"]) : CacheStepTests.response(fields, "ab"))
            #expect(try await steps.text(await steps.send(cache, isStreamed: isStreamed)) == "ab")
        }
        #expect(await cache.usage() == CacheUsage())
    }

    @Test(
        "A body that ended early because its reader was cancelled is not stored as complete", arguments: [false, true])
    func cancelled(isCancelled: Bool) async throws {
        let (steps, cache) = (CacheStepTests(), CacheStepTests.memory())
        var answer = CacheStepTests.response([("Cache-Control", "max-age=60")])
        answer.body = ResponseBody(Quiet())
        steps.origin.answers(answer)
        let kept = try await steps.send(cache, isStreamed: true)
        let reader = Task {
            var chunks = kept.body.makeAsyncIterator()
            _ = try await chunks.next()
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            while let _ = try await chunks.next() {}
        }
        try await reader.value
        #expect(await cache.usage().memoryCount == (isCancelled ? 0 : 1))
    }
}
