// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import SimorghSupport
import Testing

@Suite("Addresses as hosts", .timeLimit(.minutes(5)))
struct SystemResolverTests {
    @Test("On Apple platforms the system looks up IPv4 addresses of the internet, because of NAT64")
    func internet() {
        for system in Platform.System.allCases {
            #expect(AddressLookup.isNeeded(for: "93.184.216.34", isSystems: true, on: system) == (system != .other))
            // A resolver of the user gets names only.
            #expect(!AddressLookup.isNeeded(for: "93.184.216.34", isSystems: false, on: system))
            #expect(AddressLookup.isNeeded(for: "example.com", isSystems: true, on: system))
            #expect(AddressLookup.isNeeded(for: "example.com", isSystems: false, on: system))
        }
    }

    @Test(
        "Local addresses and IPv6 addresses are connected to directly on every platform",
        arguments: [
            "127.0.0.1", "10.1.2.3", "192.168.1.7", "172.16.0.1", "169.254.1.1", "0.0.0.0", "::1", "2001:db8::1",
        ])
    func local(host: String) {
        for system in Platform.System.allCases {
            #expect(!AddressLookup.isNeeded(for: host, isSystems: true, on: system))
        }
    }

    @Test("The system's resolver returns an IPv4 address as it is where there is no NAT64, and only once")
    func literal() async throws {
        let pool = ResolverPool { try SystemResolver.addresses(of: $0, port: $1, family: $2) }
        let lookup = AddressLookup(.blocking(pool), loop: MultiThreadedEventLoopGroup.singleton.any())
        let four = try await lookup.addresses(of: "93.184.216.34", port: 81, family: .ipv4).get()
        #expect(four.map(\.ipAddress) == ["93.184.216.34"] && four.map(\.port) == [81])
        #expect(try await lookup.addresses(of: "93.184.216.34", port: 81, family: .ipv6).get().isEmpty)
        #expect(try SystemResolver.addresses(of: "127.0.0.1", port: 81, family: .ipv4).count == 1)
    }
}
