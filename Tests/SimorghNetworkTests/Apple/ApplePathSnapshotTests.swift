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
    private static func snapshot(
        _ devices: [Device], types: Set<ApplePathSnapshot.DeviceType> = [], tunnels: [Device] = [],
        links: [String: [String]] = [:]
    ) -> ApplePathSnapshot {
        var snapshot = ApplePathSnapshot()
        snapshot.devices = devices
        snapshot.tunnels = tunnels
        snapshot.types = types
        snapshot.isSatisfied = !devices.isEmpty
        snapshot.supportsIPv4 = true
        snapshot.isExpensive = types == [.cellular]
        snapshot.gateways = ["192.0.2.1"]
        let all = [
            "lo0": ["127.0.0.1", "::1"], "en0": ["192.0.2.7", "fe80::7"], "utun0": ["fe80::100"], "awdl0": ["fe80::8"],
        ].merging(links) { $1 }
        for (name, addresses) in all {
            var link = ApplePathSnapshot.Link()
            link.isRunning = true
            link.addresses = addresses
            snapshot.links[name] = link
        }
        return snapshot
    }

    private static func kind(_ name: String, in snapshot: ApplePathSnapshot) -> NetworkInterface.Kind? {
        snapshot.status.interfaces.first { $0.name == name }?.kind
    }

    private static let table: [(String, ApplePathSnapshot)] = [
        ("wifi 4", snapshot([wifi], types: [.wifi])),
        ("cellular 4 expensive", snapshot([phone], types: [.cellular])),
        ("ethernet 4", snapshot([Device("en5", type: .ethernet), wifi], types: [.ethernet, .wifi])),
        ("other 4", snapshot([Device("bridge100", type: .other)])),
        // A full tunnel: packets leave through it.
        (
            "vpn over wifi 4 active present",
            snapshot([tunnel, wifi], types: [.wifi], tunnels: [tunnel], links: ["utun4": ["10.7.0.2"]])
        ),
        // The addresses of the tunnel may be unknown.
        ("vpn over cellular 4 active present expensive", snapshot([tunnel, phone], types: [.cellular])),
        // A split tunnel: it has an address, but packets to the internet do not leave through it.
        ("wifi 4 present", snapshot([wifi], types: [.wifi], tunnels: [tunnel], links: ["utun4": ["10.7.0.2"]])),
        ("wifi 4 present", snapshot([wifi], types: [.wifi], links: ["utun4": ["10.7.0.2"]])),
        // A tunnel of the system itself, although a path leads through it.
        (
            "wifi 4",
            snapshot([wifi], types: [.wifi], tunnels: [Device("utun0", type: .other)], links: ["utun0": ["fe80::100"]])
        ),
        // IPsec: that of a user, and that of the mobile operator for calls over Wi-Fi.
        (
            "wifi 4 present",
            snapshot(
                [wifi], types: [.wifi], tunnels: [Device("ipsec0", type: .other)], links: ["ipsec0": ["10.8.0.2"]])
        ),
        ("wifi 4", snapshot([wifi], types: [.wifi], links: ["ipsec0": ["10.8.0.2"]])),
        ("none", snapshot([])),
        ("none present", snapshot([], links: ["utun4": ["10.7.0.2"]])),
    ]

    @Test("The status of each path", arguments: table)
    func status(summary: String, snapshot: ApplePathSnapshot) {
        #expect(snapshot.status.summary == summary)
    }

    @Test("A tunnel of the system itself is listed, but not as a VPN")
    func systemsTunnel() {
        let snapshot = Self.snapshot([Self.wifi], types: [.wifi], tunnels: [Device("utun1", type: .other)])
        #expect(Self.kind("utun0", in: snapshot) == .other)
        #expect(Self.kind("utun1", in: snapshot) == .other)
        #expect(!snapshot.status.interfaces.contains { $0.kind == .vpn })
    }

    @Test("A tunnel that is down is of kind vpn, and does not count as present")
    func off() {
        var snapshot = Self.snapshot([Self.wifi], types: [.wifi], links: ["utun4": ["10.7.0.2"]])
        snapshot.links["utun4"]?.isRunning = false
        #expect(Self.kind("utun4", in: snapshot) == .vpn)
        #expect(snapshot.status.summary == "wifi 4")
    }

    @Test("Each device is listed once, those on the path first, with index and addresses")
    func interfaces() {
        var snapshot = Self.snapshot([Self.tunnel, Self.wifi], types: [.wifi], tunnels: [Self.tunnel])
        snapshot.links["awdl0"]?.index = 9
        let interfaces = snapshot.status.interfaces
        #expect(interfaces.map(\.name) == ["utun4", "en0", "awdl0", "lo0", "utun0"])
        #expect(interfaces.map(\.index) == [15, 4, 9, 0, 0])
        #expect(interfaces.map(\.kind) == [.vpn, .wifi, .other, .loopback, .other])
        #expect(interfaces[1].addresses == ["192.0.2.7", "fe80::7"])
        #expect(snapshot.status.primaryInterface?.name == "utun4")
        #expect(snapshot.status.gateways == ["192.0.2.1"])
    }

    @Test("Without a path the status is disconnected, and isIsolated tells whether a local network exists")
    func withoutPath() {
        let lan = Self.snapshot([]).status
        #expect(!lan.isConnected && !lan.isIsolated && lan.gateways.isEmpty && lan.primaryInterface == nil)
        var flight = Self.snapshot([])
        flight.links["en0"]?.isRunning = false
        #expect(flight.status.isIsolated)
    }
}
