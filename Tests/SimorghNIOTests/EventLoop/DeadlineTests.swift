// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import TestSupport
import Testing

@Suite("TimeAmount(clamping:)", .timeLimit(.minutes(10)))
struct DeadlineTests {
    @Test(
        "A duration is clamped to whole nanoseconds between 0 and about thirty years",
        arguments: [
            (.seconds(Int64.min), 0), (.nanoseconds(-1), 0), (Duration(attoseconds: -1), 0), (.zero, 0),
            (Duration(attoseconds: 1), 0), (Duration(attoseconds: 999_999_999), 0),
            (.nanoseconds(1), 1), (.milliseconds(1500), 1_500_000_000),
            // The number of attoseconds exceeds 64 bits.
            (Duration(secondsComponent: 18, attosecondsComponent: 446_744_073_709_551_615), 18_446_744_073),
            (Duration(secondsComponent: 18, attosecondsComponent: 446_744_073_709_551_616), 18_446_744_073),
            (
                Duration(secondsComponent: 999_999_999, attosecondsComponent: 999_999_999_999_999_999),
                999_999_999_999_999_999
            ),
            (.seconds(1_000_000_000), 1_000_000_000_000_000_000),
            (Duration(secondsComponent: 1_000_000_000, attosecondsComponent: 1), 1_000_000_000_000_000_000),
            (.seconds(Int64.max), 1_000_000_000_000_000_000),
        ] as [(Duration, Int64)])
    func bounds(_ duration: Duration, _ nanoseconds: Int64) {
        #expect(TimeAmount(clamping: duration).nanoseconds == nanoseconds)
    }

    @Test("The largest and smallest Duration, whose seconds exceed 64 bits, are clamped")
    func extremes() {
        let longest = TimeAmount(clamping: Duration(attoseconds: .max))
        #expect(longest.nanoseconds == 1_000_000_000_000_000_000)
        let opposite = TimeAmount(clamping: Duration(attoseconds: .min))
        #expect(opposite.nanoseconds == 0)
    }

    @Test("Below the bound the result matches the seconds and attoseconds", arguments: 0..<5)
    func random(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        for _ in 0..<10_000 {
            let shift = Int64.random(in: 0..<31, using: &random)
            let seconds = Int64.random(in: 0..<1_000_000_000, using: &random) >> shift
            let attoseconds = Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random)
            let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
            let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
            #expect(TimeAmount(clamping: duration).nanoseconds == nanoseconds, "\(duration), seed \(seed)")
        }
    }
}
