// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghURLSession
import TestSupport
import Testing

extension SessionStateMachineTests {
    @Test("Each phase has a timeout that restarts with progress")
    func limits() {
        var machine = Self.machine(.collected(upTo: 100), upload: 10)
        #expect(machine.timeAdvanced(.seconds(2)).actions.isEmpty)
        machine.sent(5, at: .seconds(2))
        #expect(machine.timeAdvanced(.seconds(4)).actions.isEmpty)
        machine.sent(10, at: .seconds(4))
        #expect(machine.timeAdvanced(.seconds(8)).actions.isEmpty)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .seconds(8))
        #expect(machine.timeAdvanced(.seconds(10)).actions.isEmpty)
        #expect(Self.words(machine.timeAdvanced(.seconds(11)).actions) == ["fail timedOut body", "cancel"])
        #expect(machine.timeAdvanced(.seconds(12)).wait == nil)
    }

    @Test("The timeout of a later phase applies, even if the current phase has none")
    func laterLimit() {
        var machine = Self.machine(.collected(upTo: 100), upload: 10) {
            $0.options.timeouts = Self.noTimeouts
            $0.options.timeouts.head = .seconds(5)
        }
        #expect(machine.timeAdvanced(.seconds(100)).wait == .seconds(5))
        machine.sent(10, at: .seconds(101))
        #expect(Self.words(machine.timeAdvanced(.seconds(106)).actions) == ["fail timedOut head", "cancel"])

        var paused = Self.machine(.streamed, .apple, bound: 2) {
            $0.options.timeouts = Self.noTimeouts
            $0.options.timeouts.idle = .seconds(3)
        }
        _ = paused.responded(HTTPResponse(status: .ok), length: nil, at: .zero)
        #expect(Self.words(paused.received(Data(count: 3), at: .zero)) == ["pause"])
        #expect(paused.timeAdvanced(.seconds(60)).wait == .seconds(3))
    }

    @Test("Without timeouts nothing is checked, and a long timeout is checked once a day")
    func noLimit() {
        var machine = Self.machine(.streamed) { $0.options.timeouts = Self.noTimeouts }
        #expect(machine.timeAdvanced(.seconds(1)).wait == nil)
        var long = Self.machine(.streamed) {
            $0.options.timeouts = Self.noTimeouts
            $0.options.timeouts.total = .seconds(Int64.max)
        }
        #expect(long.timeAdvanced(.seconds(1)).wait == .seconds(86_400))
    }

    @Test("The total timeout applies to the whole exchange")
    func total() {
        var machine = Self.machine(.streamed)
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .seconds(1))
        for second in 2..<20 { _ = machine.received(Data(count: 0), at: .seconds(second)) }
        _ = machine.chunkRequested()
        _ = machine.received(Data(count: 1), at: .seconds(19))
        _ = machine.chunkRequested()
        #expect(Self.words(machine.timeAdvanced(.seconds(20)).actions) == ["fail body timedOut total", "cancel"])
    }

    @Test("A check that comes late, because the process was suspended, grants the session one more second")
    func suspended() {
        var machine = Self.machine(.collected(upTo: 10))
        #expect(machine.timeAdvanced(.zero).wait == .seconds(3))
        #expect(machine.timeAdvanced(.seconds(3)).wait == .seconds(2))
        var answered = machine
        let late = machine.timeAdvanced(.seconds(700))
        #expect(late.actions.isEmpty && late.wait == .seconds(1))
        #expect(Self.words(machine.timeAdvanced(.seconds(701)).actions) == ["fail timedOut head", "cancel"])
        // The response had arrived.
        _ = answered.timeAdvanced(.seconds(700))
        _ = answered.responded(HTTPResponse(status: .ok), length: nil, at: .seconds(700))
        _ = answered.received(Data(count: 3), at: .seconds(700))
        #expect(Self.words(answered.completed(nil)) == ["respond 200 3"])
    }

    @Test("The second is granted once, until there is progress or a check comes on time", arguments: [true, false])
    func alwaysLate(hasProgress: Bool) {
        var machine = Self.machine(.collected(upTo: 10)) {
            $0.options.timeouts = Self.noTimeouts
            $0.options.timeouts.idle = .seconds(3)
            $0.options.timeouts.total = .seconds(100)
        }
        _ = machine.responded(HTTPResponse(status: .ok), length: nil, at: .zero)
        _ = machine.timeAdvanced(.zero)
        #expect(machine.timeAdvanced(.seconds(10)).wait == .seconds(1))
        if hasProgress { _ = machine.received(Data(count: 1), at: .seconds(10)) }
        let late = machine.timeAdvanced(.seconds(20))
        #expect(Self.words(late.actions) == (hasProgress ? [] : ["fail timedOut body", "cancel"]))
        #expect(late.wait == (hasProgress ? .seconds(1) : nil))
    }

    @Test("A check on time after a late one allows another late one")
    func lateAgain() {
        var machine = Self.machine(.collected(upTo: 10), upload: 10) {
            $0.options.timeouts = Self.noTimeouts
            $0.options.timeouts.idle = .seconds(3)
        }
        _ = machine.timeAdvanced(.zero)
        #expect(machine.timeAdvanced(.seconds(10)).wait == .seconds(1))
        _ = machine.uploadChanged(.sourceIsAwaited(true), at: .seconds(10))
        #expect(machine.timeAdvanced(.seconds(11)).wait == .seconds(3))
        _ = machine.uploadChanged(.sourceIsAwaited(false), at: .seconds(11))
        #expect(machine.timeAdvanced(.seconds(30)).wait == .seconds(1))
        #expect(Self.words(machine.timeAdvanced(.seconds(40)).actions) == ["fail timedOut request", "cancel"])
    }

    @Test("A check that is late by a second or less expires its timeout")
    func busy() {
        var machine = Self.machine(.collected(upTo: 10))
        _ = machine.timeAdvanced(.seconds(4))
        #expect(Self.words(machine.timeAdvanced(.seconds(6)).actions) == ["fail timedOut head", "cancel"])
    }
}
