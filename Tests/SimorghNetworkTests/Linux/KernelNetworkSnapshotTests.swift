// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct KernelNetworkSnapshotTests {
    /// A machine, and the summary expected of its status.
    struct Machine: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let snapshot: KernelNetworkSnapshot
        let expected: String

        init(
            _ name: String, _ devices: [Device], v4: String? = nil, v6: String? = nil, uplinks: [String] = [],
            source: String? = nil, gateway: String? = nil, is expected: String
        ) {
            testDescription = name
            snapshot = KernelNetworkSnapshot(
                devices, v4: v4, v6: v6, uplinks: uplinks, source: source, gateway: gateway)
            self.expected = expected
        }
    }

    @Test("The status of each machine", arguments: machines)
    func understood(machine: Machine) {
        #expect(machine.snapshot.status.summary == machine.expected)
    }

    private static let home = Device.wifi("wlan0", addresses: "192.168.1.7", "2001:db8::7")
    private static let desk = Device.ethernet("eth0", addresses: "192.168.1.8", "2001:db8::8")
    private static let docker = Device.driven("bridge", name: "docker0", addresses: "172.17.0.1")

    private static let machines: [Machine] = plain + containers + tunnels + pppMachines + odd

    private static let plain = [
        Machine("Nothing but loopback", [], is: "none"),
        Machine("Loopback that a default route leads to", [], v4: "lo", is: "none"),
        Machine("A laptop on Wi-Fi", [home], v4: "wlan0", v6: "wlan0", is: "wifi 4 6"),
        Machine("A desktop on a cable", [desk], v4: "eth0", is: "ethernet 4"),
        Machine("IPv6 only", [desk], v6: "eth0", is: "ethernet 6"),
        Machine("A laptop with a cable and Wi-Fi", [desk, home], v4: "eth0", v6: "eth0", is: "ethernet 4 6"),
        Machine("Two uplinks, one for each family", [desk, home], v4: "eth0", v6: "wlan0", is: "ethernet 4 6"),
        Machine("The cable unplugged, its route still there", [desk.withoutCarrier], v4: "eth0", is: "none"),
        Machine("Switched off", [home.off], v4: "wlan0", is: "none"),
        Machine("Up, but with no way out", [home], is: "none"),
        Machine(
            "An address of its own making alone",
            [.ethernet("eth0", addresses: "169.254.3.4").with { $0.prefixLength = 16 }],
            v4: "eth0", source: "169.254.3.4", is: "none"),
        Machine(
            "IPv6 with a link's address alone", [.ethernet("eth0", addresses: "fe80::2")], v6: "eth0",
            source: "fe80::2",
            is: "none"),
        Machine(
            "A modem of raw packets", [.cellular("wwan0", addresses: "10.64.0.2")], v4: "wwan0",
            is: "cellular 4 expensive"),
        Machine(
            "A modem by its sysfs", [.cellular("wwp0s20u4", type: 1, hint: "wwan", addresses: "10.64.0.2")],
            v4: "wwp0s20u4",
            is: "cellular 4 expensive"),
        Machine(
            "A modem by its driver", [.driven("rmnet", name: "qmimux0", type: 519, addresses: "10.64.0.2")],
            v4: "qmimux0",
            is: "cellular 4 expensive"),
        Machine(
            "A modem by its name", [Device(name: "rmnet_data0", type: 530, addresses: ["10.64.0.2"])],
            v4: "rmnet_data0",
            is: "cellular 4 expensive"),
        Machine(
            "A phone that shares over USB", [.ethernet("usb0", addresses: "192.168.42.2")], v4: "usb0", is: "ethernet 4"
        ),
        Machine(
            "A phone that shares over Bluetooth",
            [.ethernet("bnep0", addresses: "192.168.44.2").with { $0.hint = "bluetooth" }],
            v4: "bnep0", is: "other 4"),
        Machine(
            "Wi-Fi known by its name alone", [.wifi("wlp3s0", addresses: "10.0.0.2").with { $0.hint = nil }],
            v4: "wlp3s0",
            is: "wifi 4"),
        Machine(
            "A cable with a name like Wi-Fi's", [.ethernet("wlake0", addresses: "10.0.0.2")], v4: "wlake0",
            is: "ethernet 4"),
    ]

    private static let containers = [
        Machine(
            "A host of containers", [desk, docker, .driven("veth", name: "veth12ab")], v4: "eth0", is: "ethernet 4"),
        Machine(
            "Inside a container",
            [.driven("veth", name: "eth0", addresses: "172.17.0.2").with { $0.isAcrossNamespaces = true }],
            v4: "eth0", is: "other 4"),
        Machine(
            "Inside a container whose card stands on the host's",
            [
                .driven("macvlan", name: "eth0", addresses: "10.0.0.9").with {
                    ($0.isAcrossNamespaces, $0.lower) = (true, "lo")
                }
            ],
            v4: "eth0", is: "other 4"),
        Machine(
            "Inside a container without root, its way out a tap",
            [.driven("tun", name: "tap0", addresses: "10.0.2.100").with { $0.isTap = true }], v4: "tap0",
            uplinks: ["tap0"],
            is: "other 4"),
        Machine(
            "A function in the cloud, its address one that no router knows",
            [.driven("veth", name: "vtarget_1", addresses: "169.254.79.1").with { $0.prefixLength = 32 }],
            v4: "vtarget_1",
            source: "169.254.79.1", is: "other 4"),
        Machine(
            "A container in the cloud, its address and its router of that range",
            [.driven("veth", name: "eth0", addresses: "169.254.129.3").with { $0.prefixLength = 16 }], v4: "eth0",
            source: "169.254.129.3", gateway: "169.254.129.1", is: "other 4"),
        Machine("A container without a network", [.driven("veth", name: "eth0").off], is: "none"),
        Machine(
            "A host of virtual machines",
            [
                desk.with { ($0.addresses, $0.master) = ([], "br0") },
                .driven("bridge", name: "br0", addresses: "192.168.1.8"),
                .driven("tun", name: "vnet0").with { ($0.isTap, $0.master) = (true, "br0") },
            ], v4: "br0", is: "ethernet 4"),
        Machine("A bridge with nothing in it", [docker], v4: "docker0", is: "other 4"),
        Machine(
            "A bond of two cables",
            [
                .ethernet("eth0").with { $0.master = "bond0" }, .ethernet("eth1").with { $0.master = "bond0" },
                .driven("bond", name: "bond0", addresses: "10.0.0.3"),
            ], v4: "bond0", is: "ethernet 4"),
        Machine(
            "A VLAN on a cable",
            [.ethernet("eth0"), .driven("vlan", name: "eth0.7", addresses: "10.7.0.3").with { $0.lower = "eth0" }],
            v4: "eth0.7", is: "ethernet 4"),
        Machine(
            "A VLAN on itself", [.driven("vlan", name: "v", addresses: "10.7.0.3").with { $0.lower = "v" }], v4: "v",
            is: "other 4"),
        Machine(
            "VLANs on each other",
            [
                .driven("vlan", name: "a", addresses: "10.7.0.3").with { $0.lower = "b" },
                .driven("vlan", name: "b").with { $0.lower = "a" },
            ], v4: "a", is: "other 4"),
    ]

    private static let tunnels = [
        Machine(
            "A full tunnel of WireGuard", [home, .wireguard("wg0", addresses: "10.2.0.2")], v4: "wg0", v6: "wg0",
            uplinks: ["wlan0", "wg0"], is: "vpn over wifi 4 6 active present"),
        Machine(
            "OpenVPN with half routes", [desk, .tun("tun0", addresses: "10.8.0.2")], v4: "tun0",
            uplinks: ["eth0", "tun0"],
            is: "vpn over ethernet 4 active present"),
        Machine(
            "A full tunnel over a phone's network",
            [.cellular("wwan0", addresses: "10.64.0.2"), .tun("tun0", addresses: "10.8.0.2")],
            v4: "tun0", uplinks: ["wwan0"], is: "vpn over cellular 4 active present expensive"),
        Machine(
            "A split tunnel", [home, .wireguard("wg0", addresses: "10.2.0.2")], v4: "wlan0", v6: "wlan0",
            is: "wifi 4 6 present"),
        Machine(
            "A tunnel for IPv4, IPv6 past it", [home, .wireguard("wg0", addresses: "10.2.0.2")], v4: "wg0", v6: "wlan0",
            uplinks: ["wlan0"], is: "vpn over wifi 4 6 active present"),
        Machine("The VPN drops while Wi-Fi stays", [home, .tun("tun0").off], v4: "wlan0", is: "wifi 4"),
        Machine(
            "A tun whose daemon died", [home, .tun("tun0", addresses: "10.8.0.2").withoutCarrier], v4: "tun0",
            is: "none"),
        Machine(
            "A tun whose daemon died, with the old way again",
            [home, .tun("tun0", addresses: "10.8.0.2").withoutCarrier],
            v4: "wlan0", is: "wifi 4"),
        Machine(
            "A tun with a link's address alone", [home, .tun("tun0", addresses: "fe80::9")], v4: "wlan0", is: "wifi 4"),
        Machine(
            "IPsec with a device", [desk, .driven("xfrm", name: "ipsec0", type: 65534, addresses: "10.9.0.2")],
            v4: "ipsec0",
            uplinks: ["eth0"], is: "vpn over ethernet 4 active present"),
        Machine(
            "OpenVPN over Ethernet frames",
            [desk, .driven("tun", name: "tap0", addresses: "10.8.0.2").with { $0.isTap = true }],
            v4: "tap0", uplinks: ["eth0"], is: "vpn over ethernet 4 active present"),
        Machine(
            "WireGuard known by its files alone",
            [home, Device(name: "wg0", type: 65534, hint: "wireguard", addresses: ["10.2.0.2"])], v4: "wg0",
            uplinks: ["wlan0"], is: "vpn over wifi 4 active present"),
        Machine(
            "Tailscale beside the way", [desk, .tun("tailscale0", addresses: "100.101.102.103")], v4: "eth0",
            is: "ethernet 4 present"),
        Machine(
            "A container behind another's VPN",
            [.driven("veth", name: "eth0", addresses: "172.17.0.2"), .tun("tun0", addresses: "10.8.0.2")],
            v4: "tun0", uplinks: ["eth0"], is: "vpn over other 4 active present"),
    ]

    private static let pppMachines = [
        Machine("PPPoE", [.ethernet("eth0"), .ppp("ppp0", addresses: "203.0.113.5")], v4: "ppp0", is: "other 4"),
        Machine(
            "PPPoE, and the cable has an address for the modem", [desk, .ppp("ppp0", addresses: "203.0.113.5")],
            v4: "ppp0",
            uplinks: ["ppp0"], is: "other 4"),
        Machine(
            "PPTP over Wi-Fi", [home, .ppp("ppp0", addresses: "10.5.0.2")], v4: "ppp0", uplinks: ["wlan0", "ppp0"],
            is: "vpn over wifi 4 active present"),
        Machine(
            "PPTP for one network", [home, .ppp("ppp0", addresses: "10.5.0.2")], v4: "wlan0", is: "wifi 4 present"),
        Machine(
            "WireGuard over PPPoE",
            [.ethernet("eth0"), .ppp("ppp0", addresses: "203.0.113.5"), .wireguard("wg0", addresses: "10.2.0.2")],
            v4: "wg0", uplinks: ["ppp0", "wg0"], is: "vpn over other 4 active present"),
    ]

    private static let odd = [
        Machine(
            "GRE is no VPN", [desk, .driven("gre", name: "gre1", type: 778, addresses: "10.3.0.2")], v4: "gre1",
            is: "other 4"),
        Machine(
            "SIT gives IPv6 and is no VPN", [.driven("sit", name: "he6", type: 776, addresses: "2001:db8::1")],
            v6: "he6", is: "other 6"),
        Machine("A route to a device that is gone", [desk], v4: "eth9", is: "none"),
        Machine("A dummy", [.driven("dummy", name: "dummy0", addresses: "10.0.0.1")], v4: "dummy0", is: "other 4"),
        Machine(
            "An unknown driver", [.driven("zeppelin", name: "zep0", addresses: "10.0.0.1")], v4: "zep0",
            is: "other 4"),
    ]

    @Test("At least forty machines, with unique names")
    func enough() {
        #expect(Set(Self.machines.map(\.testDescription)).count == Self.machines.count)
        #expect(Self.machines.count >= 40)
    }

    @Test(
        "Each driver has its kind, independent of the drivers of this kernel",
        arguments: [
            (["tun", "wireguard", "xfrm", "vti", "vti6", "ovpn"], .vpn),
            (["veth", "bridge", "macvlan", "vxlan", "dummy", "bond", "vlan", "ifb", "team", "ipvlan"], .virtual),
            (["gre", "sit", "ipip", "ip6tnl"], .other), (["wwan", "rmnet"], .cellular),
        ] as [([String], NetworkInterface.Kind)])
    func drivers(names: [String], kind: NetworkInterface.Kind) {
        let devices = names.map { Device.driven($0, name: "x\($0)", addresses: "10.9.0.2") }
        let status = KernelNetworkSnapshot([Self.desk] + devices, v4: "eth0").status
        let kinds = status.interfaces.filter { $0.name.hasPrefix("x") }.map(\.kind)
        #expect(kinds == names.map { _ in kind })
        #expect(!status.isVPNActive)
        #expect(status.isVPNPresent == (kind == .vpn))
    }

    @Test(
        "Each recorded link has its kind",
        arguments: [
            ("lo", .loopback), ("eth0", .ethernet), ("wlan0", .wifi), ("hwsim0", .other), ("ppp0", .vpn),
            ("xwireguard", .vpn), ("xxfrm", .vpn), ("xvti", .vpn), ("xtun", .vpn), ("xtap", .virtual),
            ("xdummy", .virtual), ("xveth", .virtual), ("xbridge", .virtual), ("xvlan", .virtual),
            ("xbond", .virtual), ("xgre", .other), ("xipip", .other), ("sit0", .other), ("tunl0", .other),
            ("gretap0", .other), ("erspan0", .other), ("ip_vti0", .vpn),
        ] as [(String, NetworkInterface.Kind)])
    func recordedKinds(name: String, kind: NetworkInterface.Kind) throws {
        var snapshot = KernelNetworkSnapshot()
        let uplink = try #require(RecordedMessages.links["eth0"])
        snapshot.links = Array(RecordedMessages.links.values).map { link in
            var link = link
            link.flags |= 0x41
            return link
        }
        // Without another uplink PPP would be the uplink itself.
        snapshot.uplinks = [uplink.index]
        #expect(snapshot.status.interfaces.first { $0.name == name }?.kind == kind)
    }

    @Test(
        "Each recorded tunnel that the default route leads through is an active VPN",
        arguments: ["xwireguard", "xxfrm", "xvti", "xtun"])
    func recordedTunnels(name: String) throws {
        var snapshot = KernelNetworkSnapshot()
        snapshot.links = Array(RecordedMessages.links.values)
        let index = try #require(snapshot.links.firstIndex { $0.name == name })
        snapshot.links[index].flags |= 0x41
        var route = NetlinkRoute()
        route.outgoing = [snapshot.links[index].index]
        snapshot.ipv4 = route
        #expect(snapshot.status.connectivity == .connected(.vpn))
        #expect(snapshot.status.primaryInterface?.name == name)
        // The daemon of the tunnel dies.
        snapshot.links[index].flags &= ~0x40
        #expect(snapshot.status.connectivity == .disconnected)
    }

    @Test("Each recorded network has its status")
    func recorded() throws {
        #expect(RecordedNetworks.all.count == 24)
        for network in RecordedNetworks.all {
            let words = network.name == "cable without a way" ? "none" : network.name.prefix { $0 != "," }
            #expect(network.snapshot.status.summary == words, "\(network.name)")
            // A route through a link without carrier remains, and is returned.
            #expect(network.snapshot.isCoherent == !network.name.hasSuffix("does not run"), "\(network.name)")
        }
        let tunnel = try #require(RecordedNetworks.all.first { $0.name.hasSuffix("half routes") }).snapshot
        let names = tunnel.links.filter { tunnel.uplinks.contains($0.index) }.map(\.name)
        #expect(Set(names) == ["v0", "tun7"])
        let paths = try #require(RecordedNetworks.all.first { $0.name.hasSuffix("two paths") }).snapshot
        #expect(paths.status.gateways.count == 1)
        let mixed = try #require(RecordedNetworks.all.first { $0.name.hasSuffix("IPv6 alone") }).snapshot.status
        #expect(mixed.primaryInterface?.name == "v0" && mixed.type == .other)
        #expect(mixed.isVPNActive, "IPv6 goes through the tunnel, IPv4 does not")
    }

    @Test(
        "Recorded taps and bridges are virtual, and only a tap beside another default route is a VPN",
        arguments: [
            ("of a virtual machine", "tap7", .virtual), ("of a virtual machine", "br7", .virtual),
            ("a tap past the cable", "tap7", .vpn), ("a tap alone", "tap7", .virtual),
            ("with the cable in it", "br7", .virtual), ("is pulled and that does not run", "br7", .virtual),
        ] as [(String, String, NetworkInterface.Kind)])
    func recordedSoftware(network: String, name: String, kind: NetworkInterface.Kind) throws {
        let status = try #require(RecordedNetworks.all.first { $0.name.hasSuffix(network) }).snapshot.status
        #expect(status.interfaces.first { $0.name == name }?.kind == kind)
    }

    @Test(
        "A recorded tunnel whose daemon died is gone, or has no carrier",
        arguments: [
            ("a tunnel that went with its daemon", nil), ("the only way went with its daemon", nil),
            ("that went with the daemon", nil), ("lost its daemon and does not run", false),
        ] as [(String, Bool?)])
    func recordedDeath(network: String, isRunning: Bool?) throws {
        let status = try #require(RecordedNetworks.all.first { $0.name.hasSuffix(network) }).snapshot.status
        #expect(status.interfaces.first { $0.name == "tun7" }?.isRunning == isRunning)
        #expect(!status.isVPNPresent && !status.isVPNActive)
    }

    @Test("A route of a refusing type does not connect", arguments: [2, 6, 7, 8] as [UInt8])
    func refusing(type: UInt8) {
        var snapshot = KernelNetworkSnapshot([.ethernet("eth0", addresses: "10.0.0.2")], v4: "eth0")
        snapshot.ipv4?.type = type
        #expect(!snapshot.status.isConnected)
    }

    @Test("A link in the dump twice counts once, as in its last message")
    func twice() {
        var snapshot = KernelNetworkSnapshot([.ethernet("eth0", addresses: "10.0.0.2")], v4: "eth0")
        var again = snapshot.links[1]
        again.name = "en0"
        snapshot.links.append(again)
        #expect(snapshot.status.interfaces.map(\.name) == ["lo", "en0"])
        #expect(snapshot.status.primaryInterface?.name == "en0")
    }

    @Test("A cycle of 40 bridges is resolved")
    func rings() {
        let names = (0..<40).map { "br\($0)" }
        let ring = names.enumerated().map { number, name in
            Device.driven("bridge", name: name, addresses: "10.0.0.2").with {
                $0.master = names[(number + 1) % names.count]
            }
        }
        #expect(KernelNetworkSnapshot(ring, v4: "br0").status.type == .other)
        // All links have the same index, and are their own master.
        var snapshot = KernelNetworkSnapshot(ring, v4: "br0")
        let first = snapshot.links[1].index
        for place in snapshot.links.indices.dropFirst() {
            (snapshot.links[place].index, snapshot.links[place].master) = (first, first)
        }
        #expect(snapshot.status.type == .other)
    }

    @Test("Tentative addresses are not reported, and do not make a VPN present")
    func tentative() {
        var snapshot = KernelNetworkSnapshot([.tun("tun0", addresses: "2001:db8::5")])
        #expect(snapshot.status.isVPNPresent)
        for index in snapshot.addresses.indices { snapshot.addresses[index].flags = 0x40 }
        #expect(!snapshot.status.isVPNPresent)
        #expect(snapshot.status.interfaces.flatMap(\.addresses) == [])
    }
}
