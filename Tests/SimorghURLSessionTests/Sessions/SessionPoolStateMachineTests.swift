// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghURLSession
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SessionPoolStateMachineTests {
    private typealias Machine = SessionPoolStateMachine<Int, Int>

    /// Returns the sessions that end.
    private static func ended(_ actions: [Machine.Action]) -> [Int] {
        actions.compactMap { if case .end(let session) = $0 { session } else { nil } }
    }

    /// Returns the waits that begin.
    private static func waits(_ actions: [Machine.Action]) -> [Duration] {
        actions.compactMap { if case .wake(let duration) = $0 { duration } else { nil } }
    }

    @Test("Users of one key share a session, and the second of two concurrent new sessions is ended")
    func shared() {
        var machine = Machine()
        #expect(machine.use(1) == nil)
        let first = machine.add(10, for: 1)
        #expect(first.actions.isEmpty)
        #expect(machine.use(1)?.session == 10)
        let second = machine.add(11, for: 1)
        #expect(second.use.session == 10)
        #expect(Self.ended(second.actions) == [11])
    }

    @Test("A session ends five minutes after its last user has left, with one timer")
    func idle() {
        var machine = Machine()
        let one = machine.add(10, for: 1).use
        _ = machine.use(1)
        #expect(machine.release(one.number, at: .seconds(1)).isEmpty)
        #expect(Self.waits(machine.release(one.number, at: .seconds(2))) == [.seconds(300)])
        let two = machine.add(20, for: 2).use
        #expect(machine.release(two.number, at: .seconds(100)).isEmpty)
        let actions = machine.timeAdvanced(to: .seconds(302))
        #expect(Self.ended(actions) == [10])
        #expect(Self.waits(actions) == [.seconds(98)])
        #expect(machine.use(1) == nil)
        // In use again before the time has passed.
        #expect(machine.use(2)?.session == 20)
        #expect(machine.timeAdvanced(to: .seconds(400)).isEmpty)
        #expect(Self.waits(machine.release(two.number, at: .seconds(500))) == [.seconds(300)])
    }

    @Test("Beyond 32 sessions the least recently used one is ended, after its last user has left")
    func capacity() {
        var machine = Machine()
        var uses: [Machine.Use] = []
        for key in 0..<32 { uses.append(machine.add(key, for: key).use) }
        _ = machine.release(uses[0].number, at: .zero)
        _ = machine.use(1)
        // The session of key 2 is the least recently used one, but has a user.
        #expect(machine.add(32, for: 32).actions.isEmpty)
        #expect(machine.keptCount == 32)
        #expect(machine.use(2) == nil)
        #expect(Self.ended(machine.release(uses[2].number, at: .zero)) == [2])
        for key in 3..<32 { _ = machine.release(uses[key].number, at: .zero) }
        #expect(Self.ended(machine.add(33, for: 33).actions) == [0])
        #expect(machine.keptCount == 32)
    }

    @Test("After a new configuration, idle sessions end at once and used ones with their last user")
    func retired() {
        var machine = Machine()
        let used = machine.add(10, for: 1).use
        let idle = machine.add(20, for: 2).use
        _ = machine.release(idle.number, at: .zero)
        #expect(machine.sessions.sorted() == [10, 20])
        #expect(Self.ended(machine.retireAll()) == [20])
        #expect(machine.sessions == [10])
        #expect(machine.use(1) == nil)
        #expect(machine.add(11, for: 1).use.session == 11)
        #expect(Self.ended(machine.release(used.number, at: .zero)) == [10])
        #expect(machine.sessions == [11])
    }

    @Test("In any order of events, a session with users is not ended, and an ended one is not used", arguments: 0..<20)
    func random(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        var machine = Machine()
        var users: [Int: Int] = [:]
        var open: [Machine.Use] = []
        var ended: Set<Int> = []
        var time = Duration.zero
        var timers: [Duration] = []
        var lastSession = 0
        func take(_ actions: [Machine.Action]) {
            for session in Self.ended(actions) {
                #expect(users[session, default: 0] == 0, "a session with users ended")
                #expect(ended.insert(session).inserted, "a session ended twice")
            }
            timers += Self.waits(actions).map { time + $0 }
            #expect(timers.count <= 1)
        }
        func began(_ use: Machine.Use) {
            #expect(!ended.contains(use.session), "an ended session is used")
            users[use.session, default: 0] += 1
            open.append(use)
        }
        for _ in 0..<2000 {
            time += .seconds(Int.random(in: 0..<60, using: &numbers))
            if let due = timers.first, due <= time {
                timers = []
                take(machine.timeAdvanced(to: time))
            }
            switch Int.random(in: 0..<20, using: &numbers) {
            case 0: take(machine.retireAll())
            case 1..<10:
                let key = Int.random(in: 0..<50, using: &numbers)
                if Bool.random(using: &numbers), let use = machine.use(key) {
                    began(use)
                } else {
                    lastSession += 1
                    let (use, actions) = machine.add(lastSession, for: key)
                    began(use)
                    take(actions)
                }
            default:
                guard let index = open.indices.randomElement(using: &numbers) else { continue }
                let use = open.remove(at: index)
                users[use.session, default: 0] -= 1
                take(machine.release(use.number, at: time))
            }
            #expect(machine.keptCount <= Machine.capacity)
        }
        for use in open {
            users[use.session, default: 0] -= 1
            take(machine.release(use.number, at: time))
        }
        time += Machine.idleTime
        timers = []
        take(machine.timeAdvanced(to: time))
        #expect(machine.sessions.isEmpty)
        #expect(ended.count == lastSession)
    }
}
