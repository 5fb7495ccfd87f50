// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LookupQueueTests {
    typealias Line = LookupQueue<Int>

    private static func question(_ host: String, _ family: AddressFamily = .ipv4) -> Line.Question {
        Line.Question(host: host, port: 443, family: family)
    }

    /// Returns a short name of the answer to a question.
    private static func word(_ answer: Line.Answer) -> String {
        switch answer {
        case .ask: "ask"
        case .wait: "wait"
        case .isFull: "full"
        }
    }

    @Test("The limits apply to each address family separately")
    func families() {
        var line = Line(most: 1, maximumQueued: 1, maximumWaiters: 10)
        #expect(Self.word(line.add(Self.question("a.test", .ipv6), 1)) == "ask")
        #expect(Self.word(line.add(Self.question("b.test", .ipv6), 2)) == "wait")
        #expect(Self.word(line.add(Self.question("c.test", .ipv6), 3)) == "full")
        #expect(Self.word(line.add(Self.question("c.test", .ipv4), 4)) == "ask")
        #expect(Self.word(line.add(Self.question("a.test", .ipv6), 5)) == "wait")
        let (waiters, next) = line.answered(Self.question("a.test", .ipv6))
        #expect(waiters.sorted() == [1, 5])
        #expect(next == Self.question("b.test", .ipv6))
    }

    @Test("The number of waiters is limited, also for equal questions")
    func maximumWaiters() {
        var line = Line(most: 4, maximumQueued: 4, maximumWaiters: 2)
        _ = line.add(Self.question("a.test"), 1)
        _ = line.add(Self.question("a.test"), 2)
        #expect(Self.word(line.add(Self.question("a.test"), 3)) == "full")
        #expect(line.waiting == 2)
    }

    @Test(
        "Random questions, answers and cancellations: each waiter is notified once, and all limits hold",
        arguments: 0..<UInt64(8))
    func random(_ seed: UInt64) {
        var random = SeededNumbers(seed)
        var line = Line(most: 2, maximumSlow: 2, maximumQueued: 3, maximumWaiters: 40)
        var waiting: [Int: Line.Ticket] = [:]
        var asked: Set<Line.Question> = []
        var late: Set<Line.Question> = []
        let questions = ["a", "b", "c", "d", "e", "f", "g"].flatMap { host in
            AddressFamily.allCases.map { Self.question(host, $0) }
        }
        for number in 0..<20_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                guard let question = questions.randomElement(using: &random) else { continue }
                switch line.add(question, number) {
                case .ask(let ticket):
                    #expect(asked.insert(question).inserted, "seed \(seed): asked twice at once")
                    waiting[number] = ticket
                case .wait(let ticket): waiting[number] = ticket
                case .isFull: break
                }
            case 2:
                guard let (waiter, ticket) = waiting.randomElement(using: &random) else { continue }
                #expect(line.leave(ticket) == waiter, "seed \(seed)")
                #expect(line.leave(ticket) == nil, "seed \(seed): notified twice")
                waiting[waiter] = nil
            case 3:
                guard let question = asked.randomElement(using: &random) else { continue }
                let isLate = late.contains(question)
                let (keepsPlace, next) = line.isLate(question)
                #expect(keepsPlace == (!isLate && late.count { $0.family == question.family } == 2), "seed \(seed)")
                if !keepsPlace { late.insert(question) }
                if let next { #expect(asked.insert(next).inserted, "seed \(seed): asked twice at once") }
            default:
                guard let question = asked.randomElement(using: &random) else { continue }
                asked.remove(question)
                late.remove(question)
                let (waiters, next) = line.answered(question)
                for waiter in waiters {
                    #expect(waiting.removeValue(forKey: waiter) != nil, "seed \(seed): no such waiter")
                }
                if let next { #expect(asked.insert(next).inserted, "seed \(seed): asked twice at once") }
            }
            for family in AddressFamily.allCases {
                let all = asked.count { $0.family == family }
                #expect(line.late(family) == late.count { $0.family == family }, "seed \(seed)")
                #expect(line.asked(family) + line.late(family) == all, "seed \(seed)")
                #expect(line.asked(family) <= 2, "seed \(seed)")
                #expect(line.late(family) <= 2, "seed \(seed)")
                #expect(line.inLine(family) <= 3, "seed \(seed)")
                #expect(line.inLine(family) == 0 || line.asked(family) == 2, "seed \(seed): a lookup slot is free")
            }
            #expect(line.waiting == waiting.count, "seed \(seed)")
        }
        while let question = asked.popFirst() {
            let (waiters, next) = line.answered(question)
            for waiter in waiters { waiting[waiter] = nil }
            if let next { asked.insert(next) }
        }
        #expect(waiting.isEmpty, "seed \(seed): forgotten")
    }
}
