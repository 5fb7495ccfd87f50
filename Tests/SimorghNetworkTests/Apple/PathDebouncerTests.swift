// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PathDebouncerTests {
    /// Returns one that has reported connected or disconnected.
    private static func reported(_ isConnected: Bool) -> PathDebouncer {
        var settling = PathDebouncer()
        _ = settling.pathUpdated(isConnected: isConnected, isFirst: true, at: .zero)
        return settling
    }

    @Test("The first status is reported at once", arguments: [true, false])
    func first(isConnected: Bool) {
        var settling = PathDebouncer()
        #expect(settling.pathUpdated(isConnected: isConnected, isFirst: true, at: .zero) == .report)
        #expect(settling.pathUpdated(isConnected: isConnected, isFirst: true, at: .zero) == .report)
    }

    @Test("A loss is reported at once, a return after it has been stable for 10 ms")
    func loss() {
        var settling = Self.reported(true)
        #expect(settling.pathUpdated(isConnected: false, isFirst: false, at: .seconds(1)) == .report)
        #expect(
            settling.pathUpdated(isConnected: true, isFirst: false, at: .milliseconds(1002)) == .wait(.milliseconds(10))
        )
        #expect(settling.timerFired(at: .milliseconds(1012)) == .report)
    }

    @Test("A return that is lost again within 10 ms is not reported")
    func flap() {
        var settling = Self.reported(false)
        #expect(settling.pathUpdated(isConnected: true, isFirst: false, at: .seconds(1)) == .wait(.milliseconds(10)))
        #expect(settling.pathUpdated(isConnected: false, isFirst: false, at: .milliseconds(1005)) == .nothing)
        #expect(settling.timerFired(at: .milliseconds(1010)) == .wait(.milliseconds(5)))
        #expect(settling.timerFired(at: .milliseconds(1015)) == .report)
    }

    @Test("A burst is reported after 10 ms of silence, and after 50 ms at the latest")
    func burst() {
        var settling = Self.reported(true)
        #expect(settling.pathUpdated(isConnected: true, isFirst: false, at: .zero) == .wait(.milliseconds(10)))
        var due = Duration.milliseconds(10)
        var reported: Duration?
        for time in (1...100).map({ Duration.milliseconds($0) }) where reported == nil {
            #expect(settling.pathUpdated(isConnected: true, isFirst: false, at: time) == .nothing)
            guard time == due else { continue }
            switch settling.timerFired(at: time) {
            case .wait(let delay): due = time + delay
            case .report: reported = time
            case .nothing: Issue.record("no further check was scheduled")
            }
        }
        #expect(reported == .milliseconds(50))
    }
}
