// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import TestSupport
import Testing

@Suite("ReconnectingStateMachine", .timeLimit(.minutes(5)))
struct ReconnectingStateMachineTests {
    typealias Machine = ReconnectingStateMachine

    private let policy = WebSocketReconnectPolicy(
        maximumAttempts: 3, initialDelay: 1, multiplier: 2, maximumDelay: 30)
    private let loss = Machine.Loss(code: .abnormalClosure, isClean: false)

    private func open() -> Machine {
        var machine = Machine(policy)
        #expect(machine.connect() == [.open(1)])
        #expect(machine.opened(1) == [.notifyConnected(1)])
        return machine
    }

    @Test("A lost connection backs off and reconnects, and ends after all attempts failed")
    func lossAndReturn() {
        var machine = open()
        var number = 1
        for attempt in 1...3 {
            let delay = Duration.seconds(1 << (attempt - 1))
            let actions =
                attempt == 1
                ? machine.lost(number, loss: loss, fraction: 0)
                : machine.failed(number, ending: .failed(isTransient: true), reason: "gone", fraction: 0)
            #expect(
                actions == [
                    .notifyReconnecting(attempt: attempt, delay: delay),
                    .wait(number + 1, delay, atLeast: .milliseconds(500) * attempt),
                ])
            #expect(machine.waitEnded(number + 1, after: delay) == [.stop(number + 1), .open(number + 2)])
            number += 2
        }
        #expect(
            machine.failed(number, ending: .failed(isTransient: true), reason: "gone", fraction: 0)
                == [.end(.abnormalClosure, "gone", isFailure: true)])
    }

    @Test("A pong is reported only for the current link")
    func pongs() {
        var machine = Machine(policy)
        _ = machine.connect()
        #expect(machine.didReceivePong(1) == [])
        _ = machine.opened(1)
        #expect(machine.didReceivePong(1) == [.notifyPong])
        _ = machine.lost(1, loss: loss, fraction: 0)
        #expect(machine.didReceivePong(1) == [])
        _ = machine.reconnect()
        _ = machine.opened(3)
        #expect(machine.didReceivePong(1) == [] && machine.didReceivePong(3) == [.notifyPong])
    }

    @Test("close() during the backoff ends it, and the end of the backoff has no effect later")
    func closeDuringWait() {
        var machine = open()
        _ = machine.lost(1, loss: loss, fraction: 0)
        #expect(machine.close(code: .normal, reason: "") == [.stop(2), .end(.normal, "", isFailure: false)])
        #expect(machine.waitEnded(2, after: .seconds(1)) == [])
        #expect(machine.phase == .over)
    }

    @Test("close() while connecting ends the connection, and the link that opens late is rejected")
    func closeDuringOpening() {
        var machine = Machine(policy)
        _ = machine.connect()
        #expect(machine.close(code: 4000, reason: "no") == [.stop(1), .end(4000, "no", isFailure: false)])
        #expect(machine.opened(1) == nil)
        #expect(machine.failed(1, ending: .failed(isTransient: true), reason: "", fraction: 0) == [])
    }

    @Test("close() sends a Close frame, and the connection ends with the link, for any reason of its end")
    func closeWhileOpen() {
        var machine = open()
        #expect(machine.close(code: .normal, reason: "bye") == [.close(1, .normal, "bye")])
        #expect(machine.close(code: 4000, reason: "") == [])
        #expect(machine.lost(1, loss: loss, fraction: 0) == [.end(.normal, "bye", isFailure: false)])
    }

    @Test("A clean close by the server ends the connection without an error")
    func serverCloses() {
        var machine = open()
        let actions = machine.lost(
            1, loss: .init(code: .normal, reason: "done", isClean: true, uptime: .zero), fraction: 0)
        #expect(actions == [.end(.normal, "done", isFailure: false)])
    }

    @Test("A protocol violation ends the connection with an error")
    func violation() {
        var machine = open()
        let actions = machine.lost(
            1, loss: .init(code: .protocolError, reason: "a masked frame", isClean: false, uptime: .zero), fraction: 0)
        #expect(actions == [.end(.protocolError, "a masked frame", isFailure: true)])
    }

    @Test("reconnect() ends a backoff, and replaces an open connection")
    func reconnect() {
        var machine = open()
        _ = machine.lost(1, loss: loss, fraction: 0)
        #expect(machine.reconnect() == [.stop(2), .open(3)])
        _ = machine.opened(3)
        #expect(machine.reconnect() == [.notifyReconnecting(attempt: 0, delay: .zero), .replace(3)])
        #expect(machine.reconnect() == [])
        #expect(machine.lost(3, loss: loss, fraction: 0) == [.open(4)])
    }

    @Test("reconnect() while the cause of a failed opening is determined opens the next link at once")
    func reconnectAfterFailure() {
        var machine = Machine(policy)
        _ = machine.connect()
        #expect(machine.reconnect() == [])
        machine.failing(7)
        #expect(machine.reconnect() == [])
        machine.failing(1)
        #expect(machine.connect() == [])
        #expect(machine.reconnect() == [.stop(1), .open(2)])
        #expect(machine.failed(1, ending: .failed(isTransient: false), reason: "", fraction: 0) == [])
        // The new opening has not failed.
        #expect(machine.reconnect() == [])
        #expect(machine.opened(2) == [.notifyConnected(2)])
    }

    @Test("Attempts without a network count before the first link of a connect(), and not after reconnect()")
    func offline() {
        func next(_ machine: inout Machine) -> Duration? {
            let number = machine.current
            let actions = machine.failed(number, ending: .offline, reason: "", fraction: 0)
            guard case .wait(let wait, let delay, _)? = actions.last else { return nil }
            _ = machine.waitEnded(wait, after: delay)
            return delay
        }
        var machine = Machine(policy)
        _ = machine.connect()
        for delay in [1, 2, 4, nil] as [Int?] {
            let actual = next(&machine)
            #expect(actual == delay.map { Duration.seconds($0) })
        }
        _ = machine.connect()
        _ = machine.opened(machine.current)
        _ = machine.reconnect()
        _ = machine.lost(machine.current, loss: loss, fraction: 0)
        for _ in 0..<10 {
            let delay = next(&machine)
            #expect(delay == .seconds(30))
        }
        _ = machine.close(code: .normal, reason: "")
        _ = machine.connect()
        let delay = next(&machine)
        #expect(delay == .seconds(1))
    }

    @Test("After the end, connect() begins again")
    func again() {
        var machine = open()
        _ = machine.close(code: .normal, reason: "")
        _ = machine.lost(1, loss: loss, fraction: 0)
        #expect(machine.connect() == [.begin, .open(2)])
    }

    /// Plays the owner: keeps track of what is running, and ends it in random order.
    private struct World {
        var machine: Machine
        var openings: Set<Int> = []
        var waits: Set<Int> = []
        var links: Set<Int> = []
        var closing: Set<Int> = []
        var ends = 0
        var lives = 1
        var isWanted = false
        var faults: [String] = []

        mutating func take(_ actions: [Machine.Action]) {
            for action in actions {
                switch action {
                case .begin:
                    lives += 1
                    if ends != lives - 1 { faults.append("a connection began before the previous one ended") }
                case .open(let number):
                    if !openings.isEmpty || !waits.isEmpty || !links.isEmpty {
                        faults.append("\(number) opens while something else runs")
                    }
                    if !isWanted { faults.append("\(number) opens although it was closed") }
                    openings.insert(number)
                case .wait(let number, _, _): waits.insert(number)
                case .stop(let number):
                    openings.remove(number)
                    waits.remove(number)
                case .close(let number, _, _), .replace(let number):
                    if !links.contains(number) { faults.append("Close sent to \(number), which is not open") }
                    if !closing.insert(number).inserted { faults.append("a second Close sent to \(number)") }
                case .notifyConnected(let number):
                    if links != [number] { faults.append("connected reported without a link") }
                case .notifyReconnecting, .notifyPong: break
                case .end:
                    ends += 1
                    isWanted = false
                    if !openings.isEmpty || !waits.isEmpty || !links.isEmpty {
                        faults.append("ended while something runs")
                    }
                }
            }
            if ends > lives { faults.append("a connection ended twice") }
        }
    }

    @Test(
        "Random events in random order: never two links at once, no report twice, no reconnect after close()",
        arguments: 1...50 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed)
        var world = World(machine: Machine(policy))
        var connections = 0
        for step in 0..<2000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1:
                world.isWanted = true
                world.take(world.machine.connect())
            case 2:
                world.isWanted = true
                world.take(world.machine.reconnect())
            case 3:
                world.isWanted = false
                world.take(world.machine.close(code: .normal, reason: ""))
            case 4..<9:
                // Also an earlier number, which may have been stopped.
                let number = world.openings.first ?? Int.random(in: 0...world.machine.current, using: &random)
                let isKnown = world.openings.remove(number) != nil
                if isKnown { world.links.insert(number) }
                if let actions = world.machine.opened(number) {
                    connections += 1
                    world.take(actions)
                } else if isKnown {
                    world.links.remove(number)
                }
            case 9..<12:
                let number = world.openings.first ?? Int.random(in: 0...world.machine.current, using: &random)
                world.machine.failing(number)
                // The caller may ask for another link before the cause is known.
                if !world.openings.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
                    let before = world.machine.current
                    world.take(world.machine.reconnect())
                    if world.machine.current == before { world.faults.append("reconnect() was not honored") }
                    break
                }
                world.openings.remove(number)
                let ending: ReconnectBackoff.Ending =
                    [
                        .failed(isTransient: true), .refused(status: 503, retryAfter: nil),
                        .refused(status: 404, retryAfter: nil), .offline, .forbiddenNetwork,
                    ].randomElement(using: &random) ?? .failed(isTransient: false)
                world.take(world.machine.failed(number, ending: ending, reason: "", fraction: 0.5))
            case 12..<16:
                let number = world.links.first ?? Int.random(in: 0...world.machine.current, using: &random)
                world.links.remove(number)
                let code = ([1000, 1006, 1002, 1012] as [WebSocketCloseCode]).randomElement(using: &random) ?? 1006
                let loss = Machine.Loss(
                    code: code, isClean: .random(using: &random), uptime: .seconds(.random(in: 0...20, using: &random)))
                world.take(world.machine.lost(number, loss: loss, fraction: 0.5))
            default:
                let number = world.waits.first ?? Int.random(in: 0...world.machine.current, using: &random)
                world.take(world.machine.waitEnded(number, after: .seconds(1)))
            }
            let running = world.openings.count + world.waits.count + world.links.count
            if running > 1 { world.faults.append("\(running) things run at once") }
            switch world.machine.phase {
            case .idle, .over: if running != 0 { world.faults.append("something runs after the end") }
            default: if running != 1 { world.faults.append("nothing runs although it has not ended") }
            }
            if let fault = world.faults.first {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        #expect(connections > 50, "seed \(seed)")
    }
}
