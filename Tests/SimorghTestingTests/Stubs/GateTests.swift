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
        try await eventually { gate.waitingCount >= 10 }
        #expect(!gate.isOpen)
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
        try await eventually { !begun || gate.waitingCount > 0 }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        #expect(gate.waitingCount == 0)
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
