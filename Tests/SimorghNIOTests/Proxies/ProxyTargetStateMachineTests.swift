// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// 100,000 random events by default; a million with `SIMORGH_THOROUGH=1` in the environment.
@Suite("ProxyTargetStateMachine", .timeLimit(.minutes(60)))
struct ProxyTargetStateMachineTests {
    @Test("IPv4 addresses are requested as soon as they are resolved, and share the time with a pending family")
    func four() {
        var targets = ProxyTargetStateMachine()
        let first = targets.resolved(.ipv4, addresses: ["4a", "4b"])
        let six = targets.resolved(.ipv6, addresses: ["6a"])
        let second = targets.refused()
        let third = targets.refused()
        let end = targets.refused()
        #expect(first == [.ask("4a", sharers: 3)])
        #expect(six.isEmpty)
        #expect(second == [.ask("6a", sharers: 2)])
        #expect(third == [.ask("4b", sharers: 1)])
        #expect(end == [.giveUp])
    }

    @Test("IPv6 alone waits at most 50 ms for IPv4", arguments: ["time", "answer", "failure"])
    func six(_ what: String) {
        var targets = ProxyTargetStateMachine()
        let wait = targets.resolved(.ipv6, addresses: ["6a"])
        #expect(wait == [.startTimer(.milliseconds(50))])
        switch what {
        case "time":
            let asks = targets.timerFired()
            #expect(asks == [.ask("6a", sharers: 2)])
        case "answer":
            let asks = targets.resolved(.ipv4, addresses: ["4a"])
            #expect(asks == [.cancelTimer, .ask("4a", sharers: 2)])
        default:
            let asks = targets.resolved(.ipv4, addresses: [])
            #expect(asks == [.cancelTimer, .ask("6a", sharers: 1)])
        }
    }

    @Test("After the last known address failed, a pending family is awaited")
    func waits() {
        var targets = ProxyTargetStateMachine()
        _ = targets.resolved(.ipv4, addresses: ["4a"])
        let waits = targets.refused()
        #expect(waits.isEmpty && !targets.isBusy)
        let asks = targets.resolved(.ipv6, addresses: ["6a"])
        #expect(asks == [.ask("6a", sharers: 1)])
        var none = ProxyTargetStateMachine()
        _ = none.resolved(.ipv6, addresses: [])
        let end = none.resolved(.ipv4, addresses: [])
        let late = none.resolved(.ipv4, addresses: ["4a"])
        #expect(end == [.giveUp] && late.isEmpty)
    }

    @Test("No order of events requests two targets at once, one twice or too many, or skips one", arguments: 1...20)
    func random(seed: Int) async {
        var random = SeededNumbers(UInt64(seed))
        var (steps, names, askedAll) = (0, 0, 0)
        while steps < Thoroughness.events(5_000, seeds: 20) {
            var targets = ProxyTargetStateMachine()
            var (awaited, asked, known): (Set<AddressFamily>, Set<String>, Int) = (Set(AddressFamily.allCases), [], 0)
            var (isAsking, isTiming, isOver) = (false, false, false)
            while !isOver {
                steps += 1
                if steps % 256 == 0 { await Task.yield() }
                let actions: [ProxyTargetStateMachine.Action]
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<8:
                    guard let family = AddressFamily.allCases.randomElement(using: &random) else { continue }
                    let found = (0..<Int.random(in: 0...6, using: &random)).map { "\(family) \($0)" }
                    if awaited.remove(family) != nil { known += found.count }
                    actions = targets.resolved(family, addresses: found)
                case 8..<12: actions = targets.timerFired()
                case 12..<19: actions = targets.refused()
                default:
                    actions = targets.end()
                    isOver = true
                }
                if case .some = actions.last, isOver, actions != [.cancelTimer] {
                    Issue.record("seed \(seed), step \(steps): does \(actions) at the end")
                    return
                }
                // The previous target has ended if a new one is requested.
                if !isAsking || !targets.isBusy { isAsking = false }
                for action in actions {
                    switch action {
                    case .startTimer:
                        if isTiming || isAsking { Issue.record("seed \(seed), step \(steps): a timer too many") }
                        isTiming = true
                    case .cancelTimer: isTiming = false
                    case .ask(let target, let sharers):
                        isTiming = false
                        isAsking = true
                        if !asked.insert(target).inserted || asked.count > ProxyTargetStateMachine.maximumAddresses
                            || sharers < 1
                        {
                            Issue.record("seed \(seed), step \(steps): asks for \(target) of \(asked)")
                            return
                        }
                    case .giveUp:
                        isOver = true
                        if asked.count < min(known, ProxyTargetStateMachine.maximumAddresses)
                            || !awaited.isEmpty && asked.count < ProxyTargetStateMachine.maximumAddresses
                        {
                            Issue.record("seed \(seed), step \(steps): gives up after \(asked) of \(known)")
                            return
                        }
                        askedAll += 1
                    }
                }
                if isAsking != targets.isBusy {
                    Issue.record("seed \(seed), step \(steps): busy is \(targets.isBusy)")
                    return
                }
            }
            names += 1
        }
        #expect(names > 100 && askedAll > 20, "seed \(seed)")
    }
}
