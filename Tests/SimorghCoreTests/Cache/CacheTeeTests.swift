// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

/// What is kept of a body that is read while it comes.
@Suite("A body while it is kept", .timeLimit(.minutes(5)))
struct CacheTeeTests {
    /// Three chunks, and fewer without a word on it for a reader who is cancelled.
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

    @Test("A body that ends because its reader was cancelled is not kept for the whole", arguments: [false, true])
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
