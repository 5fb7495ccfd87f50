// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A parser of rtnetlink datagrams; it accepts any input.
///
/// The numbers are constants of the kernel's interface, which do not change.
package enum NetlinkParser {
    /// The types of messages.
    private enum MessageType {
        static let error: UInt16 = 2  // NLMSG_ERROR
        static let done: UInt16 = 3  // NLMSG_DONE
        static let newLink: UInt16 = 16  // RTM_NEWLINK
        static let deletedLink: UInt16 = 17  // RTM_DELLINK
        static let newAddress: UInt16 = 20  // RTM_NEWADDR
        static let deletedAddress: UInt16 = 21  // RTM_DELADDR
        static let newRoute: UInt16 = 24  // RTM_NEWROUTE
        static let deletedRoute: UInt16 = 25  // RTM_DELROUTE
        static let newRule: UInt16 = 32  // RTM_NEWRULE
        static let deletedRule: UInt16 = 33  // RTM_DELRULE
    }

    /// The attributes of a link.
    private enum LinkAttribute {
        static let name: UInt16 = 3  // IFLA_IFNAME
        static let lowerLink: UInt16 = 5  // IFLA_LINK
        static let master: UInt16 = 10  // IFLA_MASTER
        static let information: UInt16 = 18  // IFLA_LINKINFO
        static let lowerLinkNamespace: UInt16 = 37  // IFLA_LINK_NETNSID
    }

    /// The attributes within `IFLA_LINKINFO`.
    private enum LinkInformation {
        static let driver: UInt16 = 1  // IFLA_INFO_KIND
        static let data: UInt16 = 2  // IFLA_INFO_DATA
        static let tunType: UInt16 = 3  // IFLA_TUN_TYPE, within the data of a tun
    }

    /// The attributes of an address.
    private enum AddressAttribute {
        static let address: UInt16 = 1  // IFA_ADDRESS
        static let local: UInt16 = 2  // IFA_LOCAL
        static let flags: UInt16 = 8  // IFA_FLAGS
    }

    /// The attributes of a route.
    private enum RouteAttribute {
        static let destination: UInt16 = 1  // RTA_DST
        static let outgoingLink: UInt16 = 4  // RTA_OIF
        static let gateway: UInt16 = 5  // RTA_GATEWAY
        static let preferredSource: UInt16 = 7  // RTA_PREFSRC
        static let multipath: UInt16 = 9  // RTA_MULTIPATH
        static let via: UInt16 = 18  // RTA_VIA
    }

    /// The kernel's numbers of the address families, which differ from those of other platforms.
    private static let (ipv4Family, ipv6Family): (UInt8, UInt8) = (2, 10)  // AF_INET, AF_INET6
    /// The size of `nlmsghdr`, in bytes.
    private static let headerSize = 16
    /// The flag of a message whose dump was interrupted by a change: NLM_F_DUMP_INTR.
    private static let interruptedFlag: UInt16 = 0x10

    /// Returns the messages of a datagram, up to the first incomplete one.
    package static func records(in bytes: [UInt8]) -> [NetlinkRecord] {
        var records: [NetlinkRecord] = []
        let datagram = NetlinkBytes(bytes[...])
        var offset = 0
        // On systems with a 32-bit Int some lengths cannot be represented, and adding them could overflow.
        while let length = datagram.number(UInt32.self, at: offset).flatMap({ Int(exactly: $0) }), length >= headerSize,
            length <= datagram.count - offset,
            let type = datagram.number(UInt16.self, at: offset + 4),
            let flags = datagram.number(UInt16.self, at: offset + 6),
            let sequence = datagram.number(UInt32.self, at: offset + 8),
            let payload = datagram.part(offset + headerSize..<offset + length)
        {
            records.append(
                NetlinkRecord(
                    message: message(type, payload: payload), sequence: sequence,
                    isInterrupted: flags & interruptedFlag != 0))
            offset += (length + 3) & ~3
        }
        return records
    }

    private static func message(_ type: UInt16, payload: NetlinkBytes) -> NetlinkMessage {
        let message: NetlinkMessage? =
            switch type {
            case MessageType.error:
                payload.number(Int32.self, at: 0).map { $0 == 0 ? .acknowledged : .failed($0 == .min ? .max : abs($0)) }
            case MessageType.done:
                // A dump that the kernel aborted ends with an error number.
                payload.number(Int32.self, at: 0).flatMap { $0 < 0 && $0 > .min ? .failed(-$0) : nil } ?? .done
            case MessageType.newLink, MessageType.deletedLink:
                link(payload).map { .link($0, isGone: type == MessageType.deletedLink) }
            case MessageType.newAddress, MessageType.deletedAddress:
                address(payload).map { .address($0, isGone: type == MessageType.deletedAddress) }
            case MessageType.newRoute, MessageType.deletedRoute:
                route(payload).map { .route($0, isGone: type == MessageType.deletedRoute) }
            case MessageType.newRule, MessageType.deletedRule: .rule
            default: nil
            }
        return message ?? .other(type: type)
    }

    /// Parses `ifinfomsg` and its attributes.
    private static func link(_ payload: NetlinkBytes) -> NetlinkLink? {
        guard let type = payload.number(UInt16.self, at: 2), let index = payload.number(Int32.self, at: 4),
            let flags = payload.number(UInt32.self, at: 8), payload.count >= 16
        else { return nil }
        // Wireless and bridge events use the same message type with other contents, and another family than AF_UNSPEC.
        guard payload.number(UInt8.self, at: 0) == 0 else { return nil }
        let attributes = payload.attributes(from: 16)
        var link = NetlinkLink()
        link.index = index
        link.hardwareType = type
        link.flags = flags
        link.name = attributes[LinkAttribute.name]?.text ?? ""
        link.lower = attributes[LinkAttribute.lowerLink]?.number(at: 0)
        link.master = attributes[LinkAttribute.master]?.number(at: 0)
        link.isAcrossNamespaces = attributes[LinkAttribute.lowerLinkNamespace] != nil
        if let information = attributes[LinkAttribute.information]?.attributes(from: 0) {
            link.driver = information[LinkInformation.driver]?.text
            // 1 is a tun, 2 is a tap.
            if link.driver == "tun", let data = information[LinkInformation.data]?.attributes(from: 0) {
                link.isTap = data[LinkInformation.tunType]?.number(UInt8.self, at: 0) == 2
            }
        }
        return link
    }

    /// Parses `ifaddrmsg` and its attributes.
    private static func address(_ payload: NetlinkBytes) -> NetlinkAddress? {
        guard payload.count >= 8, let prefixLength = payload.number(UInt8.self, at: 1),
            let shortFlags = payload.number(UInt8.self, at: 2), let index = payload.number(Int32.self, at: 4)
        else { return nil }
        let attributes = payload.attributes(from: 8)
        // On a point-to-point link, IFA_ADDRESS is the peer's address.
        let bytes = attributes[AddressAttribute.local] ?? attributes[AddressAttribute.address]
        guard let address = bytes?.address else { return nil }
        return NetlinkAddress(
            index: index, address: address, prefixLength: prefixLength,
            flags: attributes[AddressAttribute.flags]?.number(UInt32.self, at: 0) ?? UInt32(shortFlags))
    }

    /// Parses `rtmsg` and its attributes.
    private static func route(_ payload: NetlinkBytes) -> NetlinkRoute? {
        guard payload.count >= 12, let family = payload.number(UInt8.self, at: 0),
            let prefixLength = payload.number(UInt8.self, at: 1), let type = payload.number(UInt8.self, at: 7),
            family == ipv4Family || family == ipv6Family
        else { return nil }
        let attributes = payload.attributes(from: 12)
        var route = NetlinkRoute()
        route.isIPv6 = family == ipv6Family
        route.prefixLength = prefixLength
        route.type = type
        route.destination = attributes[RouteAttribute.destination]?.address
        route.source = attributes[RouteAttribute.preferredSource]?.address
        // An IPv4 route may use an IPv6 gateway, whose family precedes the address.
        route.gateway =
            attributes[RouteAttribute.gateway]?.address
            ?? attributes[RouteAttribute.via].flatMap { $0.part(2..<max(2, $0.count))?.address }
        route.outgoing = attributes[RouteAttribute.outgoingLink]?.number(Int32.self, at: 0).map { [$0] } ?? []
        if let paths = attributes[RouteAttribute.multipath] { addNextHops(paths, to: &route) }
        return route
    }

    /// Parses consecutive `rtnexthop` structures, each with its own attributes.
    private static func addNextHops(_ paths: NetlinkBytes, to route: inout NetlinkRoute) {
        var offset = 0
        while let length = paths.number(UInt16.self, at: offset).map(Int.init), length >= 8,
            let index = paths.number(Int32.self, at: offset + 4), let path = paths.part(offset..<offset + length)
        {
            route.outgoing.append(index)
            route.gateway = route.gateway ?? path.attributes(from: 8)[RouteAttribute.gateway]?.address
            offset += (length + 3) & ~3
        }
    }
}
