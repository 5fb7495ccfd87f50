// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(5)))
struct DownloadSchedulerTests {
    private static let ids = (0..<100).map { _ in UUID() }

    private func id(_ number: Int) -> UUID { Self.ids[number] }

    @discardableResult
    private func add(
        _ number: Int, _ priority: DownloadPriority = .normal, host: String = "a", at moment: Double? = nil,
        to scheduler: inout DownloadScheduler
    ) -> DownloadScheduler.Refusal? {
        scheduler.add(id(number), key: "\(number)", host: host, priority: priority, at: moment ?? Double(number))
    }

    @Test("SIM10: the highest priority starts first, and equal ones in the order of arrival")
    func order() {
        var scheduler = DownloadScheduler(limit: 2)
        add(0, to: &scheduler)
        add(1, to: &scheduler)
        #expect(scheduler.start() == [id(0), id(1)])
        add(2, .low, to: &scheduler)
        add(3, .normal, to: &scheduler)
        add(4, .critical, to: &scheduler)
        add(5, .normal, to: &scheduler)
        add(6, .critical, to: &scheduler)
        var order: [UUID] = []
        for number in [0, 1] + [4, 6, 3, 5] {
            scheduler.remove(id(number))
            order += scheduler.start()
        }
        #expect(order == [4, 6, 3, 5, 2].map(id))
    }

    @Test("Aging: a download that waited long enough starts before a new one of higher priority")
    func aging() {
        var scheduler = DownloadScheduler(limit: 1, aging: 100)
        add(0, .low, at: 0, to: &scheduler)
        add(1, .normal, at: 50, to: &scheduler)
        add(2, .normal, at: 150, to: &scheduler)
        #expect(scheduler.start() == [id(1)])
        scheduler.remove(id(1))
        #expect(scheduler.start() == [id(0)])
    }

    @Test("A host at its limit does not block other hosts, and continues when it has a free slot")
    func hosts() {
        var scheduler = DownloadScheduler(limit: 3, hostLimit: 1)
        for number in 0..<3 { add(number, host: "a", to: &scheduler) }
        add(3, host: "b", to: &scheduler)
        #expect(scheduler.start() == [id(0), id(3)])
        scheduler.leave(id(0))
        #expect(scheduler.start() == [id(1)])
        scheduler.remove(id(2))
        scheduler.leave(id(1))
        #expect(scheduler.start().isEmpty)
        scheduler.enter(id(0))
        #expect(scheduler.start() == [id(0)])
    }

    @Test("SIM22: the queue is limited; SIM11: a URL is refused until its download is over")
    func refusals() {
        var scheduler = DownloadScheduler(limit: 1, queueLimit: 1)
        #expect(add(0, to: &scheduler) == nil)
        #expect(scheduler.start() == [id(0)])
        #expect(add(1, to: &scheduler) == nil)
        #expect(add(2, to: &scheduler) == .full(limit: 1))
        #expect(scheduler.add(id(3), key: "0", host: "a", priority: .low, at: 9) == .duplicate(id(0)))
        scheduler.release(id(0))
        #expect(scheduler.start() == [id(1)])
        #expect(scheduler.add(id(3), key: "0", host: "a", priority: .low, at: 9) == nil)
        #expect(scheduler.reclaim(id(0)) == id(3))
    }

    @Test("Changing priorities, positions and limits changes the order")
    func changes() {
        var scheduler = DownloadScheduler(limit: 1)
        for number in 0..<5 { add(number, to: &scheduler) }
        #expect(scheduler.start() == [id(0)])
        scheduler.prioritize(id(3), as: .high)
        scheduler.move(id(4), toFront: true, at: 9)
        scheduler.move(id(1), toFront: false, at: 9)
        scheduler.limit(to: 5, perHost: nil)
        #expect(scheduler.start() == [4, 3, 2, 1].map(id))
    }

    @Test("100,000 downloads: adding and removing does not scan the others, which would take an hour")
    func many() {
        var scheduler = DownloadScheduler(limit: 3, hostLimit: 2)
        for number in 0..<100_000 {
            _ = scheduler.add(
                UUID(), key: "\(number)", host: "\(number % 50)", priority: .normal, at: Double(number))
        }
        var done = 0
        var running = scheduler.start()
        while let first = running.popLast() {
            scheduler.remove(first)
            done += 1
            running += scheduler.start()
        }
        #expect(done == 100_000)
    }

