// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNIO
import Testing

@Suite("HappyEyeballsStateMachine (Happy Eyeballs, RFC 8305)", .timeLimit(.minutes(5)))
struct HappyEyeballsStateMachineTests {
    typealias Machine = HappyEyeballsStateMachine<String>

    private static func began() -> Machine {
        var machine = Machine()
        let actions = machine.begin(limit: .seconds(10))
        #expect(actions == [.startTimer(.limit, .seconds(10)), .lookUp])
        return machine
    }

    @Test("IPv6 is tried as soon as it is resolved, and the families alternate, 250 ms apart")
    func turns() {
        var machine = Self.began()
        let first = machine.resolved(.ipv6, addresses: ["6a", "6b"])
        #expect(first == [.connect(1, "6a"), .startTimer(.stagger, .milliseconds(250))])
        let late = machine.resolved(.ipv4, addresses: ["4a"])
        #expect(late.isEmpty)
        let second = machine.timerFired(.stagger)
        #expect(second == [.connect(2, "4a"), .startTimer(.stagger, .milliseconds(250))])
        let third = machine.timerFired(.stagger)
        #expect(third == [.connect(3, "6b"), .startTimer(.stagger, .milliseconds(250))])
        let won = machine.connected(2)
        #expect(won == [.cancelTimer(.stagger), .cancelTimer(.limit), .close(1), .close(3), .succeed(2)])
        let lost = machine.connected(3)
        #expect(lost == [.close(3)])
        let failed = machine.failed(1)
        #expect(failed.isEmpty)
    }

    @Test("IPv4 waits at most 50 ms for the IPv6 answer", arguments: [true, false])
    func delay(_ comesInTime: Bool) {
        var machine = Self.began()
        let waits = machine.resolved(.ipv4, addresses: ["4a"])
        #expect(waits == [.startTimer(.resolution, .milliseconds(50))])
        let next = comesInTime ? machine.resolved(.ipv6, addresses: ["6a"]) : machine.timerFired(.resolution)
        let begins: [Machine.Action] = [
            .connect(1, comesInTime ? "6a" : "4a"), .startTimer(.stagger, .milliseconds(250)),
        ]
        #expect(next == (comesInTime ? [.cancelTimer(.resolution)] : []) + begins)
    }

    @Test("IPv4 stops waiting when IPv6 resolves to no address")
    func noIPv6() {
        var machine = Self.began()
        _ = machine.resolved(.ipv4, addresses: ["4a"])
        let begins = machine.resolved(.ipv6, addresses: [])
        #expect(
            begins == [.cancelTimer(.resolution), .connect(1, "4a"), .startTimer(.stagger, .milliseconds(250))])
    }

    @Test("A failed attempt starts the next address at once, and the last failure ends the dial")
    func failures() {
        var machine = Self.began()
        _ = machine.resolved(.ipv6, addresses: ["6a"])
        let waits = machine.failed(1)
        #expect(waits.isEmpty)
        let late = machine.resolved(.ipv4, addresses: ["4a", "4b"])
        // The 250 ms belonged to the address that has failed.
        #expect(late == [.cancelTimer(.stagger), .connect(2, "4a"), .startTimer(.stagger, .milliseconds(250))])
        let next = machine.failed(2)
        #expect(next == [.cancelTimer(.stagger), .connect(3, "4b"), .startTimer(.stagger, .milliseconds(250))])
        let end = machine.failed(3)
        #expect(end == [.cancelTimer(.stagger), .cancelTimer(.limit), .fail(.unreachable)])
    }

    @Test("A name without addresses fails with noAddress")
    func none() {
        var machine = Self.began()
        let first = machine.resolved(.ipv4, addresses: [])
        #expect(first.isEmpty)
        let end = machine.resolved(.ipv6, addresses: [])
        #expect(end == [.cancelTimer(.limit), .fail(.noAddress)])
        #expect(machine.isOver)
    }

    @Test("The time limit and a cancellation close all attempts and lookups", arguments: [true, false])
    func ends(_ isLimit: Bool) {
        var machine = Self.began()
        _ = machine.resolved(.ipv6, addresses: ["6a"])
        let end = isLimit ? machine.timerFired(.limit) : machine.cancel()
        let rest: [Machine.Action] = [
            .cancelTimer(.stagger), .cancelLookups, .close(1), .fail(isLimit ? .timedOut : .cancelled),
        ]
        #expect(end.filter { $0 != .cancelTimer(.limit) } == rest)
        let late = machine.resolved(.ipv4, addresses: ["4a"])
        #expect(late.isEmpty)
    }

    @Test("At most maximumAddresses of a large answer are tried")
    func many() {
        var machine = Self.began()
        _ = machine.resolved(.ipv6, addresses: (0..<1000).map(String.init))
        _ = machine.resolved(.ipv4, addresses: [])
        var tried = 1
        while !machine.isOver {
            _ = machine.failed(tried)
            tried += 1
        }
        #expect(tried == Machine.maximumAddresses + 1)
    }
}
