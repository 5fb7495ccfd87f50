// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import TestSupport
import Testing

@Suite("TimerWheel", .timeLimit(.minutes(10)))
struct TimerWheelTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test("Random order: each remaining element is due once, not early, and at most 1 ms late", arguments: 0..<5)
    func random(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        var wheel = TimerWheel<Int>()
        var handles: [Int: TimerWheel<Int>.Handle] = [:]
        var waiting: [Int: UInt64] = [:]
        var now: UInt64 = .random(in: 0...1 << 40, using: &random)
        var told = 0
        for id in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let span = UInt64(1) << UInt64.random(in: 0..<46, using: &random)
                let deadline = now + UInt64.random(in: 0..<span, using: &random)
                waiting[id] = deadline
                handles[id] = wheel.add(id, until: .uptimeNanoseconds(deadline), now: .uptimeNanoseconds(now))
            case 5..<8:
                let leaving = Int.random(in: max(0, id - 2000)...id, using: &random)
                waiting[leaving] = nil
                if let place = handles[leaving] { wheel.remove(place) }
            default:
                // As a timer does: advances to the next due time, or only part of the way.
                guard let next = wheel.next?.uptimeNanoseconds else { continue }
                now = max(now, .random(in: 0..<4, using: &random) == 0 ? now + Self.millisecond / 3 : next)
                for element in wheel.due(now: .uptimeNanoseconds(now)) {
                    let deadline = waiting.removeValue(forKey: element)
                    #expect(deadline.map { $0 <= now } == true, "seed \(seed)")
                    told += 1
                }
                let late = wheel.next.map { $0.uptimeNanoseconds <= now } ?? false
                #expect(!late, "seed \(seed)")
            }
            guard wheel.count == waiting.count else {
                Issue.record("\(wheel.count) elements, expected \(waiting.count), seed \(seed)")
                return
            }
            if id.isMultiple(of: 1000) {
                #expect(waiting.values.allSatisfy { $0 + Self.millisecond >= now }, "seed \(seed)")
            }
        }
        #expect(told > 1_000)
    }

    @Test("10,000 elements added and removed share a few slots")
    func slots() {
        var wheel = TimerWheel<Int>()
        var handles: [TimerWheel<Int>.Handle] = []
        var now: UInt64 = 1 << 40
        for id in 0..<10_000 {
            handles.append(
                wheel.add(id, until: .uptimeNanoseconds(now + 30_000_000_000), now: .uptimeNanoseconds(now)))
            if id >= 100 { wheel.remove(handles[id - 100]) }
            now += 1_000_000
            _ = wheel.due(now: .uptimeNanoseconds(now))
        }
        #expect(wheel.count == 100)
        #expect(wheel.slotCount < 64)
    }

    @Test("The smallest and largest times do not overflow")
    func ends() {
        var wheel = TimerWheel<Int>()
        _ = wheel.add(1, until: .distantFuture, now: .distantPast)
        _ = wheel.add(2, until: .distantPast, now: .uptimeNanoseconds(5))
        _ = wheel.add(3, until: .uptimeNanoseconds(.max), now: .uptimeNanoseconds(5))
        #expect(wheel.due(now: .uptimeNanoseconds(2_000_000)) == [2])
        #expect(Set(wheel.due(now: .uptimeNanoseconds(.max))).isSubset(of: [1, 3]))
    }
}
