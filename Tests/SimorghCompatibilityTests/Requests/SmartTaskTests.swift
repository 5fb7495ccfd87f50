// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SmartTaskTests {
    /// A task that waits at a gate, and a stream of the values that its completion received.
    struct Fixture {
        let gate = Gate()
        let begun: AsyncStream<Void>
        let ended: AsyncStream<Bool>
        let completed: AsyncStream<String>
        let make: @Sendable () -> SmartTask

        init() {
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let (ended, end) = AsyncStream<Bool>.makeStream()
            let (completed, complete) = AsyncStream<String>.makeStream()
            (self.begun, self.ended, self.completed) = (begun, ended, completed)
            make = { [gate] in
                SmartTask(on: .immediate) {
                    begin.yield()
                    let wasCancelled = (try? await gate.wait()) == nil
                    end.yield(wasCancelled)
                    return wasCancelled ? "cancelled inside" : "done"
                } cancelled: {
                    "cancelled"
                } completion: { value in
                    complete.yield(value)
                    complete.finish()
                }
            }
        }
    }

    @Test("SMA10: a released task is cancelled, and its completion is not called")
    func dropped() async {
        let fixture = Fixture()
        var task: SmartTask? = fixture.make().start()
        await fixture.begun.first { true }
        #expect(task != nil)
        task = nil
        let wasCancelled = await fixture.ended.first { _ in true }
        #expect(wasCancelled == true)
        // A second task shares the stream: if the released task's completion had been called, its value would be first.
        let later = fixture.make().start()
        await fixture.begun.first { true }
        fixture.gate.open()
        let only = await fixture.completed.first { _ in true }
        #expect(only == "done")
        withExtendedLifetime(later) {}
    }

    @Test("SMA10: a detached task runs to its end without being retained")
    func detached() async {
        let fixture = Fixture()
        fixture.make().detach().start()
        await fixture.begun.first { true }
        fixture.gate.open()
        #expect(await fixture.completed.first { _ in true } == "done")
    }

    @Test("A detached, deferred task survives being released before its start")
    func deferredDetached() async {
        let fixture = Fixture()
        fixture.gate.open()
        fixture.make().detach().deferredStart(in: .queue(.global()))
        #expect(await fixture.completed.first { _ in true } == "done")
    }

    @Test("SMA10: a deferred task that is detached afterwards survives being released before its start")
    func detachedAfterDeferral() async {
        let fixture = Fixture()
        fixture.gate.open()
        let queue = DispatchQueue(label: "simorgh.tests.deferred")
        queue.suspend()
        fixture.make().deferredStart(in: .queue(queue)).detach()
        queue.resume()
        #expect(await fixture.completed.first { _ in true } == "done")
    }

    @Test("A deferred task that is released before its turn never starts")
    func deferredDropped() async {
        let runs = Counter()
        let queue = DispatchQueue(label: "simorgh.tests.deferred")
        queue.suspend()
        SmartTask(on: .immediate) {
            runs.next()
        } cancelled: {
            0
        } completion: { _ in
        }
        .deferredStart(in: .queue(queue))
        queue.resume()
        await withCheckedContinuation { done in queue.async { done.resume() } }
        #expect(runs.count == 0)
    }

    @Test(
        "A finished task retains nothing, so its completion may retain the owner of the task",
        arguments: [true, false])
    func noCycle(isCancelled: Bool) async throws {
        final class Screen: Sendable {
            let task = Mutex<SmartTask?>(nil)
            let gone: Gate
            init(_ gone: Gate) { self.gone = gone }
            deinit { gone.open() }
        }
        let (gone, completed) = (Gate(), Gate())
        do {
            let screen = Screen(gone)
            let task = SmartTask(on: .immediate) {
                1
            } cancelled: {
                2
            } completion: { _ in
                withExtendedLifetime(screen) { completed.open() }
            }
            screen.task.withLock { $0 = task }
            if isCancelled { task.cancel() } else { task.start() }
        }
        try await completed.wait()
        try await gone.wait()
    }

    @Test("Cancelling calls the completion once with a failure, and stops the work")
    func cancelled() async {
        let fixture = Fixture()
        let task = fixture.make().start()
        await fixture.begun.first { true }
        task.cancel()
        task.cancel()
        #expect(await fixture.ended.first { _ in true } == true)
        #expect(await fixture.completed.first { _ in true } == "cancelled")
    }

    @Test("A task that is cancelled before its start never runs")
    func cancelledFirst() async {
        let fixture = Fixture()
        let runs = Counter()
        let task = SmartTask(on: .immediate) {
            runs.next()
            return 1
        } cancelled: {
            2
        } completion: { _ in
        }
        task.cancel()
        task.start()
        let other = fixture.make().start()
        await fixture.begun.first { true }
        #expect(runs.count == 0)
        withExtendedLifetime(other) {}
    }

    @Test("A task runs once, however often it is started")
    func once() async {
        let runs = Counter()
        let (completed, complete) = AsyncStream<Int>.makeStream()
        let task = SmartTask(on: .immediate) {
            runs.next()
        } cancelled: {
            0
        } completion: {
            complete.yield($0)
        }
        task.start()
        task.start()
        task.deferredStart(in: .immediate)
        #expect(await completed.first { _ in true } == 1)
        task.start()
        #expect(runs.count == 1)
    }
}
