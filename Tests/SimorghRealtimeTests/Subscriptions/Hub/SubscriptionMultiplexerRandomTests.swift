// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghSupport
import TestSupport
import Testing

/// Thousands of random orders of events, and the invariants of each.
@Suite(.timeLimit(.minutes(5)))
struct SubscriptionMultiplexerRandomTests {
    /// Plays owner and server: performs the actions of the machine, and checks them.
    private struct World {
        var machine: SubscriptionStateMachine<PlainProtocol.Session>
        var random: SeededNumbers
        let confirms: Bool
        /// The operations that are being completed.
        var preparing: Set<SubscriptionID> = []
        /// The marks that were put into the outbox, and are to be reported as written.
        var marks: [SubscriptionID] = []
        /// The subscriptions that may be sent out of order: they were postponed or skipped.
        var late: Set<Int> = []
        var nextID = 1
        /// The subscriptions that have not ended, in order.
        var wanted: [Int] = []
        var isOneShot: Set<Int> = []
        var ended: Set<Int> = []
        /// The subscriptions sent on the current connection, in order.
        var asked: [Int] = []
        /// The subscriptions sent on any connection.
        var everAsked: Set<Int> = []
        var open: Int?
        var isReady = false
        var timers: Set<SubscriptionMachineTimer> = []
        var problems: [String] = []
        var said: [Int] = []

        mutating func perform(_ actions: [SubscriptionMachineAction]) {
            for action in actions {
                switch action {
                case .open(let number, _):
                    if open != nil { problems.append("two connections") }
                    open = number
                    isReady = false
                    asked = []
                    marks = []
                    late = []
                case .close(let number, _), .drop(let number):
                    if open == number { open = nil }
                    isReady = false
                case .send(let message): sent(String(decoding: message.bytes, as: UTF8.self))
                case .startTimer(let timer, _): timers.insert(timer)
                case .stopTimer(let timer): timers.remove(timer)
                case .stopTimers: timers = []
                case .deliver(let id, let payload):
                    if !wanted.contains(id.number) { problems.append("an event without an owner") }
                    said.append(Int(String(decoding: payload.message.bytes, as: UTF8.self)) ?? 0)
                case .notify(let id, let notice):
                    if !wanted.contains(id.number) { problems.append("a notice without an owner") }
                    guard case .interrupted = notice else { continue }
                    asked.removeAll { $0 == id.number }
                    late.insert(id.number)
                case .mark(let id): marks.append(id)
                case .prepare(_, let id):
                    if !preparing.insert(id).inserted { problems.append("\(id) completed twice at once") }
                case .cancelPreparation(let id):
                    if preparing.remove(id) == nil { problems.append("\(id) is not being completed") }
                case .end(let id, _):
                    if !ended.insert(id.number).inserted { problems.append("\(id) ended twice") }
                    wanted.removeAll { $0 == id.number }
                case .state, .sendLatest, .reportUnknownID: break
                }
            }
        }

        private mutating func sent(_ text: String) {
            let words = text.split(separator: " ")
            guard words.first == "sub", let id = Int(words[1]) else { return }
            if open == nil || !isReady { problems.append("sent without a connection") }
            if asked.contains(id) { problems.append("\(id) sent twice on a connection") }
            if let last = asked.last(where: { !late.contains($0) }), last > id, !late.contains(id) {
                problems.append("\(id) sent after \(last)")
            }
            if isOneShot.contains(id), everAsked.contains(id) { problems.append("\(id) is one-shot, and sent twice") }
            asked.append(id)
            everAsked.insert(id)
        }

