// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghURLSession
import TestSupport
import Testing

@Suite("TaskSuspensionStateMachine", .timeLimit(.minutes(5)))
struct TaskSuspensionTests {
    @Test("A decision during the calls of another thread is left to that thread, which ends with the last decision")
    func otherThread() {
        var machine = TaskSuspensionStateMachine()
        #expect(machine.wants(true) == true)
        // The reader catches up before the first thread has suspended the task.
        #expect(machine.wants(false) == false)
        #expect(machine.next() == nil)

        #expect(machine.wants(true) == true)
        #expect(machine.next() == true)
        #expect(machine.wants(false) == false)
        #expect(machine.next() == false)
        #expect(machine.next() == nil)
        #expect(machine.wants(false) == false)
    }

    @Test(
        "Decisions in any order are made by one thread at a time, and the last one counts", arguments: UInt64(0)..<100)
    func anyOrder(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        var machine = TaskSuspensionStateMachine()
        var (isWanted, isSuspended, isApplying) = (false, false, false)
        func step() {
            guard isApplying else { return }
            guard let next = machine.next() else {
                isApplying = false
                return
            }
            #expect(next != isSuspended)
            isSuspended = next
        }
        for _ in 0..<50 {
            if numbers.next() % 2 == 0 {
                isWanted = numbers.next() % 2 == 0
                if machine.wants(isWanted) {
                    #expect(!isApplying)
                    isApplying = true
                }
            } else {
                step()
            }
        }
        while isApplying { step() }
        #expect(isSuspended == isWanted)
    }
}
