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

    @Test("An interface gets its index from its link-level address, and its addresses from the others")
    func link() throws {
        var link = ApplePathSnapshot.Link()
        // sockaddr_dl: size, AF_LINK, index, type, the sizes of the name and the address, and the name.
        link.add([20, 18, 0x0E, 0x01, 6, 3, 0, 0, 0x65, 0x6E, 0x30] + [UInt8](repeating: 0, count: 9))
        #expect(link.index == 270)
        for address in ["192.0.2.1", "2001:db8::9"] {
            link.add(DarwinSocketAddress.bytes(of: try #require(NumericAddress(address)), port: 0))
        }
        #expect(link.index == 270)
        #expect(link.addresses == ["192.0.2.1", "2001:db8::9"])
    }

    @Test("Other families and short bytes have no index", arguments: [[], [4, 18, 1], [16, 2, 1, 2]] as [[UInt8]])
    func noIndex(bytes: [UInt8]) {
        #expect(DarwinSocketAddress.interfaceIndex(in: bytes) == nil)
    }
}