        mutating func step(_ number: Int) {
            let choice = Int.random(in: 0..<20, using: &random)
            let some = wanted.randomElement(using: &random) ?? Int.random(in: 1...nextID, using: &random)
            let id = SubscriptionID(some)
            let connection = open ?? machine.generation
            switch choice {
            case 0, 1:
                wanted.append(nextID)
                if Bool.random(using: &random) { isOneShot.insert(nextID) }
                nextID += 1
                perform(
                    machine.subscribe(
                        "t", id: SubscriptionID(nextID - 1), isOneShot: isOneShot.contains(nextID - 1)))
            case 2: perform(machine.unsubscribe(id))
            case 3:
                perform(machine.connectionOpened(connection))
                perform(
                    machine.sessionStarted(
                        connection, session: PlainProtocol.Session(greets: true, confirms: confirms), subprotocol: nil,
                        now: .seconds(number)))
            case 4, 5:
                if machine.phase == .negotiating { isReady = true }
                receive(connection, "welcome", number)
            case 6: receive(connection, "ok \(id)", number)
            case 7, 8: receive(connection, "event \(id) \(number)", number)
            case 9: receive(connection, "done \(id)", number)
            case 10: receive(connection, "gone \(id)", number)
            case 11: receive(connection, "no \(id) why", number)
            case 12:
                guard open != nil else { return }
                open = nil
                isReady = false
                perform(
                    machine.lost(
                        connection, loss: ConnectionLoss(SubscriptionError(.connectionLost, message: "lost")),
                        now: .seconds(number)))
            case 13:
                guard let timer = timers.randomElement(using: &random) else { return }
                timers.remove(timer)
                if case .preparation = timer { late.formUnion(preparing.map(\.number)) }
                perform(machine.elapsed(timer, now: .seconds(number)))
            case 16:
                guard let id = preparing.randomElement(using: &random) else { return }
                preparing.remove(id)
                let outcomes: [Result<String, any Error>] = [
                    .success("t"), .success("t"), .failure(TransportError(.timedOut, phase: .total, message: "late")),
                    .failure(PlainProtocol.Refusal(why: "")),
                ]
                perform(
                    machine.prepared(
                        connection, id: id, outcome: outcomes.randomElement(using: &random) ?? .success("t")))
            case 17:
                guard !marks.isEmpty else { return }
                perform(machine.written(connection, id: marks.removeFirst()))
            case 18:
                perform(
                    Bool.random(using: &random)
                        ? machine.suspended(connection) : machine.resumed(connection, now: .seconds(number)))
            case 19: receive(connection, "later \(id) why", number)
            case 14: perform(Bool.random(using: &random) ? machine.connect() : machine.disconnect())
            default:
                switch Int.random(in: 0..<4, using: &random) {
                case 0: perform(machine.reconnect())
                case 1: receive(connection, "leave", number)
                case 2: receive(connection - 1, "event \(id) 0", number)
                default: receive(connection, "nonsense", number)
                }
            }
        }

        private mutating func receive(_ connection: Int, _ text: String, _ number: Int) {
            perform(machine.received(connection, message: .text(text), now: .seconds(number)))
        }
    }

    @Test(
        "Random order of events: each subscription is sent once per connection and in order, and ends once",
        arguments: [true, false], [true, false])
    func anyOrder(confirms: Bool, prepares: Bool) {
        for seed in 1...1000 {
            var options = SubscriptionOptions(
                webSocket: WebSocketOptions(reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: 1000)))
            options.linger = seed.isMultiple(of: 3) ? .seconds(1) : .zero
            var world = World(
                machine: SubscriptionStateMachine(options, preparesOperations: prepares, random: RandomSource { 0 }),
                random: SeededNumbers(UInt64(seed)), confirms: confirms)
            for number in 1...200 {
                world.step(number)
                if Set(world.machine.entries.keys.map(\.number)) != Set(world.wanted) {
                    world.problems.append("the machine and its owner have different subscriptions")
                }
                if (world.machine.phase == .idle || world.machine.phase == .waiting) != (world.open == nil) {
                    world.problems.append("machine and owner have different connections: \(world.machine.phase)")
                }
                if world.machine.phase == .idle,
                    !world.wanted.isEmpty || !world.timers.isEmpty || !world.preparing.isEmpty
                {
                    world.problems.append("subscriptions, timers or completions are left")
                }
                guard world.problems.isEmpty else { break }
            }
            if Set(world.said).count != world.said.count { world.problems.append("an event twice") }
            guard world.problems.isEmpty else {
                Issue.record("seed \(seed): \(world.problems)")
                return
            }
            world.perform(world.machine.disconnect())
            for _ in 0..<200 {
                guard let timer = world.timers.first else { break }
                world.timers.remove(timer)
                world.perform(world.machine.elapsed(timer, now: .seconds(1000)))
            }
            guard world.machine.phase == .idle, world.wanted.isEmpty, world.timers.isEmpty else {
                Issue.record("seed \(seed): not ended after disconnect(): \(world.machine.phase), \(world.wanted)")
                return
            }
        }
    }
}
