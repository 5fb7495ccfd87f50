// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

/// The number of entries that the machine visits for one event, if there are many entries.
@Suite("ConnectionPoolStateMachine: cost per event", .timeLimit(.minutes(10)))
struct PoolCostTests {
    private static func machine(connections: Int, perHost: Int = 10_000) -> PoolDriver {
        PoolDriver(
            ConnectionPoolStateMachine(
                limits: .init(
                    connections: connections, connectionsPerHost: perHost, waitingPerHost: 100_000,
                    idleTime: .seconds(60))))
    }

    private static func origin(_ number: Int) -> Origin { Origin(isSecure: false, host: "host\(number)", port: 80) }

    @Test("Eviction visits one connection, however many are idle", arguments: [1, 100, 10_000])
    func room(hosts: Int) {
        var pool = Self.machine(connections: hosts)
        for number in 0..<hosts {
            pool.request(Self.origin(number), "\(number)")
            pool.dialed(number)
            pool.finish("\(number)")
        }
        #expect(pool.machine.idle == hosts)
        let before = pool.machine.visits
        pool.request(Self.origin(hosts), "new")
        #expect(pool.log.suffix(2) == ["close 0", "dial \(hosts) host\(hosts) for new"])
        #expect(pool.machine.visits - before <= 2)
    }

    @Test("A request to a host with an idle connection visits no other host", arguments: [1, 100, 10_000])
    func warm(hosts: Int) {
        var pool = Self.machine(connections: hosts)
        for number in 0..<hosts {
            pool.request(Self.origin(number), "\(number)")
            pool.dialed(number)
            pool.finish("\(number)")
        }
        let before = pool.machine.visits
        for _ in 0..<10 {
            let answer = pool.request(Self.origin(hosts / 2), "again")
            #expect(answer == "leased \(hosts / 2)")
            pool.finish("again")
        }
        #expect(pool.machine.visits == before)
    }

    @Test("Each connection of a burst costs as much as a single one", arguments: [1, 100, 10_000])
    func burst(requests: Int) {
        var pool = Self.machine(connections: requests)
        for number in 0..<requests { pool.request(Self.origin(0), "\(number)") }
        #expect(pool.machine.dialing == requests)
        for number in 0..<requests { pool.dialed(number) }
        for number in 0..<requests { pool.finish("\(number)") }
        #expect(pool.machine.idle == requests)
        #expect(pool.machine.visits <= 2 * requests)
    }

    @Test("A returned connection is assigned without visiting the waiting requests", arguments: [1, 100, 10_000])
    func line(hosts: Int) {
        var pool = Self.machine(connections: 2, perHost: 2)
        for name in ["a", "b", "c"] { pool.request(Self.origin(0), name) }
        pool.dialed(0)
        pool.dialed(1)
        for number in 1...hosts { pool.request(Self.origin(number), "\(number)") }
        let before = pool.machine.visits
        pool.finish("a")
        #expect(pool.log.suffix(2) == ["close 0", "dial 2 host1 for 1"])
        pool.finish("b")
        #expect(pool.log.last == (hosts > 1 ? "dial 3 host2 for 2" : "lease 1 to c"))
        #expect(pool.machine.visits - before <= 4)
    }

    @Test("Cancelling waiters anywhere in the queue visits no other waiter", arguments: [100, 10_000])
    func leaving(waiters: Int) {
        var pool = Self.machine(connections: 1, perHost: 1)
        for number in 0..<waiters { pool.request(Self.origin(0), "\(number)") }
        let before = pool.machine.visits
        for number in stride(from: waiters - 1, to: 0, by: -2) {
            let wasWaiting = pool.cancel("\(number)")
            #expect(wasWaiting)
        }
        #expect(pool.machine.waiting == waiters / 2)
        #expect(pool.machine.visits == before)
        pool.connectionFailed(0)
        #expect(pool.log.suffix(2) == ["fail 0", "dial 1 host0 for 2"])
        #expect(pool.machine.visits - before <= 4)
    }

    @Test("Closing idle connections costs the same for each", arguments: [100, 10_000])
    func closing(connections: Int) {
        var pool = Self.machine(connections: connections)
        for number in 0..<connections { pool.request(Self.origin(0), "\(number)") }
        for number in 0..<connections { pool.dialed(number) }
        for number in 0..<connections { pool.finish("\(number)") }
        let before = pool.machine.visits
        for number in 0..<connections { pool.closed(number) }
        #expect(pool.machine.connections == 0)
        #expect(pool.machine.knownHosts == 0)
        #expect(pool.machine.visits == before)
    }
}