    @Test("A host remains queued after its next download leaves the queue")
    func promotes() {
        var scheduler = DownloadScheduler(limit: 2, hostLimit: 1)
        add(0, host: "a", to: &scheduler)
        add(1, host: "y", to: &scheduler)
        #expect(scheduler.start() == [id(0), id(1)])
        add(2, host: "a", to: &scheduler)
        add(3, host: "a", to: &scheduler)
        add(4, .critical, host: "w", to: &scheduler)
        add(5, .high, host: "z", to: &scheduler)
        #expect(scheduler.start().isEmpty)
        scheduler.remove(id(1))
        #expect(scheduler.start() == [id(4)])
        scheduler.remove(id(0))
        #expect(scheduler.start() == [id(5)])
        scheduler.leave(id(2))
        scheduler.remove(id(4))
        #expect(scheduler.start() == [id(3)])
    }

    @Test("A URL changed during a run is taken as long as the download is active")
    func moves() {
        var scheduler = DownloadScheduler(limit: 1)
        add(0, to: &scheduler)
        #expect(scheduler.start() == [id(0)])
        #expect(scheduler.move(id(0), key: "new", host: "a") == nil)
        #expect(scheduler.refusal(key: "new", host: "a") == .duplicate(id(0)))
        #expect(scheduler.refusal(key: "0", host: "a") == nil)
        #expect(scheduler.move(id(0), key: "newer", host: "a") == nil)
        scheduler.release(id(0))
        #expect(scheduler.refusal(key: "new", host: "a") == nil && scheduler.refusal(key: "newer", host: "a") == nil)
        #expect(scheduler.reclaim(id(0)) == nil)
        #expect(scheduler.refusal(key: "newer", host: "a") == .duplicate(id(0)))
    }

    @Test("A download that moved to another host counts for it from its next run on")
    func mirrors() {
        var scheduler = DownloadScheduler(limit: 3, hostLimit: 1)
        add(0, host: "a", to: &scheduler)
        add(1, host: "b", to: &scheduler)
        #expect(scheduler.start() == [id(0), id(1)])
        scheduler.move(id(0), toHost: "b")
        add(2, host: "a", to: &scheduler)
        #expect(scheduler.start().isEmpty)
        scheduler.leave(id(0))
        scheduler.enter(id(0))
        #expect(scheduler.start() == [id(2)])
        scheduler.leave(id(1))
        #expect(scheduler.start() == [id(0)])
        // A queued one moves at once, and back.
        add(3, host: "a", to: &scheduler)
        scheduler.move(id(3), toHost: "c")
        #expect(scheduler.start() == [id(3)])
    }

    @Test("Random events: limits hold, no download is lost, and the best starts first")
    func model() {
        var random = SeededNumbers(10)
        for _ in 0..<200 {
            var scheduler = DownloadScheduler(
                limit: Int.random(in: 1...4, using: &random), hostLimit: Int.random(in: 1...3, using: &random))
            var waiting = Set<Int>()
            var running = Set<Int>()
            var aside = Set<Int>()
            var next = 0
            func host(_ number: Int) -> String { "\(number % 3)" }
            for _ in 0..<120 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2 where next < 100:
                    let priority = DownloadPriority.allCases[Int.random(in: 0..<4, using: &random)]
                    add(next, priority, host: host(next), to: &scheduler)
                    waiting.insert(next)
                    next += 1
                case 3:
                    guard let one = waiting.union(running).randomElement(using: &random) else { continue }
                    scheduler.leave(id(one))
                    waiting.remove(one)
                    running.remove(one)
                    aside.insert(one)
                case 4:
                    guard let one = aside.randomElement(using: &random) else { continue }
                    scheduler.enter(id(one))
                    aside.remove(one)
                    waiting.insert(one)
                case 5:
                    guard let one = running.randomElement(using: &random) else { continue }
                    scheduler.remove(id(one))
                    running.remove(one)
                case 6:
                    guard let one = waiting.randomElement(using: &random) else { continue }
                    scheduler.prioritize(id(one), as: .high)
                default:
                    guard let one = waiting.randomElement(using: &random) else { continue }
                    scheduler.move(id(one), toFront: Bool.random(using: &random), at: 200)
                }
                for started in scheduler.start() {
                    guard let number = Self.ids.firstIndex(of: started) else { continue }
                    #expect(waiting.remove(number) != nil)
                    running.insert(number)
                }
                #expect(scheduler.running == running.count && scheduler.waiting == waiting.count)
                #expect(running.count <= scheduler.limit)
                let perHost = Dictionary(grouping: running, by: host).mapValues(\.count)
                #expect(perHost.values.allSatisfy { $0 <= scheduler.hostLimit })
                // No download is queued while there is a free slot for it.
                if running.count < scheduler.limit {
                    #expect(waiting.allSatisfy { perHost[host($0), default: 0] >= scheduler.hostLimit })
                }
            }
        }
    }
}
