// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SpeedMeterTests {
    @Test("A steady rate is measured, regardless of earlier bytes")
    func steady() {
        var meter = SpeedMeter()
        for tick in 0..<100 { meter.received(1000, at: .milliseconds(100 * tick)) }
        let speed = meter.speed(at: .milliseconds(9900))
        #expect(abs(speed - 10_000) < 500)
        let rest = meter.remaining(100_000, at: .milliseconds(9900)) ?? 0
        #expect(abs(rest - 10) < 1)
    }

    @Test("A stall has speed 0 and no remaining time")
    func stall() {
        var meter = SpeedMeter()
        for tick in 0..<30 { meter.received(1000, at: .milliseconds(100 * tick)) }
        #expect(meter.speed(at: .seconds(4)) > 0)
        #expect(meter.speed(at: .seconds(5)) == 0)
        #expect(meter.remaining(1, at: .seconds(5)) == nil)
    }

    @Test("The first bytes have a finite speed and no remaining time")
    func beginning() {
        var meter = SpeedMeter()
        #expect(meter.speed(at: .zero) == 0)
        meter.received(1_000_000, at: .seconds(7))
        #expect(meter.speed(at: .seconds(7)) == 10_000_000)
        #expect(meter.remaining(1, at: .seconds(7)) == nil)
    }

    @Test("ByteTokenBucket: the rate holds for pieces of any size")
    func budget() {
        for piece in [1000, 64 * 1024, 1_000_000] {
            var budget = ByteTokenBucket(bytesPerSecond: 100_000)
            var now = Duration.zero
            for _ in 0..<100 { now += budget.take(piece, at: now) }
            let rate = Double(piece * 100) / now.secondsAsDouble
            #expect(abs(rate - 100_000) < 30_000 || piece == 1000)
        }
    }

    @Test("ByteTokenBucket: changing and lifting the limit changes the debt")
    func changes() {
        var budget = ByteTokenBucket(bytesPerSecond: 1000)
        #expect(budget.take(2250, at: .seconds(1)) == .seconds(2))
        budget.change(to: 2000, at: .seconds(1))
        #expect(budget.take(0, at: .seconds(1)) == .seconds(1))
        budget.change(to: nil, at: .seconds(1))
        #expect(budget.take(1_000_000_000, at: .seconds(1)) == .zero)
        budget.change(to: 1000, at: .seconds(1))
        #expect(budget.take(1000, at: .seconds(1)) <= .seconds(1))
    }
}
