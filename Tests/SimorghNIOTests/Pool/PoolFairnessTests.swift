// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO
import Testing

@Suite("ConnectionPoolStateMachine: fairness and limits", .timeLimit(.minutes(5)))
struct PoolFairnessTests {
    private static func origin(_ name: String, _ versions: Origin.Versions = .http1) -> Origin {
        Origin(isSecure: versions == .either, host: name, port: 80, versions: versions)
    }

    private static func driver(
        connections: Int = 10, perHost: Int = 10, sharedPerHost: Int = 4, streams: Int = 3, waiting: Int = 100
    ) -> PoolDriver {
        PoolDriver(
            PoolDriver.Machine(
                limits: .init(
                    connections: connections, connectionsPerHost: perHost, sharedPerHost: sharedPerHost,
                    streamsPerConnection: streams, waitingPerHost: waiting, idleTime: .seconds(60))))
    }

    @Test("If servers close after each response, waiting hosts take turns")
    func closingServers() {
        var pool = Self.driver(connections: 1, perHost: 1)
        for number in 0..<6 {
            for host in ["a", "b", "c"] { pool.request(Self.origin(host), "\(host)\(number)") }
        }
        for number in 0..<18 {
            pool.dialed(number)
            pool.closed(number)
        }
        let served = pool.log.filter { $0.hasPrefix("lease") }.compactMap { $0.split(separator: " ").last?.first }
        #expect(String(served) == String(repeating: "abc", count: 6))
        #expect(pool.machine.knownHosts == 0)
    }

    @Test("needsFresh: a request waits for at most one returned connection, however many others wait")
    func freshAtTheLimit() {
        var pool = Self.driver(perHost: 1)
        pool.request(Self.origin("a"), "first")
        pool.dialed(0)
        for number in 0..<5 { pool.request(Self.origin("a"), "other\(number)") }
        pool.request(Self.origin("a"), "fresh", needsFresh: true)
        pool.finish("first")
        #expect(pool.log.suffix(2) == ["close 0", "dial 1 a for fresh"])
        pool.dialed(1)
        #expect(pool.log.last == "lease 1 to fresh")
        pool.finish("fresh")
        #expect(pool.log.last == "lease 1 to other0")
    }

    @Test("needsFresh: a request with a dial in progress takes no used connection, and closes none")
    func freshOnTheWay() {
        var pool = Self.driver(perHost: 2)
        pool.request(Self.origin("a"), "first")
        pool.dialed(0)
        pool.request(Self.origin("a"), "fresh", needsFresh: true)
        pool.request(Self.origin("a"), "other")
        pool.finish("first")
        #expect(pool.log.last == "lease 0 to other")
        pool.dialed(1)
        #expect(pool.log.last == "lease 1 to fresh")
    }

    @Test("A refused request still closes unusable connections")
    func refusal() {
        var pool = Self.driver(sharedPerHost: 3, streams: 1, waiting: 0)
        let origin = Self.origin("a", .http2)
        for number in 0..<2 {
            pool.request(origin, "\(number)")
            pool.dialed(number, isShared: true)
        }
        pool.request(origin, "2")
        pool.connectionFailed(2)
        pool.finish("0")
        #expect(pool.log.last == "lease 0 to 2")
        pool.finish("2")
        #expect(pool.machine.idle == 1)
        let answer = pool.request(origin, "fresh", needsFresh: true)
        #expect(answer == "refused")
        #expect(pool.log.last == "close 0")
        #expect(pool.machine.connections == 1)
    }

    @Test("close() closes a connection with a capacity of 0")
    func closing() {
        var pool = Self.driver()
        pool.request(Self.origin("a", .http2), "a")
        pool.dialed(0, isShared: true)
        pool.finish("a")
        pool.changeCapacity(0, to: 0)
        #expect(pool.machine.idle == 0)
        pool.close()
        #expect(pool.log.last == "close 0")
    }

