// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghURLSession
import Testing

@Suite("BackgroundTransferStateMachine: calls that end before their transfers", .timeLimit(.minutes(5)))
struct BackgroundTransferStateMachineTests {
    private typealias Machine = BackgroundTransferStateMachine

    private let id = UUID()
    private let url = "https://a.test/file"

    private func task(_ number: Int) -> BackgroundSessionTask {
        BackgroundSessionTask(number: number, id: id, url: url)
    }

    private func request(_ call: Int, isKept: Bool = false) -> Machine.Event {
        .requested(id, call: call, url: url, key: nil, isKept: isKept, isRestored: false)
    }

    private func cancelled(_ call: Int) -> Machine.Action { .finish(call: call, .failed(.cancelled)) }

    @Test("A caller that closes leaves the task to the next call; one that cancels stops it", arguments: [true, false])
    func abandoned(continues: Bool) {
        var machine = Machine()
        _ = machine.handle(.listed([]))
        #expect(machine.handle(request(1)) == [.start(id, call: 1)])
        _ = machine.handle(.started(task(1)))
        let actions = machine.handle(.abandoned(id, call: 1, continues: continues))
        #expect(actions == (continues ? [cancelled(1)] : [cancelled(1), .stop(task(1))]))
        #expect(machine.handle(request(2)) == (continues ? [] : [.wait(task(1))]))
        #expect(machine.call(for: id) == 2)
    }

    @Test("A call that is cancelled before it is made stops a task of an earlier process", arguments: [true, false])
    func cancelledEarly(continues: Bool) {
        var machine = Machine()
        _ = machine.handle(.listed([task(1)]))
        #expect(machine.handle(.abandoned(id, call: 1, continues: continues)).isEmpty)
        #expect(machine.handle(request(1)) == (continues ? [cancelled(1)] : [cancelled(1), .stop(task(1))]))
    }

    @Test("A paused transfer stops the task that an earlier caller has left, also before the tasks are listed")
    func paused() {
        var machine = Machine()
        _ = machine.handle(.listed([task(1)]))
        #expect(machine.handle(.paused(id)) == [.stop(task(1))])
        #expect(machine.handle(.paused(id)).isEmpty)
        machine = Machine()
        #expect(machine.handle(.paused(id)).isEmpty)
        #expect(machine.handle(.listed([task(1)])) == [.stop(task(1))])
        machine = Machine()
        _ = machine.handle(.paused(id))
        _ = machine.handle(request(1))
        #expect(machine.handle(.listed([task(1)])).isEmpty && machine.call(for: id) == 1)
    }

    @Test("Settling the first response of a transfer does not remove the second one")
    func settledLate() {
        var machine = Machine()
        _ = machine.handle(.listed([]))
        for number in 1...2 {
            #expect(machine.handle(request(number)) == [.start(id, call: number)])
            _ = machine.handle(.started(task(number)))
            guard number == 1 else { break }
            #expect(machine.handle(.arrived(task(1))) == [.keep(task(1))])
            #expect(machine.handle(.kept(task(1), nil)) == [.finish(call: 1, .kept)])
        }
        _ = machine.handle(.abandoned(id, call: 2, continues: true))
        #expect(machine.handle(.settled(id)).isEmpty)
        #expect(machine.handle(.arrived(task(2))) == [.keep(task(2))])
    }
}
