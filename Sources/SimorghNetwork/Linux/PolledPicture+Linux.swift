// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

#if os(Linux)
import CSimorghNetlink

/// What the kernel's files say, where it may not be asked over rtnetlink.
enum PolledPicture {
    /// All that they say; `nil` where they cannot be read, or not all of them.
    static func now() -> NetworkPicture? {
        guard let devices = SystemFiles.text(of: "/proc/net/dev"), let four = SystemFiles.table(of: "/proc/net/route")
        else { return nil }
        var picture = NetworkPicture()
        picture.source = .polling
        for name in SystemFiles.devices(in: devices) {
            var address: [UInt8] = [0, 0, 0, 0]
            var link = NetlinkLink()
            link.name = name
            let failure = simorgh_device(name, &link.flags, &link.index, &address)
            if failure == -EMFILE || failure == -ENFILE { return nil }
            guard failure == 0 else { continue }
            link.type = UInt16(SystemFiles.attribute("type", of: link) ?? "") ?? (link.isLoopback ? 772 : 1)
            link.isTap =
                SystemFiles.attribute("tun_flags", of: link)
                .flatMap { Int($0.dropFirst(2), radix: 16) }.map { $0 & 0x2 != 0 } ?? false
            if SystemFiles.attribute("tun_flags", of: link) != nil { link.kind = "tun" }
            picture.links.append(link)
            if address != [0, 0, 0, 0], let address = NumericAddress(address) {
                // How long its network is, is not said.
                picture.addresses.append(
                    NetlinkAddress(
                        index: link.index, address: address, prefixLength: address.isLinkLocal ? 16 : 32, flags: 0))
            }
        }
        // Every system has its loopback.
        guard !picture.links.isEmpty else { return nil }
        // Where there is no IPv6, its files are none either.
        let six = SystemFiles.text(of: "/proc/net/if_inet6") ?? ""
        picture.addresses += SystemFiles.ipv6Addresses(in: six).map(\.address)
        picture.follow(four, SystemFiles.table(of: "/proc/net/ipv6_route") ?? "") { PolledWay(to: $0) }
        guard FileBytes.mayOpen else { return nil }
        picture.hints = SystemFiles.hints(for: picture.links)
        for link in picture.links where link.kind == nil && picture.hints[link.index] == "" {
            // Only the kernel says what it is; that it is not hardware, its files do.
            if link.type == 1, !SystemFiles.isHardware(link) { picture.hints[link.index] = "virtual" }
        }
        picture.dnsServers = SystemFiles.nameServers()
        return picture
    }
}

/// What the kernel says of the way to an address where it may not be asked over rtnetlink: by a socket that is connected
/// and sends nothing.
///
/// Rules of policy routing are in that, and it costs the same on a router that knows a million ways.
package enum PolledWay: Hashable, Sendable {
    /// Packets would leave with this address.
    case from(NumericAddress)
    /// None would leave.
    case nowhere
    /// It does not say.
    case unknown

    /// Asks.
    package init(to address: NumericAddress) {
        var source = [UInt8](repeating: 0, count: address.bytes.count)
        let family = UInt8(address.isIPv6 ? AF_INET6 : AF_INET)
        switch -simorgh_source(family, address.bytes, &source) {
        case 0:
            // A packet may leave with no address at all.
            if let source = NumericAddress(source), !source.isUnspecified {
                self = .from(source)
            } else {
                self = .unknown
            }
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: self = .nowhere
        default: self = .unknown
        }
    }
}

extension NetworkPicture {
    /// Finds the ways: by what the kernel says of them, and what the two tables of routes do, as far as they are known.
    ///
    /// - Parameters:
    ///   - four: The table of IPv4.
    ///   - six: The table of IPv6.
    ///   - ask: Asks the kernel for the way to an address.
    package mutating func follow(_ four: String, _ six: String, asking ask: (NumericAddress) -> PolledWay) {
        for address in NetworkPicture.destinations {
            let found =
                address.isIPv6
                ? SystemFiles.ipv6Route(to: address, in: six) : SystemFiles.ipv4Route(to: address, in: four)
            if let found { uplinks.formUnion(links.filter { found.devices.contains($0.name) }.map(\.index)) }
            let way = ask(address)
            guard let link = outgoing(way, tabled: found?.device) else { continue }
            var route = NetlinkRoute()
            route.isIPv6 = address.isIPv6
            route.outgoing = [link.index]
            if let found, found.device == link.name { route.gateway = found.gateway }
            if case .from(let source) = way {
                route.source = source
            } else {
                // With none but an address of its own making it reaches neighbours at most.
                let sources = addresses.filter { $0.index == link.index && $0.address.isIPv6 == address.isIPv6 }
                route.source = sources.first { !$0.address.isLinkLocal }?.address ?? sources.first?.address
            }
            if address.isIPv6 { ipv6 = route } else { ipv4 = route }
        }
    }

    /// The link that a way leads through: that of the tables, unless the address that packets leave with is another's.
    private func outgoing(_ way: PolledWay, tabled name: String?) -> NetlinkLink? {
        let tabled = links.first { $0.name == name }
        switch way {
        case .nowhere: return nil
        case .unknown: return tabled
        case .from(let source):
            let owners = links.filter { link in
                addresses.contains { $0.index == link.index && $0.address == source }
            }
            if let tabled, owners.contains(tabled) { return tabled }
            // Of a link's IPv4 addresses one is known here; and loopback lends its own to others.
            return owners.first { $0.isRunning && !$0.isLoopback } ?? tabled
        }
    }
}
#endif
