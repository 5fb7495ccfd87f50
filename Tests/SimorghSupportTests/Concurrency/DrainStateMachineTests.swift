// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DrainStateMachineTests {
    typealias Kind = DrainStateMachine.Kind

    @Test(
        "Before a drain every operation enters, and its end signals nothing",
        arguments: [Kind.call, .stream, .eventSource])
    func open(kind: Kind) {
        var machine = DrainStateMachine()
        let enters = machine.enter(kind, isNested: false)
        #expect(enters)
        #expect(machine.isIdle == (kind == .eventSource))
        let isSignaled = machine.leave(kind)
        #expect(!isSignaled && machine.isIdle)
    }

    @Test(
        "During a drain only a nested call or stream enters, while an operation runs", arguments: [Kind.call, .stream])
    func draining(kind: Kind) {
        var machine = DrainStateMachine()
        _ = machine.enter(.call, isNested: false)
        let begins = [machine.begin(), machine.begin()]
        #expect(begins == [true, false])
        let enters = [
            machine.enter(kind, isNested: false), machine.enter(.eventSource, isNested: true),
            machine.enter(kind, isNested: true),
        ]
        #expect(enters == [false, false, true])
        let signals = [machine.leave(.call), machine.leave(kind)]
        #expect(signals == [false, true])
        let isLate = machine.enter(kind, isNested: true)
        #expect(!isLate, "the running operation has ended")
    }

    @Test("An event source is counted, and no drain waits for it")
    func eventSources() {
        var machine = DrainStateMachine()
        _ = machine.enter(.eventSource, isNested: false)
        _ = machine.begin()
        #expect(machine.eventSources == 1 && machine.isIdle)
    }

    @Test("A request of a download queue is not awaited, and not admitted during a drain")
    func downloads() {
        var machine = DrainStateMachine()
        let enters = machine.enter(.download, isNested: false)
        _ = machine.begin()
        let isLate = machine.enter(.download, isNested: true)
        #expect(enters && !isLate && machine.isIdle)
        #expect(machine.calls == 0 && machine.streams == 0 && machine.eventSources == 0)
    }

    @Test("After a drain nothing enters")
    func over() {
        var machine = DrainStateMachine()
        _ = machine.enter(.call, isNested: false)
        _ = machine.begin()
        let ends = [machine.end(), machine.end()]
        #expect(ends == [true, false])
        let enters = machine.enter(.call, isNested: true)
        #expect(!enters)
        #expect(machine.calls == 1)
    }

    @Test("In any order of events, the counts are those of the operations that entered", arguments: 0..<200)
    func random(seed: UInt64) {
        var numbers = SeededNumbers(seed + 1)
        var machine = DrainStateMachine()
        var running: [Kind] = []
        var phase = DrainStateMachine.Phase.open
        for _ in 0..<300 {
            switch Int.random(in: 0..<20, using: &numbers) {
            case 0 where phase == .open && Bool.random(using: &numbers):
                phase = .draining
                let isFirst = machine.begin()
                #expect(isFirst)
            case 1 where phase == .draining && Int.random(in: 0..<10, using: &numbers) == 0:
                phase = .over
                let isFirst = machine.end()
                #expect(isFirst)
            case 2...10 where !running.isEmpty:
                let kind = running.remove(at: Int.random(in: 0..<running.count, using: &numbers))
                let isSignaled = machine.leave(kind)
                #expect(isSignaled == (phase != .open && running.allSatisfy { $0 == .eventSource }), "seed \(seed)")
            default:
                let kind = [Kind.call, .stream, .eventSource][Int.random(in: 0..<3, using: &numbers)]
                let isNested = Bool.random(using: &numbers)
                let isBusy = !running.allSatisfy { $0 == .eventSource }
                let enters = machine.enter(kind, isNested: isNested)
                let isExpected =
                    phase == .open || phase == .draining && kind != .eventSource && isNested && isBusy
                #expect(enters == isExpected, "seed \(seed)")
                if enters { running.append(kind) }
            }
            #expect(machine.calls == running.count { $0 == .call }, "seed \(seed)")
            #expect(machine.streams == running.count { $0 == .stream }, "seed \(seed)")
            #expect(machine.eventSources == running.count { $0 == .eventSource }, "seed \(seed)")
        }
    }
}
