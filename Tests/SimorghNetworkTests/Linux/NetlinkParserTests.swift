// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetlinkParserTests {
    @Test(
        "Recorded links are parsed with driver and type",
        arguments: [
            ("lo", nil, 772), ("eth0", nil, 1), ("wlan0", nil, 1), ("hwsim0", nil, 803), ("ppp0", "ppp", 512),
            ("xwireguard", "wireguard", 65534), ("xxfrm", "xfrm", 65534), ("xvti", "vti", 768), ("xtun", "tun", 65534),
            ("xtap", "tun", 1), ("xdummy", "dummy", 1), ("xveth", "veth", 1), ("xbridge", "bridge", 1),
            ("xvlan", "vlan", 1), ("xbond", "bond", 1), ("xgre", "gre", 778), ("xipip", "ipip", 768),
            ("sit0", "sit", 776), ("gre0", "gre", 778), ("tunl0", "ipip", 768), ("ip_vti0", "vti", 768),
            ("gretap0", "gretap", 1), ("erspan0", "erspan", 1),
        ] as [(String, String?, UInt16)])
    func recorded(name: String, driver: String?, type: UInt16) throws {
        let link = try #require(RecordedMessages.links[name])
        #expect(link.driver == driver)
        #expect(link.hardwareType == type)
        #expect(link.isTap == (name == "xtap"))
        #expect(link.isLoopback == (name == "lo"))
        #expect(link.index > 0)
    }

    @Test("Every recorded message is parsed, and unknown ones are .other")
    func all() {
        let records = RecordedMessages.records
        #expect(records.count == 120)
        let others = records.count { if case .other = $0.message { true } else { false } }
        // The timestamps between the messages, statistics, prefixes, and links reported by the bridge family.
        #expect(others == 54 + 26 + 2 + 5 - records.routes + records.foreignLinks)
    }

    @Test("An address of a point-to-point link is the local one")
    func address() throws {
        let payload =
            [2, 32, 0x80, 0] + MessageBytes.bytes(of: Int32(7))
            + MessageBytes.attribute(1, [10, 8, 0, 1]) + MessageBytes.attribute(2, [10, 8, 0, 2])
            + MessageBytes.attribute(8, MessageBytes.bytes(of: UInt32(0x80)))
        let records = NetlinkParser.records(in: MessageBytes.message(20, payload))
        let expected = NetlinkAddress(
            index: 7, address: try #require(NumericAddress("10.8.0.2")), prefixLength: 32, flags: 0x80)
        #expect(records.map(\.message) == [.address(expected, isGone: false)])
    }

    @Test("A multipath route, and an IPv4 route through an IPv6 gateway")
    func routes() throws {
        let hops = [Int32(3), 4].flatMap { index in
            let gateway = MessageBytes.attribute(5, [192, 0, 2, UInt8(index)])
            return MessageBytes.bytes(of: UInt16(8 + gateway.count)) + [0, 0] + MessageBytes.bytes(of: index) + gateway
        }
        let paths = MessageBytes.message(24, MessageBytes.route(2, MessageBytes.attribute(9, hops)))
        guard case .route(let route, false) = NetlinkParser.records(in: paths).first?.message else {
            Issue.record("no route")
            return
        }
        #expect(route.outgoing == [3, 4])
        #expect(route.gateway?.description == "192.0.2.3")
        let neighbor = try #require(NumericAddress("fe80::1")).bytes
        let via = MessageBytes.message(
            24,
            MessageBytes.route(
                2,
                MessageBytes.attribute(4, MessageBytes.bytes(of: Int32(5)))
                    + MessageBytes.attribute(18, [10, 0] + neighbor)))
        guard case .route(let other, false) = NetlinkParser.records(in: via).first?.message else {
            Issue.record("no route")
            return
        }
        #expect(other.outgoing == [5])
        #expect(other.gateway?.description == "fe80::1")
    }

    @Test(
        "Error, acknowledgement, done and done with an error",
        arguments: [
            (2, -101, .failed(101)), (2, 0, .acknowledged), (2, .min, .failed(.max)), (3, 0, .done),
            (3, -4, .failed(4)),
            (3, .min, .done),
        ] as [(UInt16, Int32, NetlinkMessage)])
    func ends(type: UInt16, number: Int32, expected: NetlinkMessage) {
        let bytes = MessageBytes.message(type, flags: 0x10, sequence: 9, MessageBytes.bytes(of: number))
        let records = NetlinkParser.records(in: bytes)
        #expect(records.map(\.message) == [expected])
        #expect(records.map(\.sequence) == [9])
        #expect(records.map(\.isInterrupted) == [true])
    }

    @Test("Truncated bytes yield the messages before the cut, at any length")
    func prefixes() {
        let bytes = Array(RecordedMessages.bytes.prefix(4096))
        let whole = NetlinkParser.records(in: bytes)
        var last = 0
        for length in 0..<bytes.count {
            let records = NetlinkParser.records(in: Array(bytes.prefix(length)))
            #expect(records == Array(whole.prefix(records.count)))
            #expect(records.count >= last)
            last = records.count
        }
        #expect(last >= 3)
    }

    @Test(
        "An invalid length ends a datagram, and the messages before it are parsed",
        arguments: [0, 15, 21, 1 << 20, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
    func lengths(length: UInt32) {
        let whole = MessageBytes.message(3, MessageBytes.bytes(of: Int32(0)))
        let last: [UInt8] = MessageBytes.bytes(of: length) + whole.dropFirst(4)
        #expect(NetlinkParser.records(in: whole + last).map(\.message) == [.done])
    }

    @Test("Random changes of bytes do not trap, and yield a status", arguments: 0..<8 as Range<UInt64>)
    func mutations(seed: UInt64) {
        var random = SeededNumbers(seed)
        let messages = RecordedMessages.bytes
        for _ in 0..<300 {
            let start = Int.random(in: 0..<messages.count - 2048, using: &random)
            var bytes = Array(messages[start..<start + 2048])
            for _ in 0..<Int.random(in: 1...64, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var snapshot = KernelNetworkSnapshot()
            for record in NetlinkParser.records(in: bytes) {
                switch record.message {
                case .link(let link, _): snapshot.links.append(link)
                case .address(let address, _): snapshot.addresses.append(address)
                case .route(let route, _): snapshot.ipv4 = route
                default: break
                }
            }
            #expect(snapshot.status.interfaces.count == Set(snapshot.links.map(\.index)).count)
        }
    }
}

extension [NetlinkRecord] {
    fileprivate var routes: Int { count { if case .route = $0.message { true } else { false } } }

    /// Links that another family reports.
    fileprivate var foreignLinks: Int { count { $0.message == .other(type: 16) } }
}
