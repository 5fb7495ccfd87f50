// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LookupQueueTests {
    typealias Queue = LookupQueue<Int>

    private static func question(_ host: String, _ family: AddressFamily = .ipv4) -> Queue.Question {
        Queue.Question(host: host, port: 443, family: family)
    }

    /// Returns a short name of the answer to a question.
    private static func word(_ answer: Queue.AddResult) -> String {
        switch answer {
        case .start: "start"
        case .wait: "wait"
        case .isFull: "full"
        }
    }

    @Test("The limits apply to each address family separately")
    func families() {
        var queue = Queue(maximumConcurrent: 1, maximumQueued: 1, maximumWaiters: 10)
        #expect(Self.word(queue.add(Self.question("a.test", .ipv6), waiter: 1)) == "start")
        #expect(Self.word(queue.add(Self.question("b.test", .ipv6), waiter: 2)) == "wait")
        #expect(Self.word(queue.add(Self.question("c.test", .ipv6), waiter: 3)) == "full")
        #expect(Self.word(queue.add(Self.question("c.test", .ipv4), waiter: 4)) == "start")
        #expect(Self.word(queue.add(Self.question("a.test", .ipv6), waiter: 5)) == "wait")
        let (waiters, next) = queue.lookupEnded(Self.question("a.test", .ipv6))
        #expect(waiters.sorted() == [1, 5])
        #expect(next == Self.question("b.test", .ipv6))
    }

    @Test("The number of waiters is limited, also for equal questions")
    func maximumWaiters() {
        var queue = Queue(maximumConcurrent: 4, maximumQueued: 4, maximumWaiters: 2)
        _ = queue.add(Self.question("a.test"), waiter: 1)
        _ = queue.add(Self.question("a.test"), waiter: 2)
        #expect(Self.word(queue.add(Self.question("a.test"), waiter: 3)) == "full")
        #expect(queue.waiting == 2)
    }

    @Test(
        "Random questions, answers and cancellations: each waiter is notified once, and all limits hold",
        arguments: 0..<UInt64(8))
    func random(_ seed: UInt64) {
        var random = SeededNumbers(seed)
        var queue = Queue(maximumConcurrent: 2, maximumSlow: 2, maximumQueued: 3, maximumWaiters: 40)
        var waiting: [Int: Queue.Ticket] = [:]
        var running: Set<Queue.Question> = []
        var slow: Set<Queue.Question> = []
        let questions = ["a", "b", "c", "d", "e", "f", "g"].flatMap { host in
            AddressFamily.allCases.map { Self.question(host, $0) }
        }
        for number in 0..<20_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                guard let question = questions.randomElement(using: &random) else { continue }
                switch queue.add(question, waiter: number) {
                case .start(let ticket):
                    #expect(running.insert(question).inserted, "seed \(seed): started twice at once")
                    waiting[number] = ticket
                case .wait(let ticket): waiting[number] = ticket
                case .isFull: break
                }
            case 2:
                guard let (waiter, ticket) = waiting.randomElement(using: &random) else { continue }
                #expect(queue.leave(ticket) == waiter, "seed \(seed)")
                #expect(queue.leave(ticket) == nil, "seed \(seed): notified twice")
                waiting[waiter] = nil
            case 3:
                guard let question = running.randomElement(using: &random) else { continue }
                let isSlow = slow.contains(question)
                let (keepsSlot, next) = queue.becameSlow(question)
                #expect(keepsSlot == (!isSlow && slow.count { $0.family == question.family } == 2), "seed \(seed)")
                if !keepsSlot { slow.insert(question) }
                if let next { #expect(running.insert(next).inserted, "seed \(seed): started twice at once") }
            default:
                guard let question = running.randomElement(using: &random) else { continue }
                running.remove(question)
                slow.remove(question)
                let (waiters, next) = queue.lookupEnded(question)
                for waiter in waiters {
                    #expect(waiting.removeValue(forKey: waiter) != nil, "seed \(seed): no such waiter")
                }
                if let next { #expect(running.insert(next).inserted, "seed \(seed): started twice at once") }
            }
            for family in AddressFamily.allCases {
                let all = running.count { $0.family == family }
                #expect(queue.slow(family) == slow.count { $0.family == family }, "seed \(seed)")
                #expect(queue.running(family) + queue.slow(family) == all, "seed \(seed)")
                #expect(queue.running(family) <= 2, "seed \(seed)")
                #expect(queue.slow(family) <= 2, "seed \(seed)")
                #expect(queue.queued(family) <= 3, "seed \(seed)")
                #expect(queue.queued(family) == 0 || queue.running(family) == 2, "seed \(seed): a lookup slot is free")
            }
            #expect(queue.waiting == waiting.count, "seed \(seed)")
        }
        while let question = running.popFirst() {
            let (waiters, next) = queue.lookupEnded(question)
            for waiter in waiters { waiting[waiter] = nil }
            if let next { running.insert(next) }
        }
        #expect(waiting.isEmpty, "seed \(seed): forgotten")
    }
}
