// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Interprets a snapshot: determines the kinds of its links.
struct SnapshotInterpreter {
    private let snapshot: KernelNetworkSnapshot
    private let links: [Int32: NetlinkLink]
    private let addresses: [Int32: [NetlinkAddress]]
    /// The links that carry packets to the internet.
    private let outgoing: Set<Int32>

    init(_ snapshot: KernelNetworkSnapshot) {
        self.snapshot = snapshot
        links = Dictionary(snapshot.links.map { ($0.index, $0) }) { $1 }
        addresses = Dictionary(grouping: snapshot.addresses, by: \.index)
        outgoing = Set([snapshot.ipv4, snapshot.ipv6].compactMap { $0?.outgoing.first })
    }

    /// Returns the link of a route if packets can use it.
    func outgoing(_ route: NetlinkRoute?) -> NetlinkLink? {
        guard let route, route.isUnicast, let index = route.outgoing.first, let link = links[index],
            link.isRunning, !link.isLoopback
        else { return nil }
        // A self-assigned address reaches only the local network.
        return isSelfAssigned(route, on: index) ? nil : link
    }

    /// Returns true if packets would leave with a self-assigned address.
    ///
    /// Cloud functions and containers get IPv4 addresses of the same range, but with a gateway, or without the prefix
    /// length 16 that self-assigned addresses have.
    private func isSelfAssigned(_ route: NetlinkRoute, on index: Int32) -> Bool {
        guard let source = route.source, source.isLinkLocal else { return false }
        if route.isIPv6 { return true }
        guard route.gateway == nil else { return false }
        return !(addresses[index] ?? []).contains { $0.address == source && $0.prefixLength != 16 }
    }

    /// Returns the public description of a link.
    func interface(_ link: NetlinkLink) -> NetworkInterface {
        NetworkInterface(
            name: link.name, kind: interfaceKind(of: link), index: Int(link.index),
            driver: link.driver.map { link.isTap ? "tap" : $0 }, isRunning: link.isRunning,
            addresses: (addresses[link.index] ?? []).filter { !$0.isUnusable }.map(\.address.description))
    }

    /// Returns true if a link is the tunnel of a VPN and is up with an address.
    func isPresentVPN(_ link: NetlinkLink) -> Bool {
        link.isRunning && interfaceKind(of: link) == .vpn
            && (addresses[link.index] ?? []).contains { !$0.isUnusable && !$0.address.isLinkLocal }
    }

    /// Returns the network type of packets through a link.
    func networkType(of link: NetlinkLink, depth: Int = 0) -> NetworkType {
        switch interfaceKind(of: link) {
        case .wifi: return .wifi
        case .ethernet: return .ethernet
        case .cellular: return .cellular
        case .vpn: return .vpn
        case .virtual where depth < 8:
            // A bridge or bond has the type of its members, a VLAN that of the link below it.
            if Self.containers.contains(link.driver ?? "") {
                let parts = snapshot.links.filter { $0.master == link.index && $0.isRunning }
                return parts.lazy.map { networkType(of: $0, depth: depth + 1) }
                    .first { $0 != .other && $0 != .vpn } ?? .other
            }
            guard Self.layers.contains(link.driver ?? ""), !link.isAcrossNamespaces, let lower = link.lower,
                lower != link.index, let below = links[lower]
            else { return .other }
            let carrier = networkType(of: below, depth: depth + 1)
            return carrier == .vpn ? .other : carrier
        default: return .other
        }
    }

    /// The network that carries a VPN: the uplink that would be used without it, or else the best available network.
    var underlyingType: NetworkType? {
        let candidates = snapshot.links.filter { link in
            link.isRunning && !link.isLoopback && interfaceKind(of: link) != .vpn
                && !(addresses[link.index] ?? []).isEmpty
        }
        let uplinks = candidates.filter { snapshot.uplinks.contains($0.index) || outgoing.contains($0.index) }
        let types = Set((uplinks.isEmpty ? candidates : uplinks).map { networkType(of: $0) })
        return [.ethernet, .wifi, .cellular, .other].first(where: types.contains)
    }

    // MARK: Kinds of links

    private static let containers: Set = ["bridge", "bond", "team", "openvswitch"]
    private static let layers: Set = ["vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec"]
    private static let software: Set = [
        "veth", "netkit", "vxlan", "geneve", "dummy", "ifb", "vrf", "nlmon", "hsr", "vcan", "vxcan", "bareudp",
        "virt_wifi", "virtual",
    ]

    /// Returns the kind of interface that a link is, by its hardware type, its driver and its hint.
    func interfaceKind(of link: NetlinkLink) -> NetworkInterface.Kind {
        if link.isLoopback || link.hardwareType == NetlinkLink.HardwareType.loopback { return .loopback }
        if link.isPointToPoint { return hasUplink(beside: link) ? .vpn : .other }
        guard let driver = link.driver ?? driverHint(of: link) else { return hardwareInterfaceKind(link) }
        switch driver {
        case "tun" where !link.isTap: return .vpn
        // A tap of a virtual machine, or the uplink of a container; a VPN if it carries the packets although there is
        // an uplink.
        case "tun": return outgoing.contains(link.index) && hasUplink(beside: link) ? .vpn : .virtual
        case "wwan", "rmnet": return .cellular
        case _ where NetlinkLink.tunnels.contains(driver): return .vpn
        case _ where Self.containers.contains(driver) || Self.layers.contains(driver): return .virtual
        case _ where Self.software.contains(driver): return .virtual
        default: return .other
        }
    }

    /// Returns the `DEVTYPE` of a link if it names a driver.
    private func driverHint(of link: NetlinkLink) -> String? {
        guard let hint = snapshot.hints[link.index] else { return nil }
        let isDriver =
            NetlinkLink.tunnels.contains(hint) || Self.containers.contains(hint) || Self.layers.contains(hint)
        return isDriver || Self.software.contains(hint) || hint == "tun" || hint == "tap" ? hint : nil
    }

    /// Returns the kind of a link without a driver.
    private func hardwareInterfaceKind(_ link: NetlinkLink) -> NetworkInterface.Kind {
        let hint = snapshot.hints[link.index]
        // Names are the last resort if sysfs belongs to another namespace.
        if hint == "wwan" || link.hardwareType == NetlinkLink.HardwareType.rawIP
            || ["ww", "rmnet"].contains(where: link.name.hasPrefix)
        {
            return .cellular
        }
        guard link.hardwareType == NetlinkLink.HardwareType.ethernet else { return .other }
        if hint == "wlan" || hint == nil && link.name.hasPrefix("wl") { return .wifi }
        return hint == "bluetooth" || link.name.hasPrefix("bnep") ? .other : .ethernet
    }

    /// Returns true if another link that is not a tunnel leads to the internet, so that this one need not carry all
    /// packets.
    private func hasUplink(beside link: NetlinkLink) -> Bool {
        snapshot.uplinks.union(outgoing).contains { index in
            guard index != link.index, let other = links[index], other.isRunning, !other.isLoopback else {
                return false
            }
            guard !other.isPointToPoint else { return false }
            let driver = other.driver ?? snapshot.hints[index] ?? ""
            return driver != "tun" && !NetlinkLink.tunnels.contains(driver)
        }
    }
}
