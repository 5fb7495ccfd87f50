// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PathDebouncerTests {
    /// One that was told that there is a way, or none.
    private static func told(_ isConnected: Bool) -> PathDebouncer {
        var settling = PathDebouncer()
        _ = settling.pathUpdated(isConnected: isConnected, isFirst: true, at: .zero)
        return settling
    }

    @Test("What a monitor says first is told at once", arguments: [true, false])
    func first(isConnected: Bool) {
        var settling = PathDebouncer()
        #expect(settling.pathUpdated(isConnected: isConnected, isFirst: true, at: .zero) == .tell)
        #expect(settling.pathUpdated(isConnected: isConnected, isFirst: true, at: .zero) == .tell)
    }

    @Test("The loss of the way is told at once, and its return when it has settled")
    func loss() {
        var settling = Self.told(true)
        #expect(settling.pathUpdated(isConnected: false, isFirst: false, at: .seconds(1)) == .tell)
        #expect(settling.pathUpdated(isConnected: true, isFirst: false, at: .milliseconds(1002)) == .wait(.milliseconds(10)))
        #expect(settling.timerFired(at: .milliseconds(1012)) == .tell)
    }

    @Test("A way that is there and gone again before it has settled is not told as there")
    func flap() {
        var settling = Self.told(false)
        #expect(settling.pathUpdated(isConnected: true, isFirst: false, at: .seconds(1)) == .wait(.milliseconds(10)))
        #expect(settling.pathUpdated(isConnected: false, isFirst: false, at: .milliseconds(1005)) == .nothing)
        #expect(settling.timerFired(at: .milliseconds(1010)) == .wait(.milliseconds(5)))
        #expect(settling.timerFired(at: .milliseconds(1015)) == .tell)
    }

    @Test("A burst is told when it has been quiet for 10 ms, and after 50 ms in any case")
    func burst() {
        var settling = Self.told(true)
        #expect(settling.pathUpdated(isConnected: true, isFirst: false, at: .zero) == .wait(.milliseconds(10)))
        var due = Duration.milliseconds(10)
        var told: Duration?
        for time in (1...100).map({ Duration.milliseconds($0) }) where told == nil {
            #expect(settling.pathUpdated(isConnected: true, isFirst: false, at: time) == .nothing)
            guard time == due else { continue }
            switch settling.timerFired(at: time) {
            case .wait(let delay): due = time + delay
            case .tell: told = time
            case .nothing: Issue.record("nobody asks again")
            }
        }
        #expect(told == .milliseconds(50))
    }
}
