// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("AddressLookup", .timeLimit(.minutes(5)))
struct AddressLookupTests {
    private static let loop = MultiThreadedEventLoopGroup.singleton.any()

    @Test(
        "A lookup of one family that never returns does not delay the lookup of the other family",
        arguments: AddressFamily.allCases)
    func silentFamily(_ silent: AddressFamily) async throws {
        let answer = DispatchSemaphore(value: 0)
        let lookup = AddressLookup(
            .blocking(
                ResolverPool { _, port, family in
                    if family == silent { answer.wait() }
                    return [try SocketAddress(ipAddress: family == .ipv4 ? "192.0.2.1" : "2001:db8::1", port: port)]
                }), loop: Self.loop)
        // The silent family is looked up first.
        let late = lookup.addresses(of: "bird.test", port: 80, family: silent)
        let other: AddressFamily = silent == .ipv4 ? .ipv6 : .ipv4
        let found = try await lookup.addresses(of: "bird.test", port: 80, family: other).get()
        #expect(found.map(\.port) == [80])
        #expect(found.map(\.protocol) == [other == .ipv4 ? .inet : .inet6])
        answer.signal()
        #expect(try await late.get().count == 1)
    }

    @Test("A local address of one family disables lookups of the other family")
    func local() async throws {
        struct Asked: Error {}
        let lookup = AddressLookup(
            .blocking(
                ResolverPool { _, port, family in
                    guard family == .ipv4 else { throw Asked() }
                    return [try SocketAddress(ipAddress: "192.0.2.1", port: port)]
                }), loop: Self.loop, local: .inet)
        #expect(try await lookup.addresses(of: "bird.test", port: 80, family: .ipv6).get().isEmpty)
        #expect(try await lookup.addresses(of: "bird.test", port: 80, family: .ipv4).get().count == 1)
    }

    @Test("Lookups are limited in number, equal ones share one call, and lookups beyond the queue limit fail at once")
    func bounded() async throws {
        let answer = DispatchSemaphore(value: 0)
        let requested = Mutex<[String]>([])
        let pool = ResolverPool(maximumConcurrent: 2, maximumSlow: 0, maximumQueued: 1) { host, port, _ in
            requested.withLock { $0.append(host) }
            answer.wait()
            return [try SocketAddress(ipAddress: "192.0.2.1", port: port)]
        }
        let lookup = AddressLookup(.blocking(pool), loop: Self.loop)
        func find(_ host: String) -> EventLoopFuture<[SocketAddress]> {
            lookup.addresses(of: host, port: 80, family: .ipv4)
        }
        let found = ["a.test", "b.test", "a.test", "c.test", "c.test"].map(find)
        await #expect(throws: ResolverPool.FullError.self) { try await find("d.test").get() }
        #expect(pool.waiting == 5)
        try await eventually { requested.withLock { $0.count } == 2 }
        for _ in 0..<3 { answer.signal() }
        for future in found { #expect(try await future.get().count == 1) }
        #expect(requested.withLock { $0.sorted() } == ["a.test", "b.test", "c.test"])
        #expect(pool.waiting == 0)
    }

    @Test("A lookup that blocks forever does not keep other names waiting for long")
    func late() async throws {
        let answer = DispatchSemaphore(value: 0)
        let pool = ResolverPool(maximumConcurrent: 1, maximumSlow: 1, patience: .zero) { host, port, _ in
            if host == "silent.test" { answer.wait() }
            return [try SocketAddress(ipAddress: "192.0.2.1", port: port)]
        }
        let lookup = AddressLookup(.blocking(pool), loop: Self.loop)
        let silent = lookup.addresses(of: "silent.test", port: 80, family: .ipv4)
        for host in ["a.test", "b.test", "c.test"] {
            #expect(try await lookup.addresses(of: host, port: 80, family: .ipv4).get().count == 1)
        }
        #expect(pool.waiting == 1)
        answer.signal()
        #expect(try await silent.get().count == 1)
        #expect(pool.waiting == 0)
    }

    @Test("A cancelled lookup leaves the queue, and its name is not resolved")
    func leaves() async throws {
        let answer = DispatchSemaphore(value: 0)
        let requested = Mutex<[String]>([])
        let pool = ResolverPool(maximumConcurrent: 1, maximumSlow: 0, maximumQueued: 1) { host, port, _ in
            requested.withLock { $0.append(host) }
            answer.wait()
            return [try SocketAddress(ipAddress: "192.0.2.1", port: port)]
        }
        let reported = Mutex<[String]>([])
        func find(_ host: String) -> @Sendable () -> Void {
            pool.find(host, port: 80, family: .ipv4) { _ in reported.withLock { $0.append(host) } }
        }
        let first = find("a.test")
        find("b.test")()
        #expect(reported.withLock { $0 } == ["b.test"])
        let last = find("c.test")
        first()
        #expect(reported.withLock { $0 } == ["b.test", "a.test"], "a running lookup can be abandoned")
        for _ in 0..<2 { answer.signal() }
        try await eventually { reported.withLock { $0.count } == 3 }
        #expect(requested.withLock { $0 } == ["a.test", "c.test"])
        last()
        #expect(reported.withLock { $0 } == ["b.test", "a.test", "c.test"])
    }
}
