// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization
import TestSupport
import Testing

@Suite("Waiter", .timeLimit(.minutes(5)))
struct WaiterTests {
    @Test("The first result wins, and a later one is dropped")
    func first() async throws {
        let waiter = Waiter<Int, any Error>()
        #expect(waiter.settle(.success(1)))
        #expect(!waiter.settle(.success(2)))
        #expect(try await waiter.value() == 1)
        #expect(!waiter.settle(.success(3)))
    }

    @Test("A result ends a wait in progress")
    func later() async throws {
        let waiter = Waiter<Int, any Error>()
        async let value = waiter.value()
        while !waiter.isWaiting { await Task.yield() }
        #expect(waiter.settle(.success(1)))
        #expect(try await value == 1)
    }

    @Test("A cancelled task stops waiting and calls onCancel once", arguments: [true, false])
    func cancelled(early: Bool) async {
        let waiter = Waiter<Int, any Error>()
        let cancellations = Atomic(0)
        let task = Task {
            while early, !Task.isCancelled { await Task.yield() }
            return try await waiter.value { cancellations.add(1, ordering: .relaxed) }
        }
        while !early, !waiter.isWaiting { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(cancellations.load(ordering: .relaxed) == 1)
        #expect(!waiter.settle(.success(1)))
    }

    @Test("A task cancelled after the result still gets the result")
    func tooLate() async throws {
        let waiter = Waiter<Int, any Error>()
        waiter.settle(.success(1))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await waiter.value()
        }
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test("If a result and a cancellation race, one wins and the task always resumes", arguments: 0..<200)
    func race(_: Int) async {
        let waiter = Waiter<Int, any Error>()
        let cancellations = Atomic(0)
        let task = Task { try await waiter.value { cancellations.add(1, ordering: .relaxed) } }
        async let settled = waiter.settle(.success(1))
        task.cancel()
        let value = try? await task.value
        let wasFirst = await settled
        #expect((value == 1) == wasFirst)
        if !wasFirst { #expect(cancellations.load(ordering: .relaxed) == 1) }
    }
}
