// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import CSimorghNetlink
package import SimorghSupport

/// A snapshot from the kernel's files, for processes that may not use rtnetlink.
enum ProcFSSnapshot {
    /// Returns a snapshot.
    ///
    /// - Returns: The snapshot; `nil` if `/proc/net/dev` or `/proc/net/route` cannot be read, if there are no links, or
    ///   if no descriptor is free.
    static func now() -> KernelNetworkSnapshot? {
        guard let devices = SystemFiles.text(of: "/proc/net/dev"),
            let ipv4Table = SystemFiles.table(of: "/proc/net/route")
        else { return nil }
        var snapshot = KernelNetworkSnapshot()
        snapshot.source = .polling
        for name in SystemFiles.devices(in: devices) {
            var address: [UInt8] = [0, 0, 0, 0]
            var link = NetlinkLink()
            link.name = name
            let failure = simorgh_device(name, &link.flags, &link.index, &address)
            if failure == -EMFILE || failure == -ENFILE { return nil }
            guard failure == 0 else { continue }
            link.hardwareType =
                UInt16(SystemFiles.attribute("type", of: link) ?? "")
                ?? (link.isLoopback ? NetlinkLink.HardwareType.loopback : NetlinkLink.HardwareType.ethernet)
            link.isTap =
                SystemFiles.attribute("tun_flags", of: link)
                .flatMap { Int($0.dropFirst(2), radix: 16) }.map { $0 & 0x2 != 0 } ?? false
            if SystemFiles.attribute("tun_flags", of: link) != nil { link.driver = "tun" }
            snapshot.links.append(link)
            if address != [0, 0, 0, 0], let address = NumericAddress(address) {
                // The prefix length is unknown here.
                snapshot.addresses.append(
                    NetlinkAddress(
                        index: link.index, address: address, prefixLength: address.isLinkLocal ? 16 : 32, flags: 0))
            }
        }
        // Every system has a loopback interface.
        guard !snapshot.links.isEmpty else { return nil }
        // Without IPv6 its files do not exist.
        let ipv6Addresses = SystemFiles.text(of: "/proc/net/if_inet6") ?? ""
        snapshot.addresses += SystemFiles.ipv6Addresses(in: ipv6Addresses).map(\.address)
        snapshot.setRoutes(
            ipv4Table: ipv4Table, ipv6Table: SystemFiles.table(of: "/proc/net/ipv6_route") ?? ""
        ) { PolledRoute(to: $0) }
        guard FileBytes.mayOpen else { return nil }
        snapshot.hints = SystemFiles.hints(for: snapshot.links)
        for link in snapshot.links where link.driver == nil && snapshot.hints[link.index] == "" {
            // Only netlink reports the driver of a virtual link; sysfs shows only that it is not hardware.
            if link.hardwareType == NetlinkLink.HardwareType.ethernet, !SystemFiles.isHardware(link) {
                snapshot.hints[link.index] = "virtual"
            }
        }
        snapshot.dnsServers = SystemFiles.nameServers()
        return snapshot
    }
}

/// The kernel's route to an address, determined without rtnetlink by connecting a UDP socket, which sends nothing.
///
/// This includes policy routing, and costs the same on a router with a million routes.
package enum PolledRoute: Hashable, Sendable {
    /// There is a route; packets leave with this source address.
    case source(NumericAddress)
    /// There is no route: the kernel rejects packets to the address.
    case unreachable
    /// It is unknown if there is a route: the query failed, or packets would leave without a source address.
    case unknown

    /// Queries the route.
    package init(to address: NumericAddress) {
        var source = [UInt8](repeating: 0, count: address.bytes.count)
        let family = UInt8(address.isIPv6 ? AF_INET6 : AF_INET)
        switch -simorgh_source(family, address.bytes, &source) {
        case 0:
            // A route without a source address does not identify a link.
            if let source = NumericAddress(source), !source.isUnspecified {
                self = .source(source)
            } else {
                self = .unknown
            }
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: self = .unreachable
        default: self = .unknown
        }
    }
}

extension KernelNetworkSnapshot {
    /// Sets the known routes, from the kernel's answers and the two routing tables.
    ///
    /// - Parameters:
    ///   - ipv4Table: The IPv4 routing table.
    ///   - ipv6Table: The IPv6 routing table.
    ///   - query: Queries the kernel for the route to an address.
    package mutating func setRoutes(
        ipv4Table: String, ipv6Table: String, query: (NumericAddress) -> PolledRoute
    ) {
        for address in KernelNetworkSnapshot.destinations {
            let found =
                address.isIPv6
                ? SystemFiles.ipv6Route(to: address, in: ipv6Table) : SystemFiles.ipv4Route(to: address, in: ipv4Table)
            if let found { uplinks.formUnion(links.filter { found.devices.contains($0.name) }.map(\.index)) }
            let polled = query(address)
            guard let link = outgoing(polled, tableDevice: found?.device) else { continue }
            var route = NetlinkRoute()
            route.isIPv6 = address.isIPv6
            route.outgoing = [link.index]
            if let found, found.device == link.name { route.gateway = found.gateway }
            if case .source(let source) = polled {
                route.source = source
            } else {
                // Prefers an address that is not self-assigned: with such an address packets reach at most the local
                // network.
                let sources = addresses.filter { $0.index == link.index && $0.address.isIPv6 == address.isIPv6 }
                route.source = sources.first { !$0.address.isLinkLocal }?.address ?? sources.first?.address
            }
            if address.isIPv6 { ipv6 = route } else { ipv4 = route }
        }
    }

    /// Returns the link of a route: that of the routing table, unless the source address belongs to another link.
    private func outgoing(_ route: PolledRoute, tableDevice: String?) -> NetlinkLink? {
        let tableLink = links.first { $0.name == tableDevice }
        switch route {
        case .unreachable: return nil
        case .unknown: return tableLink
        case .source(let source):
            let owners = links.filter { link in
                addresses.contains { $0.index == link.index && $0.address == source }
            }
            if let tableLink, owners.contains(tableLink) { return tableLink }
            // Only one IPv4 address of each link is known here, and other links may use an address of the loopback
            // interface.
            return owners.first { $0.isRunning && !$0.isLoopback } ?? tableLink
        }
    }
}
#endif
