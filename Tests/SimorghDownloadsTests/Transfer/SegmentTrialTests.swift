// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SegmentTrialTests {
    /// A download with one measurement per second.
    private struct Download {
        var trial: SegmentTrial
        var received: Int64 = 0
        var now = Duration.zero

        init(maximum: Int) { trial = SegmentTrial(maximum: maximum) }

        mutating func second(_ bytes: Int64, missing: Int64 = .max, isHeldBack: Bool = false, areOpen: Bool = true) {
            now += .seconds(1)
            received += bytes
            trial.measured(
                received: received, missing: missing, isHeldBack: isHeldBack, areOpen: areOpen, at: now)
        }
    }

    @Test(
        "If each connection is limited, connections double every two seconds up to the maximum", arguments: 1...8)
    func doubles(maximum: Int) {
        var download = Download(maximum: maximum)
        var limits: [Int] = []
        for _ in 0..<10 {
            download.second(1000 * Int64(download.trial.limit))
            limits.append(download.trial.limit)
        }
        let expected = [1, 2, 2, 4, 4, 8, 8, 8, 8, 8].map { min($0, maximum) }
        #expect(limits == expected && download.trial.isEnded)
    }

    @Test("If the total is limited, a second connection is tried once, then closed")
    func doesNotHelp() {
        var download = Download(maximum: 8)
        var limits: [Int] = []
        for _ in 0..<10 {
            download.second(1000)
            limits.append(download.trial.limit)
        }
        #expect(limits == [1, 2, 2, 2, 1, 1, 1, 1, 1, 1] && download.trial.isEnded)
    }

    @Test("If two connections reach the total limit, it returns to two")
    func partlyHelps() {
        var download = Download(maximum: 8)
        for _ in 0..<10 { download.second(min(2000, 1000 * Int64(download.trial.limit))) }
        #expect(download.trial.limit == 2 && download.trial.isEnded)
    }

    @Test("A speed that is still growing is waited for")
    func grows() {
        var download = Download(maximum: 4)
        for exponent in 0..<10 {
            download.second(1000 << exponent)
            #expect(download.trial.limit == 1)
        }
        download.second(1000 << 9)
        #expect(download.trial.limit == 2)
    }

    @Test("A further connection gets a piece of three seconds, until it is known to help")
    func piece() {
        var download = Download(maximum: 4)
        download.second(1000)
        #expect(download.trial.piece == nil)
        download.second(1000)
        #expect(download.trial.piece == 3000)
        download.second(2000)
        #expect(download.trial.piece == 3000)
        download.second(2000)
        #expect(download.trial.limit == 4 && download.trial.piece == 3000)
        download.second(4000)
        download.second(4000)
        #expect(download.trial.isEnded && download.trial.limit == 4 && download.trial.piece == nil)
    }

    @Test(
        "Connections are compared when all receive and their speed is stable, or after ten seconds"
    )
    func opening() {
        var download = Download(maximum: 4)
        for _ in 0..<2 { download.second(1000) }
        for _ in 0..<5 { download.second(1000, areOpen: false) }
        #expect(download.trial.limit == 2)
        // Distant connections start slowly.
        for speed in [1000, 1000, 1100] as [Int64] {
            #expect(download.trial.limit == 2)
            download.second(speed)
        }
        #expect(download.trial.limit == 1 && download.trial.isEnded)
        var slow = Download(maximum: 4)
        for _ in 0..<2 { slow.second(1000) }
        slow.second(1000)
        for speed in [600, 750, 1000] as [Int64] { slow.second(speed) }
        #expect(slow.trial.limit == 2 && !slow.trial.isEnded)
        slow.second(1300)
        #expect(slow.trial.limit == 4)
        var never = Download(maximum: 4)
        for _ in 0..<2 { never.second(1000) }
        for _ in 0..<20 { never.second(1000, areOpen: false) }
        #expect(never.trial.limit == 1 && never.trial.isEnded)
    }

    @Test("A pause does not count as the speed to compare with")
    func dip() {
        var download = Download(maximum: 4)
        for speed in [1000, 10, 1000] as [Int64] { download.second(speed) }
        #expect(download.trial.limit == 1 && !download.trial.isEnded)
        download.second(1000)
        #expect(download.trial.limit == 2 && download.trial.piece == 3000)
    }

    @Test("A speed limit of the user takes back a connection that has not proved to help")
    func heldBackLater() {
        var download = Download(maximum: 8)
        for round in 0..<5 {
            for _ in 0..<2 { download.second(1000) }
            #expect(download.trial.limit == 2, "\(round)")
            download.second(1000, isHeldBack: true)
            #expect(download.trial.limit == 1, "\(round)")
        }
    }

    @Test("A rest of up to two seconds is not split, unless it takes longer")
    func patience() {
        var download = Download(maximum: 4)
        for _ in 0..<5 { download.second(1000, missing: 2000) }
        #expect(download.trial.limit == 1 && !download.trial.isEnded)
        download.second(1000, missing: 2001)
        #expect(download.trial.limit == 2)
    }

    @Test("While a speed limit holds the download back, or nothing arrives, no connection is opened")
    func heldBack() {
        var download = Download(maximum: 4)
        for _ in 0..<5 { download.second(1000, isHeldBack: true) }
        for _ in 0..<5 { download.second(0) }
        #expect(download.trial.limit == 1 && !download.trial.isEnded)
    }

    @Test("After the end nothing changes")
    func ends() {
        var download = Download(maximum: 4)
        download.second(1000)
        download.trial.end()
        for _ in 0..<5 { download.second(1000) }
        #expect(download.trial.limit == 1 && download.trial.isEnded && download.trial.piece == nil)
    }

    @Test(
        "Random measurements: the limit is in bounds, doubles at most, and the trial ends at stable speeds")
    func random() {
        var random = SeededNumbers(26)
        for _ in 0..<2000 {
            let maximum = Int.random(in: 1...8, using: &random)
            var trial = SegmentTrial(maximum: maximum)
            var (received, now) = (Int64(0), Duration.zero)
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                let (before, hasEnded) = (trial.limit, trial.isEnded)
                now += .milliseconds(Int64.random(in: 0..<3000, using: &random))
                received += Bool.random(using: &random) ? Int64.random(in: 0...1 << 40, using: &random) : 0
                trial.measured(
                    received: received, missing: Int64.random(in: 0 ... .max, using: &random),
                    isHeldBack: Int.random(in: 0..<8, using: &random) == 0, at: now)
                #expect((1...maximum).contains(trial.limit) && trial.limit <= before * 2)
                #expect(!hasEnded || trial.isEnded && trial.limit == before)
                #expect((trial.piece ?? 0) >= 0)
            }
            for _ in 0..<20 {
                now += .seconds(1)
                received += 1000
                trial.measured(received: received, missing: .max, isHeldBack: false, at: now)
            }
            #expect(trial.isEnded)
        }
    }
}
