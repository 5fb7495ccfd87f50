// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import SimorghRealtime
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MessageReceptionStateMachineTests {
    private typealias Machine = MessageReceptionStateMachine

    @Test("A message over the limit fails for a caller of whole messages, and is delivered in fragments to others")
    func choices() {
        var machine = Machine()
        #expect(machine.limitExceeded(choice: .whole, isOpen: true) == .fail)
        #expect(machine.limitExceeded(choice: .fragments, isOpen: true) == .deliverFragments)
        #expect(machine.state == .whole)
    }

    @Test("A message over the limit without a caller stops reading until a caller checks the limit again")
    func undecided() {
        var machine = Machine()
        #expect(machine.limitExceeded(choice: .none, isOpen: true) == .none)
        #expect(machine.state == .undecided)
        #expect(machine.callerArrived(choice: .fragments, isInMessage: true) == .checkLimit)
        #expect(machine.state == .whole)
    }

    @Test("A caller that wants fragments gets the current message so, or else the next one alone")
    func fragments() {
        var machine = Machine()
        #expect(machine.callerArrived(choice: .fragments, isInMessage: true) == .deliverFragments)
        #expect(machine.state == .whole)
        #expect(machine.callerArrived(choice: .fragments, isInMessage: false) == .none)
        #expect(machine.state == .nextInFragments)
        #expect(machine.messageBegan() == true)
        #expect(machine.messageBegan() == false)
    }

    @Test(
        "A caller that wants a whole message, or has left, changes nothing",
        arguments: [MessageReceptionStateMachine.Choice.whole, .none])
    func wholeCaller(choice: MessageReceptionStateMachine.Choice) {
        var machine = Machine()
        #expect(machine.callerArrived(choice: choice, isInMessage: true) == .none)
        #expect(machine.state == .whole)
    }

    @Test("After the close frame a message over the limit is discarded, and so is one that waits for a decision")
    func closing() {
        var machine = Machine()
        #expect(machine.closeFrameSent() == .none)
        #expect(machine.limitExceeded(choice: .none, isOpen: true) == .none)
        #expect(machine.closeFrameSent() == .discard)
        #expect(machine.state == .discarding)
        var other = Machine()
        #expect(other.limitExceeded(choice: .fragments, isOpen: false) == .discard)
        #expect(other.state == .discarding)
    }

    @Test("Once messages are discarded, no caller and no end of reading changes that")
    func discarding() {
        var machine = Machine()
        #expect(machine.discard() == .discard)
        #expect(machine.callerArrived(choice: .fragments, isInMessage: false) == .none)
        machine.stopped()
        #expect(machine.state == .discarding)
        #expect(machine.messageBegan() == false)
    }

    @Test("The end of reading leaves no decision outstanding")
    func stopped() {
        var machine = Machine()
        _ = machine.limitExceeded(choice: .none, isOpen: true)
        machine.stopped()
        #expect(machine.state == .whole)
    }
}
