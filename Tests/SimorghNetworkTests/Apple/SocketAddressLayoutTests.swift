// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SocketAddressLayoutTests {
    @Test("The bytes of an IPv4 address are those of sockaddr_in")
    func ipv4() throws {
        let address = try #require(NumericAddress("198.41.0.4"))
        let bytes = SocketAddressLayout.darwin.bytes(of: address, port: 0x0102)
        #expect(bytes == [16, 2, 1, 2, 198, 41, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(SocketAddressLayout.darwin.address(in: bytes) == address)
    }

    @Test("The bytes of an IPv6 address are those of sockaddr_in6")
    func ipv6() throws {
        let address = try #require(NumericAddress("2001:db8::9"))
        let bytes = SocketAddressLayout.darwin.bytes(of: address, port: 9)
        #expect(bytes.count == 28 && Array(bytes.prefix(8)) == [28, 30, 0, 9, 0, 0, 0, 0])
        #expect(Array(bytes[8..<24]) == address.bytes)
        #expect(SocketAddressLayout.darwin.address(in: bytes) == address)
    }

    @Test(
        "Other families and short addresses have no IP address",
        arguments: [
            [], [2], [20, 18, 0, 0, 1, 2, 3, 4], [16, 2, 0, 0, 1, 2], [28, 30, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4],
        ] as [[UInt8]])
    func others(bytes: [UInt8]) {
        #expect(SocketAddressLayout.darwin.address(in: bytes) == nil)
    }

    @Test("The family of Linux takes two bytes, in the byte order of the machine")
    func linux() throws {
        for (text, family, size) in [("198.41.0.4", 2, 16), ("2001:db8::9", 10, 28)] {
            let address = try #require(NumericAddress(text))
            let bytes = SocketAddressLayout.linux.bytes(of: address, port: 9)
            #expect(bytes.count == size)
            #expect(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) } == UInt16(family))
            #expect(SocketAddressLayout.linux.address(in: bytes) == address)
        }
        #expect(SocketAddressLayout.linux.address(in: [2]) == nil)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct SystemInterfacesTests {
    @Test("The loopback interface is listed with its index and its address")
    func loopback() throws {
        let link = try #require(SystemInterfaces.links().values.first { $0.addresses.contains("127.0.0.1") })
        #expect(link.isRunning && link.index > 0)
    }

    @Test("The source of packets to the loopback address is that address")
    func source() throws {
        let address = try #require(NumericAddress("127.0.0.1"))
        #expect(SystemInterfaces.sources(for: [address]) == [address])
    }
}
