// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct GateTests {
    @Test("open() resumes all waiters, and later waits return at once")
    func opens() async throws {
        let gate = Gate()
        let waits = (0..<10).map { _ in Task { try await gate.wait() } }
        try await gate.waiting(10)
        #expect(!gate.isOpen && gate.waitingCount == 10)
        gate.open()
        gate.open()
        for wait in waits { try await wait.value }
        try await gate.wait()
        #expect(Gate(isOpen: true).isOpen)
    }

    @Test("A cancelled wait throws, before and after it started, and leaves no waiter", arguments: [true, false])
    func cancelled(begun: Bool) async throws {
        let gate = Gate()
        let wait = Task { try await gate.wait() }
        if begun { try await gate.waiting() }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        #expect(gate.waitingCount == 0)
    }

    @Test("waiting(_:) returns as soon as the given number of tasks wait, and no sooner")
    func waiting() async throws {
        let (gate, isThere) = (Gate(), LockedValue(false))
        let watch = Task {
            try await gate.waiting(3)
            isThere.change { $0 = true }
        }
        var waits: [Task<Void, any Error>] = []
        for count in 1...2 {
            waits.append(Task { try await gate.wait() })
            try await gate.waiting(count)
        }
        await yieldToOthers()
        #expect(!isThere.value)
        waits.append(Task { try await gate.wait() })
        try await watch.value
        #expect(gate.waitingCount == 3)
        gate.open()
        for wait in waits { try await wait.value }
    }

    @Test(
        "waiting() lasts until it is cancelled if no task waits, at an open or a closed gate", arguments: [true, false])
    func waitingInVain(isOpen: Bool) async throws {
        let gate = Gate(isOpen: isOpen)
        if isOpen { try await gate.wait() }
        let watch = Task { try await gate.waiting() }
        await yieldToOthers()
        watch.cancel()
        await #expect(throws: CancellationError.self) { try await watch.value }
    }

    @Test("Opening and cancelling concurrently ends every wait")
    func races() async throws {
        for _ in 0..<500 {
            let gate = Gate()
            let wait = Task { try await gate.wait() }
            let opening = Task { gate.open() }
            wait.cancel()
            await opening.value
            _ = await wait.result
            #expect(gate.waitingCount == 0)
        }
    }
}
