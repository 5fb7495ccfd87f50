// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension FuzzTarget {
    /// What the kernel sends of its network: read to a status, the same each time, whatever it is.
    static let netlink = FuzzTarget(name: "netlink") { bytes in
        let way = bytes.below(256)
        let input = bytes.rest
        let records = NetlinkParser.records(in: input)
        precondition(records.count * 16 <= input.count, "more messages than there is room for")
        precondition(NetlinkParser.records(in: input) == records, "read otherwise the second time")
        var picture = KernelNetworkSnapshot()
        for record in records {
            switch record.message {
            case .link(let link, _): picture.links.append(link)
            case .address(let address, _): picture.addresses.append(address)
            case .route(let route, _):
                if route.isIPv6 { picture.ipv6 = route } else { picture.ipv4 = route }
                picture.uplinks.formUnion(route.outgoing)
            case .rule, .refused, .done, .other: break
            }
        }
        if picture.ipv4 == nil, let link = picture.links.dropFirst(way).first {
            picture.ipv4 = NetlinkRoute()
            picture.ipv4?.outgoing = [link.index]
        }
        let status = picture.status
        precondition(status.isConnected == (status.supportsIPv4 || status.supportsIPv6), "connected without a way")
        precondition(!status.isVPNActive || status.type == .vpn && status.isVPNPresent, "a VPN that is not there")
        precondition(!status.isConnected || status.primaryInterface?.isRunning == true, "a way through nothing")
        // A text of the system's files is somebody else's, too.
        let text = bytes.text
        for address in KernelNetworkSnapshot.destinations {
            _ = SystemFiles.ipv4Route(to: address, in: text)
            _ = SystemFiles.ipv6Route(to: address, in: text)
        }
        precondition(SystemFiles.nameServers(in: text).count <= 8)
        precondition(SystemFiles.ipv6Addresses(in: text).allSatisfy { $0.address.address.isIPv6 }, "not of IPv6")
        precondition(SystemFiles.devices(in: text).allSatisfy { !$0.contains(":") }, "a device with its numbers")
        precondition(SystemFiles.hostNames(in: text).allSatisfy { !$0.contains(where: \.isWhitespace) }, "two names")
        _ = SystemFiles.value(of: "DEVTYPE", in: text)
    }
}
