// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("PriorityQueue", .timeLimit(.minutes(10)))
struct PriorityQueueTests {
    private struct Entry: Equatable {
        let number: UInt64
        let priority: RequestPriority
        /// The number of entries before it when it was added.
        let ahead: Int
        var turns = 0
    }

    @Test(
        "Random order: higher priorities first, equal ones first-in first-out, and no entry starves",
        arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededNumbers(seed + 1)
        var queue = PriorityQueue<UInt64>()
        var model: [Entry] = []
        var next: UInt64 = 0
        // Turns in which the queue holds only normal entries are not counted.
        var turnsSinceElder = 4
        for _ in 0..<1_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                next += UInt64.random(in: 1...3, using: &random)
                let priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
                queue.append(next * 10, number: next, priority: priority)
                model.append(Entry(number: next, priority: priority, ahead: model.count))
            case 5..<9:
                let first = queue.popFirst()
                turnsSinceElder += 1
                #expect((first == nil) == model.isEmpty)
                guard let first, let index = model.firstIndex(where: { $0.number == first.number }) else { continue }
                let entry = model.remove(at: index)
                #expect(first.element == entry.number * 10)
                #expect(!model.contains { $0.priority == entry.priority && $0.number < entry.number })
                if model.contains(where: { $0.priority > entry.priority }) {
                    // Only the oldest entry of all may precede higher priorities, at most every fourth turn.
                    #expect(model.allSatisfy { $0.number > entry.number })
                    #expect(turnsSinceElder >= 4, "two oldest-first turns within \(turnsSinceElder) turns")
                    turnsSinceElder = 0
                }
                for index in model.indices {
                    model[index].turns += 1
                    #expect(model[index].turns <= 4 * (model[index].ahead + 1))
                }
            default:
                let number = UInt64.random(in: 0...(next + 1), using: &random)
                let removed = queue.remove(number)
                #expect(removed == (model.contains { $0.number == number } ? number * 10 : nil))
                model.removeAll { $0.number == number }
            }
            #expect(queue.count == model.count)
        }
    }

    @Test("A low-priority entry is served under a flood of critical ones, even if each turn opens a connection")
    func flood() {
        var queue = PriorityQueue<String>()
        queue.append("low", number: 1, priority: .low)
        var number: UInt64 = 1
        var turns = 0
        var visits = 0
        var served: [String] = []
        while !served.contains("low"), turns < 100 {
            turns += 1
            number += 1
            queue.append("critical", number: number, priority: .critical)
            guard let next = queue.nextUnmarked(visits: &visits) else { break }
            served.append(next.element)
            _ = queue.remove(next.number)
        }
        #expect(turns <= 8)
        #expect(served.first == "critical")
    }

    @Test("ConnectionPoolStateMachine leases a freed connection by priority")
    func pool() {
        let origin = Origin(isSecure: false, host: "a", port: 80)
        var driver = PoolDriver(
            ConnectionPoolStateMachine(
                limits: .init(connections: 1, connectionsPerHost: 1, waitingPerHost: 100, idleTime: .seconds(60))))
        driver.request(origin, "first")
        driver.dialed(0)
        driver.request(origin, "low", priority: .low)
        driver.request(origin, "normal")
        driver.request(origin, "critical", priority: .critical)
        driver.request(origin, "high", priority: .high)
        driver.log = []
        for waiter in ["first", "critical", "high", "normal", "low"] { driver.finish(waiter) }
        #expect(driver.log == ["lease 0 to critical", "lease 0 to high", "lease 0 to normal", "lease 0 to low"])
    }
}
