// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// Routes without rtnetlink.
@Suite(.timeLimit(.minutes(5)))
struct ProcFSSnapshotTests {
    private static let table = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
        eth0\t000200C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
        """

    private static func status(_ table: String, _ route: PolledRoute) -> NetworkStatus {
        var snapshot = KernelNetworkSnapshot([
            .ethernet("eth0", addresses: "192.0.2.2"), .wireguard("wg0", addresses: "10.7.0.2"),
        ])
        snapshot.setRoutes(ipv4Table: table, ipv6Table: "") { $0.isIPv6 ? .unreachable : route }
        return snapshot.status
    }

    @Test(
        "The route is that of the source address of packets, or that of the table if the address does not decide",
        arguments: [
            ("192.0.2.2", "eth0", "192.0.2.1"), ("10.7.0.2", "wg0", nil), ("127.0.0.1", "eth0", "192.0.2.1"),
            ("203.0.113.9", "eth0", "192.0.2.1"),
        ] as [(String, String, String?)])
    func sources(source: String, device: String, gateway: String?) throws {
        let status = Self.status(Self.table, .source(try #require(NumericAddress(source))))
        #expect(status.primaryInterface?.name == device)
        #expect(status.gateways.first == gateway)
        #expect(status.isVPNActive == (device == "wg0"))
        #expect(status.underlyingType == .ethernet)
    }

    @Test("An unknown route is taken from the table, and an unreachable one is disconnected")
    func unsaid() {
        #expect(Self.status(Self.table, .unknown).primaryInterface?.name == "eth0")
        #expect(!Self.status(Self.table, .unreachable).isConnected)
        #expect(!Self.status("", .unknown).isConnected)
    }

    @Test("A route past the end of the part of the table that is read connects", arguments: ["192.0.2.2", "10.7.0.2"])
    func withoutTable(source: String) throws {
        let status = Self.status("", .source(try #require(NumericAddress(source))))
        #expect(status.primaryInterface?.addresses == [source])
        #expect(status.gateways == [])
    }

    @Test("A connected UDP socket detects half routes and rules without sending")
    func asked() async throws {
        guard let space = try await NetworkNamespace.make() else { return }
        let address = try #require(KernelNetworkSnapshot.destinations.first)
        let cable = PolledRoute.source(try #require(NumericAddress("192.0.2.2")))
        let tunnel = PolledRoute.source(try #require(NumericAddress("10.7.0.2")))
        let daemon = try space.tun("tun7")
        try await space.ip(NamespaceMonitor.cable + ["addr add 10.7.0.2/24 dev tun7", "link set tun7 up"])
        try await space.ip("route add default dev tun7 table 7")
        #expect(space.run { PolledRoute(to: address) } == .unreachable)
        let changes = [
            ("route add default via 192.0.2.1 dev v0", cable), ("route add 128.0.0.0/1 dev tun7", tunnel),
            ("route del 128.0.0.0/1 dev tun7", cable), ("rule add not fwmark 7 table 7 priority 100", tunnel),
            ("rule del priority 100", cable), ("route del default", PolledRoute.unreachable),
        ]
        for (line, route) in changes {
            try await space.ip(line)
            #expect(space.run { PolledRoute(to: address) } == route, "after \(line)")
        }
        withExtendedLifetime(daemon) {}
    }
}
#endif
