// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import Testing

@Suite("Where addresses come from", .timeLimit(.minutes(5)))
struct AddressLookupTests {
    private static let loop = MultiThreadedEventLoopGroup.singleton.any()

    @Test(
        "A system that never answers for one family of a name answers for the other meanwhile",
        arguments: AddressFamily.allCases)
    func silentFamily(_ silent: AddressFamily) async throws {
        let answer = DispatchSemaphore(value: 0)
        let lookup = AddressLookup(
            .blocking { _, port, family in
                if family == silent { answer.wait() }
                return [try SocketAddress(ipAddress: family == .ipv4 ? "192.0.2.1" : "2001:db8::1", port: port)]
            }, loop: Self.loop)
        // The silent one is asked for first.
        let late = lookup.addresses(of: "bird.test", port: 80, silent)
        let other: AddressFamily = silent == .ipv4 ? .ipv6 : .ipv4
        let found = try await lookup.addresses(of: "bird.test", port: 80, other).get()
        #expect(found.map(\.port) == [80])
        #expect(found.map(\.protocol) == [other == .ipv4 ? .inet : .inet6])
        answer.signal()
        #expect(try await late.get().count == 1)
    }

    @Test("What is connected from an address of one family asks for no other")
    func local() async throws {
        struct Asked: Error {}
        let lookup = AddressLookup(
            .blocking { _, port, family in
                guard family == .ipv4 else { throw Asked() }
                return [try SocketAddress(ipAddress: "192.0.2.1", port: port)]
            }, loop: Self.loop, local: .inet)
        #expect(try await lookup.addresses(of: "bird.test", port: 80, .ipv6).get().isEmpty)
        #expect(try await lookup.addresses(of: "bird.test", port: 80, .ipv4).get().count == 1)
    }
}
