// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SingleFlightStateMachineTests {
    @Test("The first refusal starts a run, the next joins it, and new requests wait")
    func joining() {
        var machine = SingleFlightStateMachine()
        #expect(machine.entered() == .pass(epoch: 0))
        #expect(machine.refused(in: 0) == .start(run: 1, waiter: 1))
        #expect(machine.refused(in: 0) == .join(waiter: 2))
        #expect(machine.entered() == .wait(waiter: 3))
        #expect(machine.ended(1) == [1, 2, 3])
        #expect(machine.entered() == .pass(epoch: 1))
    }

    @Test("A refusal of a request sent before the last run ended starts no new run")
    func late() {
        var machine = SingleFlightStateMachine()
        _ = machine.refused(in: 0)
        _ = machine.ended(1)
        #expect(machine.refused(in: 0) == .past)
        #expect(machine.refused(in: 1) == .start(run: 2, waiter: 2))
    }

    @Test("A run continues while it has waiters, and can be abandoned after the last one left")
    func leaving() {
        var machine = SingleFlightStateMachine()
        _ = machine.refused(in: 0)
        _ = machine.entered()
        #expect(machine.left(1) == .none)
        #expect(machine.isRunning(1))
        #expect(machine.left(2) == .alone)
        #expect(machine.isRunning(1))
        // A caller returns in time, so the run is not abandoned, and leaves later.
        #expect(machine.refused(in: 0) == .join(waiter: 3))
        var isStopped = machine.abandoned(after: 2)
        #expect(!isStopped)
        #expect(machine.left(3) == .alone)
        isStopped = machine.abandoned(after: 2)
        #expect(!isStopped)
        isStopped = machine.abandoned(after: 3)
        #expect(isStopped)
        #expect(!machine.isRunning(1))
        // Nothing was decided, so the next refusal of the epoch starts a new run; the late end has no waiters.
        #expect(machine.refused(in: 0) == .start(run: 2, waiter: 4))
        #expect(machine.ended(1) == nil)
        #expect(machine.epoch == 0)
        #expect(machine.left(1) == .none)
    }

    @Test("At most one run is active and every waiter is notified or has left, in any order of events")
    func orders() {
        for seed in UInt64(1)...2_000 {
            var generator = SeededNumbers(seed)
            var machine = SingleFlightStateMachine()
            var waiting: Set<Int> = []
            var running: Int?
            var sent: [Int] = []
            for _ in 0..<40 {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    switch machine.entered() {
                    case .pass(let epoch):
                        #expect(running == nil)
                        sent.append(epoch)
                    case .wait(let waiter):
                        #expect(running != nil)
                        #expect(waiting.insert(waiter).inserted)
                    }
                case 1:
                    guard let epoch = sent.randomElement(using: &generator) else { continue }
                    switch machine.refused(in: epoch) {
                    case .start(let run, let waiter):
                        #expect(running == nil && epoch == machine.epoch)
                        running = run
                        waiting.insert(waiter)
                    case .join(let waiter):
                        #expect(running != nil)
                        waiting.insert(waiter)
                    case .past: #expect(running == nil && epoch < machine.epoch)
                    }
                case 2:
                    guard let waiter = waiting.randomElement(using: &generator) else { continue }
                    waiting.remove(waiter)
                    let isAlone = machine.left(waiter) == .alone
                    #expect(isAlone == waiting.isEmpty)
                    guard isAlone, Bool.random(using: &generator) else { continue }
                    let isStopped = machine.abandoned(after: waiter)
                    #expect(isStopped)
                    running = nil
                default:
                    guard let run = running else { continue }
                    #expect(machine.ended(run) == waiting)
                    (running, waiting) = (nil, [])
                }
            }
        }
    }
}
