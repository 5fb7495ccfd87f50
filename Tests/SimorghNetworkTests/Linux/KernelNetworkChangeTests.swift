// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// Changes beside the default route, and IPv6 routes, as a real kernel reports them.
@Suite(.timeLimit(.minutes(5)))
struct KernelNetworkChangeTests {
    /// A part of the network that can be added and removed; only the route gives internet access.
    private enum Piece: CaseIterable {
        case cable, bridge, tap, tunnel, address, route

        var add: [String] {
            switch self {
            case .cable: ["link add w0 type veth peer name w1"]
            case .bridge: ["link add br7 type bridge", "link set br7 up"]
            case .tap: ["link set tap7 up"]
            case .tunnel: ["link set tun7 up", "addr add 10.7.0.2/24 dev tun7"]
            case .address: ["addr add 203.0.113.9/32 dev v0"]
            case .route: ["route add default via 192.0.2.1 dev v0"]
            }
        }

        var remove: [String] {
            switch self {
            case .cable: ["link del w0"]
            case .bridge: ["link del br7"]
            case .tap: ["link set tap7 down"]
            case .tunnel: ["addr del 10.7.0.2/24 dev tun7", "link set tun7 down"]
            case .address: ["addr del 203.0.113.9/32 dev v0"]
            case .route: ["route del default via 192.0.2.1 dev v0"]
            }
        }

        func isThere(_ status: NetworkStatus) -> Bool {
            switch self {
            case .cable: status.interfaces.contains { $0.name == "w0" && $0.kind == .virtual }
            case .bridge: status.interfaces.contains { $0.name == "br7" && $0.kind == .virtual }
            case .tap: status.interfaces.contains { $0.name == "tap7" && $0.kind == .virtual && $0.isRunning }
            case .tunnel: status.isVPNPresent
            case .address: status.interfaces.contains { $0.name == "v0" && $0.addresses.contains("203.0.113.9") }
            case .route: status.primaryInterface?.name == "v0"
            }
        }
    }

    @Test(
        "Cables, bridges, taps, tunnels, addresses and a route in random order: only the route connects",
        arguments: 0..<3 as Range<UInt64>)
    func orders(seed: UInt64) async throws {
        guard let world = try await NamespaceMonitor("link set lo up") else { return }
        try await world.space.ip(NamespaceMonitor.cable)
        let daemons = [try world.space.tun("tun7"), try world.space.tun("tap7", isTap: true)]
        await world.until { status in status.interfaces.contains { $0.name == "tap7" } }
        var random = SeededNumbers(seed)
        var there: Set<Piece> = []
        for _ in 0..<40 {
            let piece = try #require(Piece.allCases.randomElement(using: &random))
            let losses = world.losses
            let isLoss = there.contains(.route) && piece == .route
            try await world.space.ip(there.contains(piece) ? piece.remove : piece.add)
            if there.remove(piece) == nil { there.insert(piece) }
            let wanted = there
            await world.until { status in Set(Piece.allCases.filter { $0.isThere(status) }) == wanted }
            #expect(world.last.isConnected == there.contains(.route))
            #expect(!world.last.isVPNActive)
            #expect(world.losses == losses + (isLoss ? 1 : 0))
        }
        withExtendedLifetime(daemons) {}
    }

    @Test("Half routes and a rule of IPv6 are detected")
    func ipv6() async throws {
        guard let world = try await NamespaceMonitor("link set lo up") else { return }
        let daemon = try world.space.tun("tun7")
        try await world.space.ip(
            [
                "link add v0 type veth peer name v1", "link set v1 up", "link set v0 up", "link set tun7 up",
                "addr add 2001:db8::2/64 dev v0 nodad", "addr add fd00:7::2/64 dev tun7 nodad",
                "route add default via 2001:db8::1 dev v0", "route add default dev tun7 table 7",
            ], isIPv6: true)
        await world.becomes("other 6 present")
        let changes = [
            (["route add 2000::/3 dev tun7"], "tun7"), (["route del 2000::/3 dev tun7"], "v0"),
            (["rule add not fwmark 7 table 7 priority 100"], "tun7"), (["rule del priority 100"], "v0"),
        ]
        for (lines, route) in changes {
            try await world.space.ip(lines, isIPv6: true)
            await world.until { $0.primaryInterface?.name == route }
            #expect(world.last.isVPNActive == (route == "tun7"))
            #expect(world.last.supportsIPv6 && !world.last.supportsIPv4)
        }
        #expect(world.losses == 0)
        withExtendedLifetime(daemon) {}
    }

    @Test("A renamed device has its new name, and keeps its index")
    func rename() async throws {
        guard let world = try await NamespaceMonitor("link add x7 type veth peer name x8") else { return }
        let index = try #require(world.last.interfaces.first { $0.name == "x7" }?.index)
        try await world.space.ip("link set x7 name y7")
        await world.until { status in status.interfaces.contains { $0.name == "y7" } }
        #expect(world.last.interfaces.first { $0.name == "y7" }?.index == index)
        #expect(!world.last.interfaces.contains { $0.name == "x7" })
    }

    @Test("Without loopback a route connects, and isNowhere is certain without rtnetlink")
    func withoutLoopback() async throws {
        guard let world = try await NamespaceMonitor("link set lo down") else { return }
        #expect(world.last.isIsolated)
        // Nothing is certain about IPv6 if the kernel has none.
        let hasIPv6 = (try? world.space.table("if_inet6")) != nil
        #expect(world.space.run { KernelNetworkSource().isDefinitelyOffline } == hasIPv6)
        try await world.space.ip(NamespaceMonitor.cable + ["route add default via 192.0.2.1"])
        await world.becomes("other 4")
        #expect(!world.space.run { KernelNetworkSource().isDefinitelyOffline })
    }
}
#endif
