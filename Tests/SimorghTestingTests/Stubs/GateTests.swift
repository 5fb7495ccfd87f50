// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct GateTests {
    @Test("All who wait go on when the gate is opened, and nobody waits after that")
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

    @Test("A cancelled wait throws, whether it had begun or not, and leaves nothing behind", arguments: [true, false])
    func cancelled(begun: Bool) async throws {
        let gate = Gate()
        let wait = Task { try await gate.wait() }
        if begun { try await gate.waiting() }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        #expect(gate.waitingCount == 0)
    }

    @Test("Whoever waits for those at the gate goes on when there are so many, and not one sooner")
    func waiting() async throws {
        let (gate, isThere) = (Gate(), Kept(false))
        let watch = Task {
            try await gate.waiting(3)
            isThere.change { $0 = true }
        }
        var waits: [Task<Void, any Error>] = []
        for count in 1...2 {
            waits.append(Task { try await gate.wait() })
            try await gate.waiting(count)
        }
        await letOthersRun()
        #expect(!isThere.value)
        waits.append(Task { try await gate.wait() })
        try await watch.value
        #expect(gate.waitingCount == 3)
        gate.open()
        for wait in waits { try await wait.value }
    }

    @Test("At an open gate nobody waits, and a wait for it ends when it is cancelled", arguments: [true, false])
    func waitingInVain(isOpen: Bool) async throws {
        let gate = Gate(isOpen: isOpen)
        if isOpen { try await gate.wait() }
        let watch = Task { try await gate.waiting() }
        await letOthersRun()
        watch.cancel()
        await #expect(throws: CancellationError.self) { try await watch.value }
    }

    @Test("Opening and cancelling at once ends every wait one way or the other")
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
