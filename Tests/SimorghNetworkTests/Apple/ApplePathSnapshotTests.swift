// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// The status made from what Apple's systems report; `NetworkMonitor+Darwin.swift` reads that from the system.
@Suite(.timeLimit(.minutes(5)))
struct ApplePathSnapshotTests {
    private typealias Device = ApplePathSnapshot.Device

    private static let wifi = Device("en0", type: .wifi, index: 4)
    private static let phone = Device("pdp_ip0", type: .cellular, index: 2)
    private static let tunnel = Device("utun4", type: .other, index: 15)

    /// Returns a machine with Wi-Fi, cellular and one of the system's own tunnels, and with the given devices and
    /// addresses.
    private static func picture(
        _ devices: [Device], types: Set<ApplePathSnapshot.DeviceType> = [], tunnels: [Device] = [],
        links: [String: [String]] = [:]
    ) -> ApplePathSnapshot {
        var picture = ApplePathSnapshot()
        picture.devices = devices
        picture.tunnels = tunnels
        picture.types = types
        picture.isSatisfied = !devices.isEmpty
        picture.supportsIPv4 = true
        picture.isExpensive = types == [.cellular]
        picture.gateways = ["192.0.2.1"]
        let all = [
            "lo0": ["127.0.0.1", "::1"], "en0": ["192.0.2.7", "fe80::7"], "utun0": ["fe80::100"], "awdl0": ["fe80::8"],
        ].merging(links) { $1 }
        for (name, addresses) in all {
            var link = ApplePathSnapshot.Link()
            link.isRunning = true
            link.addresses = addresses
            picture.links[name] = link
        }
        return picture
    }

    private static func kind(_ name: String, in picture: ApplePathSnapshot) -> NetworkInterface.Kind? {
        picture.status.interfaces.first { $0.name == name }?.kind
    }

    private static let table: [(String, ApplePathSnapshot)] = [
        ("wifi 4", picture([wifi], types: [.wifi])),
        ("cellular 4 expensive", picture([phone], types: [.cellular])),
        ("ethernet 4", picture([Device("en5", type: .ethernet), wifi], types: [.ethernet, .wifi])),
        ("other 4", picture([Device("bridge100", type: .other)])),
        // A full tunnel: packets leave through it.
        (
            "vpn over wifi 4 active present",
            picture([tunnel, wifi], types: [.wifi], tunnels: [tunnel], links: ["utun4": ["10.7.0.2"]])
        ),
        // The addresses of the tunnel may be unknown.
        ("vpn over cellular 4 active present expensive", picture([tunnel, phone], types: [.cellular])),
        // A split tunnel: it has an address, but packets to the internet do not leave through it.
        ("wifi 4 present", picture([wifi], types: [.wifi], tunnels: [tunnel], links: ["utun4": ["10.7.0.2"]])),
        ("wifi 4 present", picture([wifi], types: [.wifi], links: ["utun4": ["10.7.0.2"]])),
        // A tunnel of the system itself, although a path leads through it.
        (
            "wifi 4",
            picture([wifi], types: [.wifi], tunnels: [Device("utun0", type: .other)], links: ["utun0": ["fe80::100"]])
        ),
        // IPsec: that of a user, and that of the mobile operator for calls over Wi-Fi.
        (
            "wifi 4 present",
            picture(
                [wifi], types: [.wifi], tunnels: [Device("ipsec0", type: .other)], links: ["ipsec0": ["10.8.0.2"]])
        ),
        ("wifi 4", picture([wifi], types: [.wifi], links: ["ipsec0": ["10.8.0.2"]])),
        ("none", picture([])),
        ("none present", picture([], links: ["utun4": ["10.7.0.2"]])),
    ]

    @Test("The status of each path", arguments: table)
    func status(summary: String, picture: ApplePathSnapshot) {
        #expect(picture.status.summary == summary)
    }

    @Test("A tunnel of the system itself is listed, but not as a VPN")
    func systemsTunnel() {
        let picture = Self.picture([Self.wifi], types: [.wifi], tunnels: [Device("utun1", type: .other)])
        #expect(Self.kind("utun0", in: picture) == .other)
        #expect(Self.kind("utun1", in: picture) == .other)
        #expect(!picture.status.interfaces.contains { $0.kind == .vpn })
    }

    @Test("A tunnel that is down is of kind vpn, and does not count as present")
    func off() {
        var picture = Self.picture([Self.wifi], types: [.wifi], links: ["utun4": ["10.7.0.2"]])
        picture.links["utun4"]?.isRunning = false
        #expect(Self.kind("utun4", in: picture) == .vpn)
        #expect(picture.status.summary == "wifi 4")
    }

    @Test("Each device is listed once, those on the path first, with index and addresses")
    func interfaces() {
        var picture = Self.picture([Self.tunnel, Self.wifi], types: [.wifi], tunnels: [Self.tunnel])
        picture.links["awdl0"]?.index = 9
        let interfaces = picture.status.interfaces
        #expect(interfaces.map(\.name) == ["utun4", "en0", "awdl0", "lo0", "utun0"])
        #expect(interfaces.map(\.index) == [15, 4, 9, 0, 0])
        #expect(interfaces.map(\.kind) == [.vpn, .wifi, .other, .loopback, .other])
        #expect(interfaces[1].addresses == ["192.0.2.7", "fe80::7"])
        #expect(picture.status.primaryInterface?.name == "utun4")
        #expect(picture.status.gateways == ["192.0.2.1"])
    }

    @Test("Without a path the status is disconnected, and isIsolated tells whether a local network exists")
    func withoutPath() {
        let lan = Self.picture([]).status
        #expect(!lan.isConnected && !lan.isIsolated && lan.gateways.isEmpty && lan.primaryInterface == nil)
        var flight = Self.picture([])
        flight.links["en0"]?.isRunning = false
        #expect(flight.status.isIsolated)
    }
}
