// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

@Suite("ConnectionPoolStateMachine", .timeLimit(.minutes(5)))
struct ConnectionPoolStateMachineTests {
    typealias Machine = ConnectionPoolStateMachine<Int, String>

    static let here = Origin(isSecure: false, host: "here", port: 80)
    static let there = Origin(isSecure: true, host: "there", port: 443)

    static func machine(connections: Int = 10, perHost: Int = 2, waiting: Int = 100) -> Machine {
        Machine(
            limits: .init(
                connections: connections, connectionsPerHost: perHost, waitingPerHost: waiting, idleTime: .seconds(60)))
    }

    @Test("The most recently used idle connection is leased first")
    func lastInFirstOut() {
        var pool = PoolDriver(Self.machine())
        pool.request(Self.here, "a")
        pool.request(Self.here, "b")
        pool.dialed(0)
        pool.dialed(1)
        pool.finish("a")
        pool.finish("b")
        let answer = pool.request(Self.here, "c")
        #expect(answer == "leased 1")
    }

    @Test("Waiters are served first-in first-out, by the first connection that is free")
    func firstComeFirstServed() {
        var pool = PoolDriver(Self.machine(perHost: 1))
        pool.request(Self.here, "a")
        pool.request(Self.here, "b")
        pool.request(Self.here, "c")
        pool.dialed(0)
        #expect(pool.log == ["dial 0 here for a", "lease 0 to a"])
        pool.finish("a")
        pool.finish("b")
        #expect(pool.log.suffix(2) == ["lease 0 to b", "lease 0 to c"])
    }

    @Test("A connection whose waiter was cancelled serves another request, or idles")
    func orphans() {
        var pool = PoolDriver(Self.machine())
        pool.request(Self.here, "a")
        let wasWaiting = pool.cancel("a")
        #expect(wasWaiting)
        pool.dialed(0)
        #expect(pool.machine.idle == 1)
        let answer = pool.request(Self.here, "b")
        #expect(answer == "leased 0")
        #expect(pool.machine.dials == 1)
    }

    @Test("A host that reuses the index of a removed one is not confused with it")
    func forgotten() {
        var pool = PoolDriver(Self.machine())
        pool.request(Self.here, "a")
        pool.dialed(0)
        pool.request(Self.here, "b")
        pool.dialed(1)
        pool.closed(0)
        pool.closed(1)
        #expect(pool.machine.knownHosts == 0)
        pool.request(Self.there, "c")
        pool.dialed(2)
        pool.finish("c")
        var answers = [pool.request(Self.here, "d")]
        pool.dialed(3)
        pool.finish("d")
        for waiter in ["e", "f"] {
            for origin in [Self.there, Self.here] {
                answers.append(pool.request(origin, waiter))
                pool.finish(waiter)
            }
        }
        #expect(answers == ["waiting", "leased 2", "leased 3", "leased 2", "leased 3"])
    }

    @Test("A failed dial fails its waiter, and a new dial starts for the next one")
    func failures() {
        var pool = PoolDriver(Self.machine(perHost: 1))
        pool.request(Self.here, "a")
        pool.request(Self.here, "b")
        pool.connectionFailed(0)
        #expect(pool.log == ["dial 0 here for a", "fail a", "dial 1 here for b"])
        pool.connectionFailed(1)
        #expect(pool.machine.knownHosts == 0)
        #expect(pool.machine.connections == 0)
    }

    @Test("At the total limit the longest idle connection is evicted")
    func eviction() {
        var pool = PoolDriver(Self.machine(connections: 2))
        pool.request(Self.here, "a")
        pool.request(Self.there, "b")
        pool.dialed(0)
        pool.dialed(1)
        pool.finish("b")
        pool.pass(.seconds(1))
        pool.finish("a")
        pool.request(Origin(isSecure: false, host: "third", port: 80), "c")
        #expect(pool.log.suffix(2) == ["close 1", "dial 2 third for c"])
    }