    @Test("A failed dial fails the waiters that are not spared, and a new dial starts for the others")
    func patience() {
        var pool = Self.driver(streams: 10)
        let origin = Self.origin("a", .either)
        for name in ["hasty", "patient", "rash"] { pool.request(origin, name) }
        pool.request(origin, "calm", priority: .high)
        pool.request(origin, "quick", priority: .low)
        pool.connectionFailed(0, sparing: ["patient", "calm"])
        #expect(
            pool.log == ["dial 0 a for hasty", "fail hasty", "fail rash", "fail quick", "dial 1 a for calm"])
        #expect(pool.machine.waiting == 2)
        pool.dialed(1, isShared: true)
        #expect(pool.log.suffix(2) == ["lease 1 to calm", "lease 1 to patient"])
    }

    @Test("After a failed additional connection the next one is tried after 1 s, then after 2 s")
    func growth() {
        var pool = Self.driver(streams: 1)
        let origin = Self.origin("a", .http2)
        pool.request(origin, "a")
        pool.dialed(0, isShared: true)
        pool.request(origin, "b")
        pool.connectionFailed(1)
        pool.ring()
        pool.request(origin, "c")
        #expect(pool.log.last == "dial 1 a for b")
        pool.pass(.seconds(1))
        pool.ring()
        #expect(pool.log.last == "dial 3 a for c" && pool.log.dropLast().last == "dial 2 a for b")
        pool.connectionFailed(2)
        pool.connectionFailed(3)
        pool.pass(.seconds(1))
        pool.ring()
        #expect(pool.log.last == "dial 3 a for c")
        pool.pass(.seconds(1))
        pool.ring()
        #expect(pool.log.last == "dial 5 a for c")
        pool.dialed(4, isShared: true)
        pool.dialed(5, isShared: true)
        #expect(pool.log.suffix(2) == ["lease 4 to b", "lease 5 to c"])
    }

    @Test("A new connection is assumed to have the stream capacity that the host last reported")
    func capacity() {
        var pool = Self.driver(streams: 10)
        let origin = Self.origin("a", .http2)
        pool.request(origin, "first")
        pool.dialed(0, isShared: true)
        pool.changeCapacity(0, to: 2)
        for number in 0..<8 { pool.request(origin, "\(number)") }
        pool.dialed(1, isShared: true)
        #expect(pool.log.count { $0.hasPrefix("lease 1") } == 2)
        pool.changeCapacity(1, to: 4)
        #expect(pool.log.count { $0.hasPrefix("lease 1") } == 4)
        pool.dialed(2, isShared: true)
        #expect(pool.log.count { $0.hasPrefix("lease 2") } == 3)
        #expect(pool.machine.waiting == 0)
    }

    @Test("Extreme limits are respected", arguments: [Int.min, -1, 0, 1, 2, .max])
    func extremes(limit: Int) {
        var pool = PoolDriver(
            PoolDriver.Machine(
                limits: .init(
                    connections: limit, connectionsPerHost: limit, sharedPerHost: limit, streamsPerConnection: limit,
                    waitingPerHost: limit, idleTime: .nanoseconds(Int64(clamping: limit) / 4))))
        for origin in [Self.origin("a"), Self.origin("b", .http2), Self.origin("c", .either)] {
            let first = pool.keys.count
            let begun = pool.prewarm(origin, upTo: 3)
            #expect(begun <= 3)
            for number in 0..<20 { pool.request(origin, "\(origin.host)\(number)") }
            var next = first
            while next < pool.keys.count {
                pool.dialed(next, isShared: origin.host == "b")
                next += 1
            }
            for number in 0..<20 { pool.finish("\(origin.host)\(number)") }
            pool.pass(.hours(24))
            for number in first..<pool.keys.count { pool.idleTimePassed(number) }
            if limit < .max { #expect(pool.machine.knownHosts == 0) }
        }
    }

    @Test("Origins that differ only in TLS options or route have different hashes")
    func hashes() {
        var hashes: Set<Int> = []
        for number in 0..<100 {
            var options = TLSOptions()
            options.additionalRoots = ["\(number)"]
            hashes.insert(Origin(isSecure: true, host: "a", port: 443, tls: options).hashValue)
            var route = Route()
            route.unixSocket = "/\(number)"
            hashes.insert(Origin(isSecure: true, host: "a", port: 443, route: route).hashValue)
        }
        #expect(hashes.count > 190)
    }

    @Test("Origins are equal if all their properties are, and then have the same hash")
    func sameness() {
        var options = TLSOptions()
        options.additionalRoots = ["a"]
        var route = Route()
        route.localAddress = "127.0.0.2"
        var further = route
        further.addresses = ["127.0.0.3"]
        let origins = [
            Origin(isSecure: true, host: "a", port: 443, versions: .either, tls: options, route: route),
            Origin(isSecure: false, host: "a", port: 443, versions: .either, tls: options, route: route),
            Origin(isSecure: true, host: "b", port: 443, versions: .either, tls: options, route: route),
            Origin(isSecure: true, host: "a", port: 444, versions: .either, tls: options, route: route),
            Origin(isSecure: true, host: "a", port: 443, versions: .http2, tls: options, route: route),
            Origin(isSecure: true, host: "a", port: 443, versions: .either, route: route),
            Origin(isSecure: true, host: "a", port: 443, versions: .either, tls: options, route: further),
            Origin(isSecure: true, host: "a", port: 443, versions: .either, tls: options),
        ]
        for (place, origin) in origins.enumerated() {
            #expect(origins.filter { $0 == origin } == [origin], "number \(place) equals another")
            // A new value, so that its route shares no storage.
            let same = Origin(
                isSecure: origin.isSecure, host: origin.host, port: origin.port, versions: origin.versions,
                tls: origin.tls, route: origin.route)
            #expect(same == origin)
            #expect(same.hashValue == origin.hashValue)
        }
    }
}
