// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SegmentPlannerTests {
    private func plan(_ missing: Range<Int64>..., limit: Int = 4, minimum: Int64 = 10) -> SegmentPlanner {
        SegmentPlanner(missing: missing, limit: limit, minimum: minimum)
    }

    @Test("The first connection gets all, each further one half of the largest remaining segment")
    func halves() throws {
        var plan = plan(0..<100)
        let firstFound = plan.next(now: .zero)
        let first = try #require(firstFound)
        #expect(first.position == 0 && first.end == 100)
        let secondFound = plan.next(now: .zero)
        let second = try #require(secondFound)
        #expect(second.position == 50 && second.end == 100)
        #expect(plan.received(20, for: first.id) == 0..<20)
        let thirdFound = plan.next(now: .zero)
        let third = try #require(thirdFound)
        #expect(third.position == 75 && third.end == 100)
        #expect(plan.segments.map(\.end) == [50, 75, 100])
    }

    @Test("missingRanges is in file order")
    func missing() throws {
        var plan = plan(0..<100, 200..<300, limit: 2)
        #expect(plan.missingRanges == [0..<100, 200..<300])
        let found = plan.next(now: .zero)
        let first = try #require(found)
        _ = plan.received(30, for: first.id)
        let other = plan.next(now: .zero)
        let second = try #require(other)
        _ = plan.received(100, for: second.id)
        #expect(plan.missingRanges == [30..<100])
        _ = plan.received(70, for: first.id)
        #expect(plan.missingRanges.isEmpty)
    }

    @Test("Bytes past the end of a segment do not count")
    func shrunk() throws {
        var plan = plan(0..<100)
        let firstFound = plan.next(now: .zero)
        let first = try #require(firstFound)
        _ = plan.next(now: .zero)
        #expect(plan.received(60, for: first.id) == 0..<50)
        #expect(plan.isFinished(first.id))
        #expect(plan.received(10, for: first.id) == 50..<50)
        #expect(plan.received(1, for: 99).isEmpty)
    }

    @Test("Gaps come first, in order; no segment is below the minimum")
    func gaps() throws {
        var plan = plan(0..<5, 20..<30, limit: 8)
        #expect(plan.next(now: .zero)?.position == 0)
        #expect(plan.next(now: .zero)?.position == 20)
        #expect(plan.next(now: .zero) == nil)
    }

    @Test("The number of connections is limited")
    func limit() {
        var plan = plan(0..<1000, limit: 2)
        #expect(plan.next(now: .zero) != nil)
        #expect(plan.next(now: .zero) != nil)
        #expect(plan.next(now: .zero) == nil)
    }

    @Test("A lost connection leaves a gap for the next")
    func lost() throws {
        var plan = plan(0..<40, 60..<100)
        let firstFound = plan.next(now: .zero)
        let first = try #require(firstFound)
        _ = plan.received(15, for: first.id)
        plan.ended(first.id)
        let againFound = plan.next(now: .zero)
        let again = try #require(againFound)
        #expect(again.position == 15 && again.end == 40)
        #expect(plan.next(now: .zero)?.position == 60)
    }

    @Test("A large rest that will arrive shortly is not split, unless it becomes slow")
    func haste() throws {
        var plan = SegmentPlanner(missing: [0..<1_000_000], limit: 4, minimum: 10)
        let firstFound = plan.next(now: .zero)
        let first = try #require(firstFound)
        _ = plan.received(500_000, for: first.id)
        #expect(plan.next(now: .milliseconds(199)) == nil)
        let secondFound = plan.next(now: .milliseconds(200))
        let second = try #require(secondFound)
        #expect(second.position == 750_000 && second.end == 1_000_000)
    }

    @Test("A slow tail is split even below the minimum, a fast one is not")
    func tails() throws {
        var plan = SegmentPlanner(missing: [0..<1_000_000], limit: 4, minimum: 1_000_000)
        let firstFound = plan.next(now: .zero)
        let first = try #require(firstFound)
        #expect(plan.next(now: .seconds(1)) == nil)
        _ = plan.received(500_000, for: first.id)
        #expect(plan.next(now: .seconds(1)) == nil)
        let secondFound = plan.next(now: .seconds(10))
        let second = try #require(secondFound)
        #expect(second.position == 750_000 && second.end == 1_000_000)
    }

    @Test(
        "The shares cover what is missing, none below the minimum, and at most the limit for one gap"
    )
    func shares() {
        let whole = SegmentPlanner.shares(of: [0..<1001], among: 4, minimum: 10)
        #expect(whole.count <= 4 && whole.first?.lowerBound == 0 && whole.last?.upperBound == 1001)
        #expect(zip(whole, whole.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(SegmentPlanner.shares(of: [0..<5, 20..<30], among: 8, minimum: 10) == [0..<5, 20..<30])
        #expect(SegmentPlanner.shares(of: [], among: 8, minimum: 10).isEmpty)
    }

    @Test("Random events: each byte is assigned once")
    func model() {
        var random = SeededNumbers(80)
        for round in 0..<200 {
            let total = Int64.random(in: 1...3000, using: &random)
            var plan = plan(0..<total, limit: Int.random(in: 1...8, using: &random), minimum: 1 + Int64(round % 50))
            var counts = [Int](repeating: 0, count: Int(total))
            var open: [Int] = []
            var now = Duration.zero
            var steps = 0
            while !plan.isDone, steps < 100_000 {
                steps += 1
                now += .milliseconds(Int64.random(in: 0..<400, using: &random))
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4: if let segment = plan.next(now: now) { open.append(segment.id) }
                case 4..<9:
                    guard let id = open.randomElement(using: &random) else { continue }
                    for byte in plan.received(Int.random(in: 1..<200, using: &random), for: id) {
                        counts[Int(byte)] += 1
                    }
                    if plan.isFinished(id) {
                        plan.ended(id)
                        open.removeAll { $0 == id }
                    }
                default:
                    guard let id = open.randomElement(using: &random) else { continue }
                    plan.ended(id)
                    open.removeAll { $0 == id }
                }
                #expect(plan.missing == Int64(counts.count { $0 == 0 }))
                #expect(plan.segments.count == open.count)
            }
            #expect(counts.allSatisfy { $0 == 1 })
        }
    }

    @Test("If a server ignores ranges, the first connection takes over the segments of the others")
    func widens() {
        var plan = SegmentPlanner(missing: [0..<100, 100..<200, 200..<300], limit: 3, minimum: 10)
        let segments = (0..<3).compactMap { _ in plan.next(now: .zero) }
        plan.ended(segments[2].id)
        plan.widen(segments[0].id, upTo: 300)
        #expect(plan.segments.map(\.end) == [100, 200])
        plan.ended(segments[1].id)
        plan.widen(segments[0].id, upTo: 300)
        #expect(plan.segments.map(\.end) == [300] && plan.missing == 300)
    }
}
