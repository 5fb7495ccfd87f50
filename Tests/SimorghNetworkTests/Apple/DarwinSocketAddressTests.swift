// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DarwinSocketAddressTests {
    @Test("The bytes of an IPv4 address are those of sockaddr_in")
    func ipv4() throws {
        let address = try #require(NumericAddress("198.41.0.4"))
        let bytes = DarwinSocketAddress.bytes(of: address, port: 0x0102)
        #expect(bytes == [16, 2, 1, 2, 198, 41, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(DarwinSocketAddress.address(in: bytes) == address)
    }

    @Test("The bytes of an IPv6 address are those of sockaddr_in6")
    func ipv6() throws {
        let address = try #require(NumericAddress("2001:db8::9"))
        let bytes = DarwinSocketAddress.bytes(of: address, port: 9)
        #expect(bytes.count == 28 && Array(bytes.prefix(8)) == [28, 30, 0, 9, 0, 0, 0, 0])
        #expect(Array(bytes[8..<24]) == address.bytes)
        #expect(DarwinSocketAddress.address(in: bytes) == address)
    }

    @Test(
        "Other families and short addresses have no IP address",
        arguments: [
            [], [2], [20, 18, 0, 0, 1, 2, 3, 4], [16, 2, 0, 0, 1, 2], [28, 30, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4],
        ] as [[UInt8]])
    func others(bytes: [UInt8]) {
        #expect(DarwinSocketAddress.address(in: bytes) == nil)
    }
}
