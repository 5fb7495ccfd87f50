// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SystemFilesTests {
    private static let public4 = NumericAddress("198.41.0.4")
    private static let public6 = NumericAddress("2001:503:ba3e::2:30")

    @Test("resolv.conf: each server once, at most eight, and only addresses")
    func nameServers() {
        let text = """
            # nameserver 1.1.1.1
            search example.com
            nameserver 192.0.2.53
            nameserver\t2001:db8::53
            nameserver fe80::1%eth0
            nameserver router.local
            nameserver 192.0.2.53
            nameserver
            options edns0
            """
        #expect(SystemFiles.nameServers(in: text) == ["192.0.2.53", "2001:db8::53", "fe80::1%eth0"])
        let many = (1...20).map { "nameserver 192.0.2.\($0)\n" }.joined()
        #expect(SystemFiles.nameServers(in: many).count == 8)
    }

    @Test("/proc/net/route: the longest prefix wins, half routes before the default route")
    func ipv4() throws {
        let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
        let plain =
            head + """
                eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
                eth0\t000200C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
                """
        let address = try #require(Self.public4)
        let route = try #require(SystemFiles.ipv4Route(to: address, in: plain))
        #expect(route.device == "eth0")
        #expect(route.gateway?.description == "192.0.2.1")
        let halves =
            plain + """

                tun0\t00000080\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0
                tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0
                """
        let tunnelled = try #require(SystemFiles.ipv4Route(to: address, in: halves))
        #expect(tunnelled.device == "tun0")
        #expect(tunnelled.devices == ["eth0", "tun0"])
        let two = plain + "\nwlan0\t00000000\t010300C0\t0003\t0\t0\t50\t00000000\t0\t0\t0"
        #expect(SystemFiles.ipv4Route(to: address, in: two)?.device == "wlan0")
        let refusing = head + "*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0"
        #expect(SystemFiles.ipv4Route(to: address, in: refusing) == nil)
        // A kill switch is a refusing route before that of the cable; of two the one with the lower metric counts.
        let shut = plain + "\n*\t00000000\t00000000\t0201\t0\t0\t50\t00000000\t0\t0\t0"
        #expect(SystemFiles.ipv4Route(to: address, in: shut) == nil)
        let last = plain + "\n*\t00000000\t00000000\t0201\t0\t0\t4000\t00000000\t0\t0\t0"
        #expect(SystemFiles.ipv4Route(to: address, in: last)?.devices == ["eth0"])
    }

    @Test("/proc/net/ipv6_route: the route, ignoring those that refuse")
    func ipv6() throws {
        let none = String(repeating: "0", count: 32)
        let gateway = "fd000000000000000000000000000001"
        let text = """
            \(none) 00 \(none) 00 \(gateway) 00000400 00000001 00000000 00000003     eth0
            \(none) 00 \(none) 00 \(none) ffffffff 00000001 00000000 00200200       lo
            """
        let address = try #require(Self.public6)
        let route = try #require(SystemFiles.ipv6Route(to: address, in: text))
        #expect(route.device == "eth0")
        #expect(route.gateway?.description == "fd00::1")
        #expect(route.devices == ["eth0"])
    }

    @Test("A table that is too long is read up to the end of a line")
    func cutShort() {
        let first = "// Simorgh, networking for Swift."
        #expect(SystemFiles.table(of: #filePath, upTo: 60) == first)
        #expect(SystemFiles.table(of: #filePath, upTo: 10) == "")
        #expect(SystemFiles.table(of: #filePath)?.hasPrefix(first + "\n") == true)
        #expect(SystemFiles.table(of: "\(#filePath)/none") == nil)
    }

    @Test("An invalid table has no route", arguments: ["", "\n\n", "Iface", "a b c\nd e f g h i j k l m", "\u{0}"])
    func garbage(text: String) throws {
        let (four, six) = (try #require(Self.public4), try #require(Self.public6))
        #expect(SystemFiles.ipv4Route(to: four, in: text) == nil)
        #expect(SystemFiles.ipv6Route(to: six, in: text) == nil)
        #expect(SystemFiles.ipv6Addresses(in: text).isEmpty)
    }

    @Test("Devices, IPv6 addresses and uevent values are parsed")
    func others() {
        let devices = """
            Inter-|   Receive
             face |bytes
                lo: 1 2
              eth0:3 4
            """
        #expect(SystemFiles.devices(in: devices) == ["lo", "eth0"])
        let addresses = SystemFiles.ipv6Addresses(in: "fe800000000000000000000000000001 04 40 20 80     eth0")
        #expect(addresses.map(\.device) == ["eth0"])
        #expect(addresses.first?.address.address.description == "fe80::1")
        #expect(addresses.first?.address.index == 4)
        #expect(SystemFiles.value(of: "DEVTYPE", in: "INTERFACE=wlan0\nDEVTYPE=wlan\n") == "wlan")
        #expect(SystemFiles.value(of: "DEVTYPE", in: "INTERFACE=eth0") == nil)
    }

    @Test(
        "NumericAddress: loopback, link-local and private ranges",
        arguments: [
            ("127.8.8.8", "loopback"), ("::1", "loopback"), ("169.254.1.1", "link"), ("fe80::1", "link"),
            ("febf::1", "link"), ("10.1.1.1", "private"), ("172.31.0.1", "private"), ("172.32.0.1", ""),
            ("192.168.0.1", "private"), ("fd12::1", "private"), ("198.41.0.4", ""), ("2001:db8::1", ""),
        ])
    func reach(text: String, expected: String) throws {
        let address = try #require(NumericAddress(text))
        let found = [
            address.isLoopback ? "loopback" : nil, address.isLinkLocal ? "link" : nil,
            address.isPrivate ? "private" : nil,
        ].compactMap { $0 }.joined()
        #expect(found == expected)
        #expect(address.description == text)
    }

    #if os(Linux)
    @Test("A sysfs attribute counts only if the link's index matches")
    func otherNamespace() {
        var link = NetlinkLink()
        link.name = "lo"
        link.index = 1
        #expect(SystemFiles.attribute("type", of: link) == "772")
        // In another namespace whose sysfs is still that of the host, another link may have that name.
        link.index = 77
        #expect(SystemFiles.attribute("type", of: link) == nil)
        link.name = "../net/lo"
        link.index = 1
        #expect(SystemFiles.attribute("type", of: link) == nil)
    }
    #endif
}
