// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// A snapshot of the kernel's network state; ``status`` is derived from it.
package struct KernelNetworkSnapshot: Hashable, Sendable, Codable {
    package var links: [NetlinkLink] = []
    package var addresses: [NetlinkAddress] = []
    /// The route to a public IPv4 address; `nil` if there is no route.
    package var ipv4: NetlinkRoute?
    /// The route to a public IPv6 address; `nil` if there is no route.
    package var ipv6: NetlinkRoute?
    /// The links of any route to those addresses, used or not; queried only if ``needsUplinks``.
    package var uplinks: Set<Int32> = []
    /// The `DEVTYPE` of links in sysfs, such as `wlan` and `wwan`, for links without a known driver.
    package var hints: [Int32: String] = [:]
    package var dnsServers: [String] = []
    package var source = NetworkStatus.Source.system

    package init() {}

    /// The destinations of the route queries: the addresses of root name server A, which is on no local network.
    package static let destinations = [
        NumericAddress([198, 41, 0, 4]),
        NumericAddress([0x20, 0x01, 0x05, 0x03, 0xBA, 0x3E, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x30]),
    ].compactMap { $0 }

    /// True if there may be a tunnel, so that it matters which other links lead to the internet.
    package var needsUplinks: Bool {
        links.contains { link in
            let driver = link.driver ?? hints[link.index] ?? ""
            return link.isRunning && (link.isPointToPoint || driver == "tun" || NetlinkLink.tunnels.contains(driver))
        }
    }

    /// True if the links of the routes are known and running.
    ///
    /// If not, the links may be older than the routes: a link came up during the query.
    package var isCoherent: Bool {
        [ipv4, ipv6].compactMap { $0 }.allSatisfy { route in
            guard route.isUnicast, let index = route.outgoing.first else { return true }
            return links.contains { $0.index == index && $0.isRunning }
        }
    }

    /// The network status derived from this snapshot.
    package var status: NetworkStatus {
        var snapshot = self
        snapshot.links = Self.unique(links)
        return snapshot.interpreted()
    }

    /// Returns the links without duplicates; the last one of each index counts.
    private static func unique(_ links: [NetlinkLink]) -> [NetlinkLink] {
        var unique: [NetlinkLink] = []
        var positions: [Int32: Int] = [:]
        for link in links {
            if let position = positions[link.index] {
                unique[position] = link
            } else {
                positions[link.index] = unique.count
                unique.append(link)
            }
        }
        return unique
    }

    private func interpreted() -> NetworkStatus {
        let interpreter = SnapshotInterpreter(self)
        let (ipv4Link, ipv6Link) = (interpreter.outgoing(ipv4), interpreter.outgoing(ipv6))
        let primary = ipv4Link ?? ipv6Link
        var status = NetworkStatus(.disconnected)
        status.interfaces = links.map(interpreter.interface)
        status.supportsIPv4 = ipv4Link != nil
        status.supportsIPv6 = ipv6Link != nil
        status.dnsServers = dnsServers
        status.source = source
        status.isVPNPresent = links.contains(where: interpreter.isPresentVPN)
        guard let primary else { return status }
        let type = interpreter.networkType(of: primary)
        status.connectivity = .connected(type)
        status.primaryInterface = interpreter.interface(primary)
        // A tunnel for one family carries packets to the internet, even if packets of the other family bypass it.
        status.isVPNActive = [ipv4Link, ipv6Link].compactMap(\.self)
            .contains { interpreter.networkType(of: $0) == .vpn }
        status.isVPNPresent = status.isVPNPresent || status.isVPNActive
        status.underlyingType = type == .vpn ? interpreter.underlyingType : type
        status.gateways = [ipv4Link == nil ? nil : ipv4, ipv6Link == nil ? nil : ipv6]
            .compactMap { $0?.gateway?.description }
        status.isExpensive = status.underlyingType == .cellular
        return status
    }
}

extension NetlinkLink {
    /// The drivers of interfaces that are always VPN tunnels.
    static let tunnels: Set = ["wireguard", "amneziawg", "ovpn", "ovpn-dco", "xfrm", "vti", "vti6"]

    /// The hardware types that are used here (`ARPHRD_…`).
    enum HardwareType {
        /// `ARPHRD_ETHER`.
        static let ethernet: UInt16 = 1
        /// `ARPHRD_PPP`.
        static let ppp: UInt16 = 512
        /// `ARPHRD_RAWIP`, that of cellular modems.
        static let rawIP: UInt16 = 519
        /// `ARPHRD_LOOPBACK`.
        static let loopback: UInt16 = 772
    }

    /// True if it is PPP, by its driver or its hardware type.
    package var isPointToPoint: Bool { driver == "ppp" || driver == nil && hardwareType == HardwareType.ppp }
}
