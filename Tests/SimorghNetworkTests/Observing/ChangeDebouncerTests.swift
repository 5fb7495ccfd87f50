// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChangeDebouncerTests {
    @Test("A single change is checked after 10 ms")
    func one() {
        var settling = ChangeDebouncer()
        #expect(settling.changed(at: .milliseconds(100)) == .milliseconds(10))
        #expect(settling.timerFired(at: .milliseconds(110)) == nil)
        #expect(!settling.isUnsettled)
    }

    @Test("A burst is checked 10 ms after its last change")
    func burst() {
        var settling = ChangeDebouncer()
        #expect(settling.changed(at: .zero) == .milliseconds(10))
        #expect(settling.changed(at: .milliseconds(4)) == nil)
        #expect(settling.changed(at: .milliseconds(9)) == nil)
        #expect(settling.timerFired(at: .milliseconds(10)) == .milliseconds(9))
        #expect(settling.timerFired(at: .milliseconds(19)) == nil)
        #expect(settling.changed(at: .milliseconds(20)) == .milliseconds(10))
    }

    @Test("An endless burst is checked every 50 ms")
    func endless() {
        var settling = ChangeDebouncer()
        var looks: [Duration] = []
        var next: Duration?
        for time in (0..<200).map({ Duration.milliseconds($0) }) {
            if let due = next, due <= time {
                next = settling.timerFired(at: time).map { time + $0 }
                if next == nil { looks.append(time) }
            }
            if let delay = settling.changed(at: time) { next = time + delay }
        }
        #expect(looks.count == 3)
        for (one, other) in zip(looks, looks.dropFirst()) { #expect(other - one <= .milliseconds(51)) }
    }

    @Test("A possible loss is checked at once, and in a burst at most a tenth of the time")
    func losses() {
        var settling = ChangeDebouncer()
        #expect(settling.lossSuspected(at: .milliseconds(100)) == .zero)
        // While it is looked for.
        #expect(settling.lossSuspected(at: .milliseconds(100)) == nil)
        settling.didCheckForLoss(at: .milliseconds(101), taking: .milliseconds(1))
        #expect(settling.lossSuspected(at: .milliseconds(103)) == .milliseconds(8))
        #expect(settling.lossSuspected(at: .milliseconds(104)) == nil)
        settling.didCheckForLoss(at: .milliseconds(300), taking: .milliseconds(200))
        #expect(settling.lossSuspected(at: .milliseconds(320)) == .milliseconds(30))
        settling.didCheckForLoss(at: .milliseconds(350), taking: .zero)
        #expect(settling.lossSuspected(at: .milliseconds(350)) == .zero)
    }

    @Test("A slow check delays the next, tenfold and by at most 500 ms")
    func rests() {
        var settling = ChangeDebouncer()
        settling.didQuery(at: .milliseconds(100), taking: .milliseconds(5))
        #expect(settling.changed(at: .milliseconds(110)) == .milliseconds(10))
        #expect(settling.timerFired(at: .milliseconds(120)) == .milliseconds(30))
        #expect(settling.timerFired(at: .milliseconds(150)) == nil)
        settling.didQuery(at: .milliseconds(500), taking: .milliseconds(300))
        _ = settling.changed(at: .milliseconds(510))
        #expect(settling.timerFired(at: .milliseconds(520)) == .milliseconds(480))
    }
}
