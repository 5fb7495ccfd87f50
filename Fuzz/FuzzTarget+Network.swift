// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension FuzzTarget {
    /// Netlink messages of the kernel: any input is parsed to a status, and always to the same one.
    static let netlink = FuzzTarget(name: "netlink") { bytes in
        let way = bytes.below(256)
        let input = bytes.rest
        let records = NetlinkParser.records(in: input)
        precondition(records.count * 16 <= input.count, "more messages than fit into the input")
        precondition(NetlinkParser.records(in: input) == records, "read differently the second time")
        var snapshot = KernelNetworkSnapshot()
        for record in records {
            switch record.message {
            case .link(let link, _): snapshot.links.append(link)
            case .address(let address, _): snapshot.addresses.append(address)
            case .route(let route, _):
                if route.isIPv6 { snapshot.ipv6 = route } else { snapshot.ipv4 = route }
                snapshot.uplinks.formUnion(route.outgoing)
            case .rule, .failed, .acknowledged, .done, .other: break
            }
        }
        if snapshot.ipv4 == nil, let link = snapshot.links.dropFirst(way).first {
            snapshot.ipv4 = NetlinkRoute()
            snapshot.ipv4?.outgoing = [link.index]
        }
        let status = snapshot.status
        precondition(status.isConnected == (status.supportsIPv4 || status.supportsIPv6), "connected without a route")
        precondition(!status.isVPNActive || status.type == .vpn && status.isVPNPresent, "a VPN that is absent")
        precondition(!status.isConnected || status.primaryInterface?.isRunning == true, "a route without interface")
        // The content of system files is not trusted either.
        let text = bytes.text
        for address in KernelNetworkSnapshot.destinations {
            _ = SystemFiles.ipv4Route(to: address, in: text)
            _ = SystemFiles.ipv6Route(to: address, in: text)
        }
        precondition(SystemFiles.nameServers(in: text).count <= 8)
        precondition(SystemFiles.ipv6Addresses(in: text).allSatisfy { $0.address.address.isIPv6 }, "not IPv6")
        precondition(SystemFiles.devices(in: text).allSatisfy { !$0.contains(":") }, "a colon in a device name")
        precondition(SystemFiles.hostNames(in: text).allSatisfy { !$0.contains(where: \.isWhitespace) }, "two names")
        _ = SystemFiles.value(of: "DEVTYPE", in: text)
    }
}
