// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PathWatchStateMachineTests {
    private static let routeCheck = PathWatchStateMachine.Action.checkRoutes(
        after: PathWatchStateMachine.routeCheckDelay)

    @Test("Nothing is reported before both monitors have reported a path", arguments: [true, false])
    func first(isGeneralFirst: Bool) {
        var machine = PathWatchStateMachine()
        let order: [PathWatchStateMachine.Monitor] = isGeneralFirst ? [.general, .tunnel] : [.tunnel, .general]
        #expect(machine.pathUpdated(order[0], to: .wifi, at: .zero) == [])
        #expect(!machine.isSettled && !machine.canAnswer)
        #expect(machine.pathUpdated(order[1], to: .wifi, at: .zero) == [.report, .answer, Self.routeCheck])
        #expect(machine.isSettled)
        #expect(machine.timeoutPassed() == [])
    }

    @Test("After the timeout the path to the internet is enough, and queries are answered without one")
    func timeout() {
        var machine = PathWatchStateMachine()
        #expect(machine.timeoutPassed() == [.answer])
        #expect(machine.canAnswer && !machine.isSettled)
        #expect(machine.pathUpdated(.general, to: .wifi, at: .seconds(1)) == [.report, .answer, Self.routeCheck])
        var late = PathWatchStateMachine()
        _ = late.pathUpdated(.general, to: .wifi, at: .zero)
        #expect(late.timeoutPassed() == [.report, .answer])
    }

    @Test("A loss is reported at once, and another change after it has settled")
    func changes() {
        var machine = PathWatchStateMachine()
        _ = machine.pathUpdated(.general, to: .wifi, at: .zero)
        _ = machine.pathUpdated(.tunnel, to: ApplePath(), at: .zero)
        #expect(machine.pathUpdated(.general, to: ApplePath(), at: .seconds(1)) == [.report])
        #expect(
            machine.pathUpdated(.general, to: .wifi, at: .seconds(1)) == [.checkAgain(after: .milliseconds(10))])
        #expect(machine.timerFired(at: .milliseconds(1010)) == [.report])
        // The routes of a tunnel may follow its path; of several changes one more check follows.
        #expect(machine.routeCheckDue() == [.report, Self.routeCheck])
        #expect(machine.routeCheckDue() == [.report])
    }

    @Test(
        "In any order of events, the last path is reported and no query waits after the timeout",
        arguments: UInt64(0)..<200)
    func anyOrder(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var machine = PathWatchStateMachine()
        var (now, timers, routeChecks) = (Duration.zero, 0, 0)
        var (isWaiting, isTimeoutDue) = (true, true)
        /// The paths at the last report.
        var reported: [PathWatchStateMachine.Monitor: ApplePath]?
        func apply(_ actions: [PathWatchStateMachine.Action]) {
            for action in actions {
                switch action {
                case .report: reported = machine.paths
                case .answer: isWaiting = false
                case .checkAgain: timers += 1
                case .checkRoutes: routeChecks += 1
                }
            }
            #expect(timers <= 1 && routeChecks <= 1)
        }
        for _ in 0..<60 {
            now += .milliseconds(Int(random.next() % 40))
            switch random.next() % 5 {
            case 0, 1:
                let path = random.next() % 2 == 0 ? ApplePath.wifi : ApplePath()
                apply(machine.pathUpdated(random.next() % 2 == 0 ? .general : .tunnel, to: path, at: now))
            case 2 where timers > 0:
                timers -= 1
                apply(machine.timerFired(at: now))
            case 3 where routeChecks > 0:
                routeChecks -= 1
                apply(machine.routeCheckDue())
            case 4 where isTimeoutDue:
                isTimeoutDue = false
                apply(machine.timeoutPassed())
            default: break
            }
            #expect(isWaiting != machine.canAnswer)
        }
        if isTimeoutDue { apply(machine.timeoutPassed()) }
        while timers + routeChecks > 0 {
            now += .seconds(1)
            if timers > 0 {
                timers -= 1
                apply(machine.timerFired(at: now))
            } else {
                routeChecks -= 1
                apply(machine.routeCheckDue())
            }
        }
        #expect(!isWaiting)
        if machine.isSettled { #expect(reported == machine.paths) }
    }
}

/// A small generator of repeatable random numbers.
private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
