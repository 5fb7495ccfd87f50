// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Random events, with a model that is compared with the machine after every eighth event.
///
/// 200,000 events by default; a million, compared after each one, with `SIMORGH_THOROUGH=1` in the environment.
@Suite("ConnectionPoolStateMachine: random events", .timeLimit(.minutes(60)))
struct ConnectionPoolStateMachineRandomTests {
    @Test(
        "No order of events breaks a limit, loses a waiter or leaks a connection",
        arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) async {
        var world = World(seed: seed)
        for step in 0..<Thoroughness.events(10_000, seeds: 20) {
            world.step()
            if Thoroughness.isThorough || step % 8 == 0 { world.check() }
            if step % 256 == 0 { await Task.yield() }  // Other tests need this thread.
            if let fault = world.fault {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        if seed.isMultiple(of: 3) {
            world.end()
            #expect(world.fault == nil, "seed \(seed), at the end")
            return
        }
        world.drain()
        if let fault = world.fault { Issue.record("seed \(seed), at the end: \(fault)") }
        #expect(world.machine.waiting == 0, "seed \(seed)")
        #expect(world.machine.knownHosts == 0, "seed \(seed)")
        #expect(world.machine.connections == 0, "seed \(seed)")
        #expect(world.served > 200, "seed \(seed)")
    }

    struct World {
        typealias Machine = ConnectionPoolStateMachine<Int, Int>

        var machine: Machine
        var fault: String?
        var served = 0
        var random: SeededNumbers
        var now = NIODeadline.uptimeNanoseconds(1)
        let limits: Machine.Limits
        var dialing: [(key: ConnectionKey, host: Int)] = []
        var leased: [(connection: Int, waiter: Int)] = []
        /// The idle connections, with a growing number for the time at which they became idle.
        var idle: [Int: Int] = [:]
        var clock = 0
        /// The times at which connections became idle.
        var since: [Int: NIODeadline] = [:]
        /// The event loop of each connection.
        var lanes: [Int: Int] = [:]
        var usesLanes: Bool
        var closedWhileUseful = 0
        /// The shared connections, with the number of their requests and their capacity.
        var shared: [Int: (used: Int, capacity: Int)] = [:]
        /// Stalled connections, which are assigned nothing until their window opens, and connections whose window has
        /// opened; the latter may exceed a host's limit.
        var stalled: Set<Int> = []
        var reopened: Set<Int> = []
        var waiting: [Int: Machine.Ticket] = [:]
        /// The requirements of each waiter so far; numbers only grow, so a smaller one came earlier.
        var wishes: [Int: (host: Int, needsFresh: Bool, priority: RequestPriority)] = [:]
        var keys: [Int: ConnectionKey] = [:]
        var hosts: [Int: Int] = [:]
        var next = 0
        /// The times at which hosts must be rechecked.
        var alarms: [(host: Int, at: NIODeadline)] = []
        /// The number of served requests when each waiter began to wait.
        var arrivals: [Int: Int] = [:]
        /// The number of requests after which a waiter that was not served counts as forgotten.
        static let patience = 400

        init(seed: UInt64) {
            random = SeededNumbers(seed)
            limits = Machine.Limits(
                connections: Int.random(in: 1...12, using: &random),
                connectionsPerHost: Int.random(in: 1...6, using: &random),
                sharedPerHost: Int.random(in: 1...4, using: &random),
                streamsPerConnection: Int.random(in: 1...5, using: &random),
                waitingPerHost: Int.random(in: 0...20, using: &random),
                idleTime: .seconds(5))
            machine = Machine(limits: limits)
            usesLanes = seed.isMultiple(of: 2)
        }

        mutating func step() {
            now = now + .milliseconds(Int64.random(in: 0...200, using: &random))
            ring()
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<35: request()
            case 35..<60: dialEnds(succeeds: Int.random(in: 0..<5, using: &random) > 0)
            case 60..<85: finish()
            case 85..<90: leave()
            case 90..<93: close()
            case 93..<94: changeCapacity()
            case 94..<95: if Bool.random(using: &random) { stall() } else { reopen() }
            case 95..<96: prewarm()
            default: look()
            }
        }

        /// Runs until all requests and dials have ended.
        mutating func drain() {
            while fault == nil, !dialing.isEmpty || !leased.isEmpty || !waiting.isEmpty {
                if dialing.isEmpty && leased.isEmpty {
                    fault = "\(waiting.count) waiters without a dial or lease"
                }
                dialEnds(succeeds: true)
                finish()
                check()
            }
            now = now + .seconds(10)
            for connection in idle.keys {
                if let key = keys[connection] { take(machine.idleTimePassed(key, now: now)) }
            }
        }

        mutating func ring() {
            let due = alarms.filter { $0.at <= now }
            alarms.removeAll { $0.at <= now }
            for alarm in due { take(machine.recheck(alarm.host, now: now)) }
        }

        /// Closes the pool: unused connections close now, the others when they are returned.
        mutating func end() {
            let unused = Set(idle.keys).union(shared.filter { $0.value.used == 0 }.keys)
            var closed: [Int] = []
            for action in machine.close() {
                switch action {
                case .close(let connection): closed.append(connection)
                case .dismiss(let waiter): waiting[waiter] = nil
                case .dial, .lease, .fail, .recheck: fault = "the pool starts something while closing"
                }
            }
            if closed.sorted() != unused.sorted() { fault = "closed \(closed), expected \(unused)" }
            if !waiting.isEmpty { fault = "\(waiting.count) waiters after the end" }
            for (key, _) in dialing {
                guard case .close = machine.dialed(key, connection: 0, now: now).first else {
                    fault = "a connection opened after the end is kept"
                    return
                }
            }
            for (connection, _) in leased {
                guard let key = keys[connection] else { continue }
                guard case .close = machine.returned(key, connection: connection, now: now).first else {
                    fault = "a connection returned after the end is kept"
                    return
                }
            }
        }

        /// True if the host's connections are shared, which the machine does not always know beforehand.
        static func isShared(_ host: Int) -> Bool { [3, 4, 6, 7].contains(host) }

        static func origin(_ host: Int) -> Origin {
            Origin(
                isSecure: true, host: "\(host)", port: 443,
                versions: host < 3 ? .http1 : host < 5 ? .http2 : .either)
        }

        mutating func request() {
            next += 1
            let host = Int.random(in: 0..<8, using: &random)
            let origin = Self.origin(host)
            let needsFresh = Int.random(in: 0..<10, using: &random) == 0
            let eventLoopIndex = usesLanes ? [nil, 0, 1, 2].randomElement(using: &random) ?? nil : nil
            let priority =
                Int.random(in: 0..<3, using: &random) == 0
                ? RequestPriority.allCases.randomElement(using: &random) ?? .normal : .normal
            wishes[next] = (host, needsFresh, priority)
            let answer = machine.request(
                origin, waiter: next, needsFresh: needsFresh, priority: priority, eventLoopIndex: eventLoopIndex,
                now: now)
            switch answer {
            case .leased(let connection):
                if needsFresh { fault = "a used connection for a waiter that needs a fresh one" }
                checkChoice(connection, host, eventLoopIndex)
                if isOvertaking(next, sameLevelOnly: false) { fault = "\(next) was served before an earlier waiter" }
                lease(connection, next)
            case .waiting(let ticket, let actions):
                waiting[next] = ticket
                arrivals[next] = served
                take(actions)
            case .refused(let actions): take(actions)
            case .closed: fault = "closed"
            }
        }

        /// Checks the choice of a connection: one in use with free capacity before an idle one, of idle ones the most
        /// recently used, in each case on the requested event loop if possible.
        mutating func checkChoice(_ connection: Int, _ host: Int, _ eventLoopIndex: Int?) {
            if let (used, _) = shared[connection], used > 0 {
                let isBetterThere = shared.contains { other, carries in
                    hosts[other] == host && lanes[other] == eventLoopIndex && carries.used > 0
                        && carries.used < carries.capacity
                }
                if eventLoopIndex != nil, lanes[connection] != eventLoopIndex, isBetterThere {
                    fault = "a stream on another loop"
                }
                return
            }
            let candidates = idle.filter { hosts[$0.key] == host }
            // A connection that has idled too long is not preferred for its loop.
            let own = candidates.filter {
                lanes[$0.key] == eventLoopIndex && since[$0.key].map { $0 + limits.idleTime > now } ?? false
            }
            let best = (eventLoopIndex == nil || own.isEmpty ? candidates : own).max { $0.value < $1.value }
            if best?.key != connection { fault = "\(connection) was not used last, \(best?.key ?? 0) was" }
        }

        /// Requests connections before they are needed.
        mutating func prewarm() {
            let host = Int.random(in: 0..<8, using: &random)
            for key in machine.prewarm(Self.origin(host), upTo: Int.random(in: 0...4, using: &random)) {
                dialing.append((key, host))
            }
        }

        /// Returns true if an earlier waiter waits for the same resource.
        func isOvertaking(_ waiter: Int, sameLevelOnly: Bool) -> Bool {
            guard let wish = wishes[waiter] else { return false }
            return waiting.keys.contains { other in
                guard other < waiter, let first = wishes[other] else { return false }
                return first.host == wish.host && !first.needsFresh
                    && (first.priority == wish.priority || !sameLevelOnly)
            }
        }

        mutating func rests(_ connection: Int) {
            clock += 1
            idle[connection] = clock
            since[connection] = now
        }

        mutating func dialEnds(succeeds: Bool) {
            guard let index = dialing.indices.randomElement(using: &random) else { return }
            let (key, host) = dialing.remove(at: index)
            if succeeds {
                next += 1
                keys[next] = key
                hosts[next] = host
                rests(next)
                let eventLoopIndex = Int.random(in: 0..<3, using: &random)
                lanes[next] = eventLoopIndex
                if Self.isShared(host) { shared[next] = (0, machine.streams(to: Self.origin(host))) }
                take(
                    machine.dialed(
                        key, connection: next, isShared: Self.isShared(host), eventLoopIndex: eventLoopIndex, now: now))
            } else {
                let spared = Int.random(in: 1...4, using: &random)
                take(machine.connectionFailed(key, now: now) { $0.isMultiple(of: spared) && spared > 1 })
            }
        }

        mutating func finish() {
            guard let index = leased.indices.randomElement(using: &random) else { return }
            let (connection, _) = leased.remove(at: index)
            guard let key = keys[connection] else { return }
            free(connection)
            take(machine.returned(key, connection: connection, now: now))
            closeIfSpent(connection)
        }

        /// Ends one of the requests of a connection.
        mutating func free(_ connection: Int) {
            guard let (used, capacity) = shared[connection] else {
                rests(connection)
                return
            }
            shared[connection] = (used - 1, capacity)
            if used == 1, capacity > 0 { rests(connection) }
        }

        /// Closes a shared connection without capacity when its last request ends.
        mutating func closeIfSpent(_ connection: Int) {
            if let (used, capacity) = shared[connection], used == 0, capacity == 0 { forget(connection) }
        }

        mutating func changeCapacity() {
            guard let connection = shared.keys.sorted().randomElement(using: &random),
                let (used, capacity) = shared[connection], capacity > 0, let key = keys[connection]
            else { return }
            let now = self.now
            let changed = Int.random(in: 0...6, using: &random)
            shared[connection] = (used, changed)
            if used == 0 {
                if changed == 0 { idle[connection] = nil } else { rests(connection) }
            }
            take(machine.capacityChanged(key, to: changed, now: now))
            closeIfSpent(connection)
        }

        mutating func close() {
            if Bool.random(using: &random), let index = leased.indices.randomElement(using: &random) {
                let connection = leased[index].connection
                leased.removeAll { $0.connection == connection }
                forget(connection)
            } else if let connection = idle.keys.sorted().randomElement(using: &random) {
                forget(connection)
            }
        }

        mutating func forget(_ connection: Int) {
            guard let key = keys.removeValue(forKey: connection) else { return }
            shared[connection] = nil
            idle[connection] = nil
            take(machine.closed(key))
        }

        mutating func leave() {
            guard let waiter = waiting.keys.sorted().randomElement(using: &random) else { return }
            guard let ticket = waiting[waiter] else { return }
            if Bool.random(using: &random) {
                if !machine.cancelled(ticket) { fault = "a waiter was not found" }
                waiting[waiter] = nil
            } else if machine.queueTimePassed(ticket) {
                waiting[waiter] = nil
            }
        }

        mutating func look() {
            guard let connection = idle.keys.sorted().randomElement(using: &random), let key = keys[connection] else {
                return
            }
            take(machine.idleTimePassed(key, now: now))
        }

        mutating func lease(_ connection: Int, _ waiter: Int) {
            if let (used, capacity) = shared[connection] {
                if used >= capacity { fault = "connection \(connection) exceeds its capacity" }
                shared[connection] = (used + 1, capacity)
                idle[connection] = nil
            } else if idle.removeValue(forKey: connection) == nil {
                fault = "connection \(connection) is not free"
            }
            leased.append((connection, waiter))
            served += 1
        }

        mutating func take(_ actions: [Machine.Action]) {
            for action in actions {
                switch action {
                case .dial(let key, let origin, let waiter):
                    if waiting[waiter] == nil, waiter != next { fault = "a dial for an unknown waiter" }
                    dialing.append((key, Int(origin.host) ?? 0))
                case .lease(let connection, let waiter, let isFresh):
                    if waiting.removeValue(forKey: waiter) == nil { fault = "a lease for an unknown waiter" }
                    // The waiter that caused a dial gets its connection, even if others have waited longer.
                    if !isFresh, wishes[waiter]?.needsFresh == false, isOvertaking(waiter, sameLevelOnly: true) {
                        fault = "\(waiter) was served before an earlier one of the same priority"
                    }
                    lease(connection, waiter)
                case .fail(let waiter):
                    if waiting.removeValue(forKey: waiter) == nil { fault = "a failure for an unknown waiter" }
                case .dismiss: fault = "dismissed"
                case .close(let connection):
                    if idle.removeValue(forKey: connection) == nil { fault = "closing a connection in use" }
                    if keys[connection] != nil { closedWhileUseful += 1 }
                    keys[connection] = nil
                    shared[connection] = nil
                case .recheck(let host, let time): alarms.append((host, time))
                }
            }
        }
    }
}
