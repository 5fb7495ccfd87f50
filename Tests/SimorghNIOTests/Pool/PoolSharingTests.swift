// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

@Suite("ConnectionPoolStateMachine: shared (HTTP/2) connections", .timeLimit(.minutes(5)))
struct PoolSharingTests {
    static let either = Origin(isSecure: true, host: "either", port: 443, versions: .either)

    static func driver(sharedPerHost: Int = 2, streams: Int = 3) -> PoolDriver {
        PoolDriver(
            PoolDriver.Machine(
                limits: .init(
                    connections: 10, connectionsPerHost: 5, sharedPerHost: sharedPerHost, streamsPerConnection: streams,
                    waitingPerHost: 100, idleTime: .seconds(60))))
    }

    @Test("For an unknown host one connection is dialed, and all waiters share it if it is shared")
    func firstContact() {
        var pool = Self.driver()
        for waiter in ["a", "b", "c"] { pool.request(Self.either, waiter) }
        #expect(pool.log == ["dial 0 either for a"])
        pool.dialed(0, isShared: true)
        #expect(pool.log.dropFirst() == ["lease 0 to a", "lease 0 to b", "lease 0 to c"])
        pool.finish("b")
        let answers = [pool.request(Self.either, "d"), pool.request(Self.either, "e")]
        #expect(answers == ["leased 0", "waiting"])
        #expect(pool.log.last == "dial 1 either for e")
    }

    @Test("A lease of a connection that was dialed for another waiter counts as reuse")
    func reuses() {
        var pool = Self.driver()
        for waiter in ["a", "b", "c", "d"] { pool.request(Self.either, waiter) }
        pool.dialed(0, isShared: true)
        #expect(pool.log.last == "dial 1 either for d")
        #expect(pool.machine.reuses == 2)
        pool.finish("a")
        #expect(pool.log.last == "lease 0 to d")
        #expect(pool.machine.reuses == 3)
    }

    @Test("A stalled connection is assigned nothing until it has capacity again, and another one is dialed")
    func stalls() {
        var pool = Self.driver()
        pool.request(Self.either, "a")
        pool.dialed(0, isShared: true)
        // Stalling twice has no further effect.
        let stalls = [pool.stall(0), pool.stall(0)]
        #expect(stalls == [true, false])
        pool.request(Self.either, "b")
        #expect(pool.log.last == "dial 1 either for b")
        pool.dialed(1, isShared: true)
        #expect(pool.log.last == "lease 1 to b")
        let third = pool.request(Self.either, "c")
        #expect(third == "leased 1")
        // Its requests continue, and its slot is not freed.
        pool.changeCapacity(0, to: 3)
        pool.finish("b")
        pool.finish("c")
        pool.closed(1)
        let fourth = pool.request(Self.either, "d")
        #expect(fourth == "leased 0")
        pool.finish("a")
        #expect(pool.machine.connections == 1)
    }

    @Test("A stalled connection stays in use if the limits allow no other; of two, the second one stays")
    func stallsAtTheLimit() {
        var pool = PoolDriver(
            PoolDriver.Machine(
                limits: .init(
                    connections: 1, connectionsPerHost: 5, streamsPerConnection: 3, waitingPerHost: 100,
                    idleTime: .seconds(60))))
        pool.request(Self.either, "a")
        pool.dialed(0, isShared: true)
        let stalls = pool.stall(0)
        #expect(!stalls)
        let second = pool.request(Self.either, "b")
        #expect(second == "leased 0")

        var two = PoolDriver(
            PoolDriver.Machine(
                limits: .init(
                    connections: 2, connectionsPerHost: 2, streamsPerConnection: 1, waitingPerHost: 100,
                    idleTime: .seconds(60))))
        for waiter in ["a", "b"] { two.request(Self.either, waiter) }
        two.dialed(0, isShared: true)
        two.dialed(1, isShared: true)
        let both = [two.stall(0), two.stall(1)]
        #expect(both == [true, false])
        two.finish("b")
        let third = two.request(Self.either, "c")
        #expect(third == "leased 1")
    }

    @Test("A returned connection that serves a queued waiter counts as reuse")
    func reusesInQueue() {
        let origin = Origin(isSecure: false, host: "single", port: 80)
        var pool = PoolDriver(
            PoolDriver.Machine(
                limits: .init(connections: 1, connectionsPerHost: 1, waitingPerHost: 100, idleTime: .seconds(60))))
        for waiter in ["a", "b", "c"] { pool.request(origin, waiter) }
        pool.dialed(0)
        #expect(pool.machine.reuses == 0)
        pool.finish("a")
        pool.finish("b")
        #expect(pool.log.suffix(2) == ["lease 0 to b", "lease 0 to c"])
        #expect(pool.machine.reuses == 2)
        #expect(pool.machine.dials == 1)
    }

    @Test("If the first connection is not shared, the other waiters dial at once")
    func single() {
        var pool = Self.driver()
        for waiter in ["a", "b", "c"] { pool.request(Self.either, waiter) }
        pool.dialed(0)
        #expect(pool.log == ["dial 0 either for a", "lease 0 to a", "dial 1 either for b", "dial 2 either for c"])
    }

    @Test("A failed first dial fails all its waiters, and the next request dials again")
    func failure() {
        var pool = Self.driver()
        for waiter in ["a", "b"] { pool.request(Self.either, waiter) }
        pool.connectionFailed(0)
        #expect(pool.log == ["dial 0 either for a", "fail a", "fail b"])
        pool.request(Self.either, "c")
        #expect(pool.log.last == "dial 1 either for c")
    }

    @Test("If an additional dial fails, its waiter gets the next free stream, and the limit holds")
    func growth() {
        var pool = Self.driver(sharedPerHost: 2, streams: 1)
        pool.request(Self.either, "a")
        pool.dialed(0, isShared: true)
        for waiter in ["b", "c"] { pool.request(Self.either, waiter) }
        #expect(pool.log.last == "dial 1 either for b")
        pool.connectionFailed(1)
        #expect(pool.log.last == "dial 1 either for b")
        pool.finish("a")
        pool.finish("b")
        #expect(pool.log.suffix(2) == ["lease 0 to b", "lease 0 to c"])
    }

    @Test("A changed capacity is used at once, and a capacity of 0 drains the connection")
    func capacity() {
        var pool = Self.driver(sharedPerHost: 1, streams: 1)
        for waiter in ["a", "b", "c", "d"] { pool.request(Self.either, waiter) }
        pool.dialed(0, isShared: true)
        #expect(pool.log.last == "lease 0 to a")
        pool.changeCapacity(0, to: 3)
        #expect(pool.log.suffix(2) == ["lease 0 to b", "lease 0 to c"])
        pool.changeCapacity(0, to: 0)
        #expect(pool.log.last == "dial 1 either for d")
        for waiter in ["a", "b", "c"] { pool.finish(waiter) }
        pool.closed(0)
        pool.dialed(1, isShared: true)
        #expect(pool.log.last == "lease 1 to d")
        #expect(pool.machine.connections == 1)
    }
}
