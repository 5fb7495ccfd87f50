// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// The status made from what Apple's systems report; `PathProvider+Darwin.swift` reads that from the system.
@Suite(.timeLimit(.minutes(5)))
struct ApplePathSnapshotTests {
    private typealias Device = ApplePathSnapshot.Device

    private static let wifi = Device("en0", type: .wifi, index: 4)
    private static let phone = Device("pdp_ip0", type: .cellular, index: 2)
    private static let tunnel = Device("utun4", type: .other, index: 15)

    /// Returns a machine with Wi-Fi, cellular and one of the system's own tunnels, and with the given devices and
    /// addresses.
    private static func snapshot(
        _ devices: [Device], types: [ApplePathSnapshot.DeviceType] = [], tunnels: [Device] = [],
        links: [String: [String]] = [:], sources: [String] = []
    ) -> ApplePathSnapshot {
        var snapshot = ApplePathSnapshot()
        snapshot.general.devices = devices
        snapshot.general.types = types
        snapshot.general.status = devices.isEmpty ? .unsatisfied : .satisfied
        snapshot.general.supportsIPv4 = true
        snapshot.general.isExpensive = types == [.cellular]
        snapshot.general.gateways = ["192.0.2.1"]
        snapshot.tunnel = ApplePath()
        snapshot.tunnel?.devices = tunnels
        snapshot.tunnel?.status = tunnels.isEmpty ? .unsatisfied : .satisfied
        snapshot.sources = sources
        let all = [
            "lo0": ["127.0.0.1", "::1"], "en0": ["192.0.2.7", "fe80:4::7"], "utun0": ["fe80:9::100"],
            "awdl0": ["fe80::8%awdl0"],
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
        // The path may not name the type of the network below the tunnel.
        ("vpn over cellular 4 active present", snapshot([tunnel, phone], types: [.other])),
        ("vpn over other 4 active present", snapshot([tunnel], types: [.other])),
        // A split tunnel: it has an address and a path, but packets to the internet do not leave through it.
        ("wifi 4 present", snapshot([wifi], types: [.wifi], tunnels: [tunnel], links: ["utun4": ["10.7.0.2"]])),
        // The tunnel of Xcode to a device: it has an address, but no path leads through it.
        ("wifi 4", snapshot([wifi], types: [.wifi], links: ["utun4": ["fd5c:1f6e:7b3::2"]])),
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
        // PPP below another network is L2TP; alone it is the uplink: PPPoE, or a modem.
        ("vpn over wifi 4 active present", snapshot([Device("ppp0", type: .other), wifi], types: [.wifi])),
        ("other 4", snapshot([Device("ppp0", type: .other)])),
        // A tap of a virtual machine, and one that carries the packets.
        ("wifi 4", snapshot([wifi], types: [.wifi], links: ["tap0": ["10.9.0.2"]])),
        (
            "wifi 4",
            snapshot([wifi], types: [.wifi], tunnels: [Device("tap0", type: .other)], links: ["tap0": ["10.9.0.2"]])
        ),
        (
            "vpn over wifi 4 active present",
            snapshot([wifi], types: [.wifi], links: ["tap0": ["10.9.0.2"]], sources: ["10.9.0.2"])
        ),
        ("none", snapshot([])),
        ("none", snapshot([], links: ["utun4": ["10.7.0.2"]])),
    ]

    @Test("The status of each path", arguments: table)
    func status(summary: String, snapshot: ApplePathSnapshot) {
        #expect(snapshot.status.summary == summary)
    }

    @Test("A tunnel with half routes (0/1 and 128/1) is active, although the path begins with Wi-Fi")
    func halfRoutes() {
        let links = ["utun4": ["10.7.0.2"]]
        let split = Self.snapshot([Self.wifi], types: [.wifi], links: links, sources: ["10.7.0.2"]).status
        #expect(split.summary == "vpn over wifi 4 active present")
        #expect(split.primaryInterface?.name == "utun4")
        let direct = Self.snapshot([Self.wifi], types: [.wifi], links: links, sources: ["192.0.2.7"]).status
        #expect(direct.summary == "wifi 4")
        #expect(direct.primaryInterface?.name == "en0")
    }

    @Test("A tunnel for IPv6 only is active, and the type is that of IPv4")
    func ipv6Tunnel() {
        var snapshot = Self.snapshot(
            [Self.wifi], types: [.wifi], links: ["utun4": ["fd00::2"]], sources: ["192.0.2.7", "fd00::2"])
        snapshot.general.supportsIPv6 = true
        #expect(snapshot.status.summary == "wifi 4 6 active present")
        // Without an IPv6 path the kernel may choose a default route of one of the system's own tunnels.
        snapshot.general.supportsIPv6 = false
        #expect(snapshot.status.summary == "wifi 4")
    }

    @Test("A link-local source address is no route", arguments: ["fe80:9::100", "fe80::100%utun0", "169.254.3.4"])
    func linkLocalSource(source: String) {
        var snapshot = Self.snapshot(
            [Self.wifi], types: [.wifi], links: ["utun0": [source]], sources: [source])
        snapshot.general.supportsIPv6 = true
        #expect(snapshot.status.summary == "wifi 4 6")
    }

    @Test("A tunnel of the system itself is listed, but not as a VPN")
    func systemsTunnel() {
        let snapshot = Self.snapshot([Self.wifi], types: [.wifi], tunnels: [Device("utun1", type: .other)])
        #expect(Self.kind("utun0", in: snapshot) == .other)
        #expect(Self.kind("utun1", in: snapshot) == .other)
        #expect(!snapshot.status.interfaces.contains { $0.kind == .vpn })
    }

    @Test(
        "Interfaces beside every path are listed with a kind that is not vpn",
        arguments: [
            ("lo0", NetworkInterface.Kind.loopback), ("utun4", .other), ("tun0", .other), ("tap0", .virtual),
            ("ppp0", .other), ("ipsec0", .other), ("awdl0", .other), ("bridge100", .other), ("pdp_ip0", .cellular),
        ])
    func kinds(name: String, kind: NetworkInterface.Kind) {
        let snapshot = Self.snapshot([Self.wifi], types: [.wifi], links: [name: ["10.7.0.2"]])
        #expect(Self.kind(name, in: snapshot) == kind)
    }

    @Test("Each device is listed once, those on the path first, with index and addresses without zones")
    func interfaces() {
        var snapshot = Self.snapshot([Self.tunnel, Self.wifi], types: [.wifi], tunnels: [Self.tunnel])
        snapshot.links["awdl0"]?.index = 9
        snapshot.general.gateways = ["192.0.2.1", "fe80::1%en0"]
        let interfaces = snapshot.status.interfaces
        #expect(interfaces.map(\.name) == ["utun4", "en0", "awdl0", "lo0", "utun0"])
        #expect(interfaces.map(\.index) == [15, 4, 9, 0, 0])
        #expect(interfaces.map(\.kind) == [.vpn, .wifi, .other, .loopback, .other])
        #expect(interfaces[1].addresses == ["192.0.2.7", "fe80::7"])
        #expect(interfaces[2].addresses == ["fe80::8"])
        #expect(interfaces[4].addresses == ["fe80::100"])
        #expect(snapshot.status.primaryInterface?.name == "utun4")
        #expect(snapshot.status.gateways == ["192.0.2.1", "fe80::1"])
    }

    @Test("Without a path the status is disconnected, and isIsolated tells whether a local network exists")
    func withoutPath() {
        let lan = Self.snapshot([]).status
        #expect(!lan.isConnected && !lan.isIsolated && lan.gateways.isEmpty && lan.primaryInterface == nil)
        var flight = Self.snapshot([])
        flight.links["en0"]?.isRunning = false
        #expect(flight.status.isIsolated)
    }

    @Test("A path that requires a connection is not connected, but not offline either")
    func onDemand() {
        var snapshot = Self.snapshot([])
        snapshot.links["en0"]?.isRunning = false
        snapshot.general.status = .requiresConnection
        snapshot.general.devices = [Self.phone]
        let status = snapshot.status
        #expect(!status.isConnected && status.connectsOnDemand && status.mayConnect && !status.isIsolated)
        #expect(status.underlyingType == .cellular && status.explanation == nil)
        #expect(!HostReachability.explainsFailure(for: "example.com") { status })
    }

    @Test(
        "The reason for a missing path is in the status, and in words",
        arguments: [
            (NetworkStatus.UnsatisfiedReason.cellularDenied, "mobile data is turned off for this app" as String?),
            (.wifiDenied, "Wi-Fi is turned off for this app"),
            (.localNetworkDenied, "this app is not allowed to use the local network"),
            (.vpnInactive, "the required VPN is not active"), (.notAvailable, nil),
        ])
    func reasons(reason: NetworkStatus.UnsatisfiedReason, words: String?) {
        var snapshot = Self.snapshot([])
        snapshot.general.unsatisfiedReason = reason
        #expect(snapshot.status.unsatisfiedReason == reason)
        #expect(snapshot.status.explanation == words)
        // The system gives a reason for a satisfied path, too.
        var satisfied = Self.snapshot([Self.wifi], types: [.wifi])
        satisfied.general.unsatisfiedReason = reason
        #expect(satisfied.status.unsatisfiedReason == nil)
    }

    @Test("The kinds of limits are in the status")
    func limits() {
        var snapshot = Self.snapshot([Self.phone], types: [.cellular])
        snapshot.general.isConstrained = true
        snapshot.general.isUltraConstrained = true
        #expect(snapshot.status.isExpensive && snapshot.status.isConstrained && snapshot.status.isUltraConstrained)
    }

    @Test(
        "Before the first report the kernel's routes decide, and an unsatisfied path proves nothing",
        arguments: [
            ("wifi", ["192.0.2.7"], "other 4"), ("phone", ["100.64.0.3"], "cellular 4"),
            ("tunnel", ["10.7.0.2"], "vpn over other 4 active present"), ("nothing", [], "none"),
            ("IPv6", ["2001:db8::7"], "other 6"),
        ])
    func beforeReport(name: String, sources: [String], summary: String) {
        var snapshot = Self.snapshot(
            [], links: ["pdp_ip0": ["100.64.0.3"], "utun4": ["10.7.0.2"], "en1": ["2001:db8::7"]], sources: sources)
        snapshot.isReported = false
        snapshot.general = ApplePath()
        snapshot.general.unsatisfiedReason = .notAvailable
        #expect(snapshot.status.summary == summary)
        #expect(snapshot.status.unsatisfiedReason == nil)
        // A reported path counts, whatever routes exist.
        snapshot.isReported = true
        #expect(snapshot.status.summary == "none")
    }

    @Test("The initial path of a monitor counts if it is satisfied")
    func initialPath() {
        var snapshot = Self.snapshot([Self.wifi], types: [.wifi], sources: ["192.0.2.7"])
        snapshot.isReported = false
        #expect(snapshot.status.summary == "wifi 4")
    }
}
