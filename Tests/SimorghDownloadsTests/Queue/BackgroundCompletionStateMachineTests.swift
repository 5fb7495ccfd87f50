// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghDownloads
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BackgroundCompletionStateMachineTests {
    private typealias Completion = BackgroundCompletionStateMachine.Completion

    @Test("The handler is called once, whichever comes first: the handler or the delivery")
    func order() {
        var machine = BackgroundCompletionStateMachine()
        #expect(machine.handlerChanged(isSet: true, at: .zero) == Completion())
        #expect(machine.eventsHandled(at: .seconds(1)) == Completion(callsHandler: true))
        #expect(machine.eventsHandled(at: .seconds(2)) == Completion())
        #expect(machine.handlerChanged(isSet: true, at: .seconds(3)) == Completion(callsHandler: true))
        #expect(machine.handlerChanged(isSet: true, at: .seconds(4)) == Completion())
    }

    @Test("A delivery of long ago does not answer a new handler, which waits for its own delivery")
    func late() {
        var machine = BackgroundCompletionStateMachine()
        #expect(machine.eventsHandled(at: .zero) == Completion())
        #expect(machine.handlerChanged(isSet: true, at: .seconds(31)) == Completion())
        #expect(machine.eventsHandled(at: .seconds(32)) == Completion(callsHandler: true))
    }

    @Test("Waiting calls and the handler are served by the same delivery; a removed handler is not called")
    func waiters() {
        var machine = BackgroundCompletionStateMachine()
        #expect(machine.wait(1, at: .zero) == Completion())
        #expect(machine.wait(2, at: .zero) == Completion())
        #expect(machine.cancel(2) && !machine.cancel(2))
        #expect(machine.handlerChanged(isSet: true, at: .zero) == Completion())
        #expect(machine.handlerChanged(isSet: false, at: .zero) == Completion())
        #expect(machine.eventsHandled(at: .zero) == Completion(waiters: [1]))
    }

    @Test("In any order, no handler is called twice, and each one set before a delivery is called", arguments: 1...50)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed)
        var machine = BackgroundCompletionStateMachine()
        var isSet = false
        for step in 0..<200 {
            let now = Duration.seconds(step)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let completion = machine.eventsHandled(at: now)
                #expect(completion.callsHandler == isSet)
                isSet = false
            case 1:
                isSet = !machine.handlerChanged(isSet: true, at: now).callsHandler
            default:
                #expect(!machine.handlerChanged(isSet: false, at: now).callsHandler)
                isSet = false
            }
        }
    }

    @Test("A cancelled wait returns, and an already handled delivery is not waited for")
    func waiting() async {
        let completion = BackgroundCompletion(time: .system)
        let task = Task { await completion.wait() }
        task.cancel()
        await task.value
        #expect(!completion.eventsHandled())
        await completion.wait()
        let next = Task { await completion.wait() }
        while !next.isCancelled {
            await Task.yield()
            if completion.eventsHandled() { break }
            next.cancel()
        }
        await next.value
    }
}
