// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("Reachability queries: the queue of callers", .timeLimit(.minutes(10)))
struct ReachabilityQueueTests {
    @Test("1,000 concurrent queries are answered in order")
    func turns() async throws {
        let queue = ReachabilityQueue(maximumAbandoned: 1)
        let answered = Mutex<[Int]>([])
        for number in 0..<1_000 {
            let id = queue.enqueue { answered.withLock { $0.append(number) } }
            #expect(id != nil)
        }
        try await eventually { answered.withLock { $0.count } == 1_000 }
        #expect(answered.withLock { $0 } == Array(0..<1_000))
        #expect(queue.waiting == 0)
    }

    @Test(
        "A cancelled query frees its entry; after maximumAbandoned of them new queries are refused until one returns",
        arguments: [1, 2, ReachabilityQueue.maximumAbandoned])
    func silent(most: Int) async throws {
        let queue = ReachabilityQueue(maximumAbandoned: most)
        let answer = DispatchSemaphore(value: 0)
        let (answered, isAnswered) = (LockedValue(0), LockedValue(false))
        let first = queue.enqueue { answer.wait() }
        #expect(first != nil)
        try await eventually { queue.waiting == 0 }
        for _ in 0..<most {
            let id = queue.enqueue { answered.change { $0 += 1 } }
            #expect(queue.waiting == 1)
            queue.abandon(try #require(id))
            #expect(queue.waiting == 0)
        }
        let rejected = queue.enqueue { answered.change { $0 += 1 } }
        #expect(rejected == nil)
        #expect(queue.waiting == 0)
        answer.signal()
        // The first query returns, so later ones are accepted again.
        try await eventually {
            let id = queue.enqueue { isAnswered.change { $0 = true } }
            return id != nil
        }
        try await eventually { isAnswered.value }
        #expect(answered.value == 0)
    }

    @Test("Leaving after the answer has no effect on later queries")
    func afterwards() async throws {
        let queue = ReachabilityQueue(maximumAbandoned: 1)
        let answered = Mutex(0)
        let first = queue.enqueue { answered.withLock { $0 += 1 } }
        let id = try #require(first)
        try await eventually { answered.withLock { $0 } == 1 }
        for _ in 0..<3 { queue.abandon(id) }
        try await eventually {
            let next = queue.enqueue { answered.withLock { $0 += 1 } }
            return next != nil
        }
        try await eventually { answered.withLock { $0 } == 2 }
    }
}
