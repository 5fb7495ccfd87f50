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
        let desk = ReachabilityQueue(maximumAbandoned: 1)
        let answered = Mutex<[Int]>([])
        for number in 0..<1_000 {
            let place = desk.ask { answered.withLock { $0.append(number) } }
            #expect(place != nil)
        }
        try await eventually { answered.withLock { $0.count } == 1_000 }
        #expect(answered.withLock { $0 } == Array(0..<1_000))
        #expect(desk.waiting == 0)
    }

    @Test(
        "A cancelled query frees its entry; after mostInVain unanswered ones new queries are refused until one returns",
        arguments: [1, 2, ReachabilityQueue.maximumAbandoned])
    func silent(most: Int) async throws {
        let desk = ReachabilityQueue(maximumAbandoned: most)
        let answer = DispatchSemaphore(value: 0)
        let (asked, isAnswered) = (LockedValue(0), LockedValue(false))
        let first = desk.ask { answer.wait() }
        #expect(first != nil)
        try await eventually { desk.waiting == 0 }
        for _ in 0..<most {
            let place = desk.ask { asked.change { $0 += 1 } }
            #expect(desk.waiting == 1)
            desk.leave(try #require(place))
            #expect(desk.waiting == 0)
        }
        let late = desk.ask { asked.change { $0 += 1 } }
        #expect(late == nil)
        #expect(desk.waiting == 0)
        answer.signal()
        // The first query returns, so later ones are accepted again.
        try await eventually {
            let place = desk.ask { isAnswered.change { $0 = true } }
            return place != nil
        }
        try await eventually { isAnswered.value }
        #expect(asked.value == 0)
    }

    @Test("Leaving after the answer has no effect on later queries")
    func afterwards() async throws {
        let desk = ReachabilityQueue(maximumAbandoned: 1)
        let answered = Mutex(0)
        let first = desk.ask { answered.withLock { $0 += 1 } }
        let place = try #require(first)
        try await eventually { answered.withLock { $0 } == 1 }
        for _ in 0..<3 { desk.leave(place) }
        try await eventually {
            let next = desk.ask { answered.withLock { $0 += 1 } }
            return next != nil
        }
        try await eventually { answered.withLock { $0 } == 2 }
    }
}