    @Test("A host without a connection gets the next one that is free, before waiters of other hosts")
    func noStarvation() {
        var pool = PoolDriver(Self.machine(connections: 2, perHost: 2))
        for name in ["a", "b", "c", "d"] { pool.request(Self.here, name) }
        pool.dialed(0)
        pool.dialed(1)
        pool.request(Self.there, "x")
        #expect(pool.log.count == 4)
        pool.finish("a")
        #expect(pool.log.suffix(2) == ["close 0", "dial 2 there for x"])
        pool.finish("b")
        #expect(pool.log.last == "lease 1 to c")
    }

    @Test("needsFresh: the request gets a new connection, and the idle ones of the host are closed")
    func fresh() {
        var pool = PoolDriver(Self.machine())
        pool.request(Self.here, "a")
        pool.request(Self.here, "b")
        pool.dialed(0)
        pool.dialed(1)
        pool.finish("a")
        pool.request(Self.here, "c", needsFresh: true)
        #expect(pool.log.suffix(2) == ["close 0", "dial 2 here for c"])
        pool.finish("b")
        #expect(pool.machine.idle == 1)
        pool.dialed(2)
        #expect(pool.log.last == "lease 2 to c")
    }

    @Test("An idle connection is closed after idleTime, and not before")
    func idleTime() {
        var pool = PoolDriver(Self.machine())
        pool.request(Self.here, "a")
        pool.dialed(0)
        pool.finish("a")
        pool.pass(.seconds(59))
        pool.idleTimePassed(0)
        #expect(pool.machine.idle == 1)
        pool.pass(.seconds(1))
        pool.idleTimePassed(0)
        #expect(pool.log.last == "close 0")
        #expect(pool.machine.knownHosts == 0)
    }

    @Test("A connection that has exceeded idleTime is not leased, even if its timer is late")
    func lateTimer() {
        var pool = PoolDriver(Self.machine())
        pool.request(Self.here, "a")
        pool.dialed(0)
        pool.finish("a")
        pool.pass(.seconds(60))
        pool.request(Self.here, "b")
        #expect(pool.log.suffix(2) == ["close 0", "dial 1 here for b"])
    }

    @Test("queueTimePassed does not fail a waiter whose connection is being dialed")
    func queueTime() {
        var pool = PoolDriver(Self.machine(perHost: 1))
        pool.request(Self.here, "a")
        pool.request(Self.here, "b")
        let passed = ["a", "b", "b"].map { pool.queueTimePassed($0) }
        #expect(passed == [false, true, false])
    }

    @Test("Events of a closed connection change nothing")
    func lateNews() {
        var pool = PoolDriver(Self.machine())
        pool.request(Self.here, "a")
        pool.dialed(0)
        pool.finish("a")
        pool.closed(0)
        let before = pool.log
        pool.closed(0)
        pool.idleTimePassed(0)
        #expect(pool.log == before)
        #expect(pool.machine.connections == 0)
    }

    @Test("Hosts without connections are removed (1,000 hosts)")
    func crawler() {
        var pool = PoolDriver(Self.machine(connections: 4))
        for number in 0..<1000 {
            pool.request(Origin(isSecure: false, host: "host\(number)", port: 80), "w\(number)")
            pool.dialed(number)
            pool.finish("w\(number)")
        }
        #expect(pool.machine.knownHosts <= 4)
        #expect(pool.machine.connections <= 4)
    }

    @Test("close() dismisses waiters, closes idle connections at once, and leased ones when they are returned")
    func end() {
        var pool = PoolDriver(Self.machine(perHost: 2))
        pool.request(Self.here, "a")
        pool.request(Self.here, "b")
        pool.dialed(0)
        pool.dialed(1)
        pool.request(Self.here, "c")
        pool.request(Self.there, "d")
        pool.dialed(2)
        pool.finish("d")
        pool.close()
        #expect(pool.log.suffix(2).sorted() == ["close 2", "dismiss c"])
        pool.finish("a")
        #expect(pool.log.last == "close 0")
        let answer = pool.request(Self.here, "e")
        #expect(answer == "closed")
    }
}
