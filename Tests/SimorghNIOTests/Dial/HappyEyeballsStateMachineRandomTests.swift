// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// HappyEyeballsStateMachine under random events, checked against a simple model of lookups, timers and attempts.
///
/// 100,000 events by default; a million with `SIMORGH_THOROUGH=1` in the environment.
@Suite("HappyEyeballsStateMachine: random events", .timeLimit(.minutes(60)))
struct HappyEyeballsStateMachineRandomTests {
    @Test("No order of events leaks an attempt or timer, skips an address, or ends the dial twice", arguments: 1...20)
    func random(seed: Int) async {
        var random = SeededNumbers(UInt64(seed))
        var (steps, successes, failures) = (0, 0, 0)
        while steps < Thoroughness.events(5_000, seeds: 20) {
            var world = World(&random)
            repeat {
                world.step(&random)
                steps += 1
                // Other tests need this thread.
                if steps % 256 == 0 { await Task.yield() }
                if let fault = world.fault {
                    Issue.record("seed \(seed), step \(steps): \(fault)")
                    return
                }
            } while !world.isDone
            if world.outcome == "success" { successes += 1 } else { failures += 1 }
        }
        #expect(successes > 50 && failures > 50, "seed \(seed)")
    }

    struct Address: Equatable, Sendable {
        let family: AddressFamily
        let number: Int
    }

    struct World {
        typealias Machine = HappyEyeballsStateMachine<Address>

        var fault: String?
        var outcome: String?
        private var machine = Machine()
        private var awaited: Set<AddressFamily> = []
        private var known: [AddressFamily: Int] = [:]
        private var tried: [Address] = []
        private var timers: Set<Machine.Timer> = []
        private var open: Set<Int> = []
        /// Attempts that were closed, whose end was not reported yet.
        private var closing: Set<Int> = []
        private var winner: Int?
        private var mayTryIPv4 = false
        private var isFirst = true

        init(_ random: inout SeededNumbers) {
            perform(machine.begin(limit: .seconds(Int64.random(in: 1...9, using: &random))))
        }

        /// True if no further event can happen.
        var isDone: Bool { outcome != nil && closing.isEmpty }

        mutating func step(_ random: inout SeededNumbers) {
            let wasOver = outcome != nil
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30:
                // An answer; sometimes a second one, from a faulty resolver.
                let isKnown = Int.random(in: 0..<8, using: &random) == 0
                let families = isKnown ? AddressFamily.allCases : Array(awaited)
                guard let family = families.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random) else {
                    return
                }
                let count = [0, 0, 1, 2, 3, 40][Int.random(in: 0..<6, using: &random)]
                let isFirstAnswer = awaited.remove(family) != nil
                if isFirstAnswer, !wasOver { known[family] = min(count, Machine.maximumAddresses) }
                if family == .ipv6 { mayTryIPv4 = true }
                perform(machine.resolved(family, addresses: (0..<count).map { Address(family: family, number: $0) }))
            case 30..<55:
                guard let timer = timers.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random),
                    timer != .limit || Int.random(in: 0..<6, using: &random) == 0
                else { return }
                timers.remove(timer)
                if timer == .resolution { mayTryIPv4 = true }
                perform(machine.timerFired(timer))
            case 55..<85:
                guard let attempt = open.union(closing).sorted().randomElement(using: &random) else { return }
                end(attempt)
                perform(machine.failed(attempt))
            case 85..<97:
                guard let attempt = open.union(closing).sorted().randomElement(using: &random) else { return }
                let wasClosing = closing.contains(attempt)
                end(attempt)
                if wasClosing { closing.insert(attempt) } else { winner = attempt }
                perform(machine.connected(attempt))
                if wasClosing { closing.remove(attempt) }
            case 97: perform(machine.cancel())
            default:
                perform(
                    machine.timerFired([.resolution, .stagger].randomElement(using: &random) ?? .stagger, if: timers))
            }
            check(wasOver: wasOver)
        }

        private mutating func end(_ attempt: Int) {
            open.remove(attempt)
            closing.remove(attempt)
        }

        private mutating func perform(_ actions: [Machine.Action]) {
            for action in actions {
                switch action {
                case .lookUp: awaited = Set(AddressFamily.allCases)
                case .cancelLookups: awaited = []
                case .startTimer(let timer, let time):
                    if !timers.insert(timer).inserted { fault = "\(timer) was started twice" }
                    if time <= .zero { fault = "\(timer) has no duration" }
                case .cancelTimer(let timer):
                    if timers.remove(timer) == nil { fault = "\(timer) is not running" }
                case .connect(let attempt, let address): connect(attempt, address)
                case .close(let attempt):
                    if open.remove(attempt) != nil {
                        closing.insert(attempt)
                    } else if !closing.contains(attempt) {
                        fault = "closes \(attempt), which is not open"
                    }
                case .succeed(let attempt):
                    if attempt != winner { fault = "\(attempt) did not connect" }
                    finish("success")
                case .fail(let failure): finish("\(failure)")
                }
            }
        }

        private mutating func connect(_ attempt: Int, _ address: Address) {
            if outcome != nil { fault = "connects after the end" }
            if tried.contains(address) { fault = "\(address) is tried twice" }
            if address.number >= known[address.family] ?? 0 { fault = "\(address) was not resolved" }
            if address.family == .ipv4, !mayTryIPv4 { fault = "IPv4 was tried before its delay" }
            if isFirst, address.family == .ipv4, known[.ipv6] ?? 0 > 0 { fault = "IPv6 is not tried first" }
            let other: AddressFamily = address.family == .ipv4 ? .ipv6 : .ipv4
            if let last = tried.last, last.family == address.family,
                tried.count(where: { $0.family == other }) < known[other] ?? 0
            {
                fault = "the families do not alternate"
            }
            isFirst = false
            tried.append(address)
            if !open.insert(attempt).inserted { fault = "two attempts with the same number" }
        }

        private mutating func finish(_ outcome: String) {
            if self.outcome != nil { fault = "ended twice" }
            self.outcome = outcome
            let all = known.values.reduce(0, +)
            if outcome == "unreachable", tried.count < all || !awaited.isEmpty { fault = "gave up too early" }
            if outcome == "noAddress", all > 0 || !awaited.isEmpty { fault = "noAddress although there is an address" }
        }

        private mutating func check(wasOver: Bool) {
            if machine.isOver != (outcome != nil) { fault = "isOver does not match the outcome" }
            guard outcome == nil else {
                if !timers.isEmpty { fault = "\(timers) run after the end" }
                if !open.isEmpty { fault = "\(open) are open after the end" }
                if !wasOver, !awaited.isEmpty { fault = "lookups continue after the end" }
                return
            }
            if !timers.contains(.limit) { fault = "the limit timer is not running" }
            let untried = known.values.reduce(0, +) - tried.count
            if untried > 0, timers.isDisjoint(with: [.resolution, .stagger]) { fault = "addresses are left" }
            if untried == 0, open.isEmpty, awaited.isEmpty { fault = "no attempt, lookup or address is left" }
        }
    }
}

extension HappyEyeballsStateMachine {
    /// Reports a timer as fired even if it is not running: it was canceled too late.
    fileprivate mutating func timerFired(_ timer: Timer, if running: Set<Timer>) -> [Action] {
        running.contains(timer) ? [] : timerFired(timer)
    }
}
