// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A parser of rtnetlink datagrams; it accepts any input.
///
/// The numbers are constants of the kernel's interface, which do not change.
package enum NetlinkParser {
    /// Returns the messages of a datagram, up to the first incomplete one.
    package static func records(in bytes: [UInt8]) -> [NetlinkRecord] {
        var records: [NetlinkRecord] = []
        let datagram = NetlinkBytes(bytes[...])
        var offset = 0
        // On systems with a 32-bit Int some lengths cannot be represented, and adding them could overflow.
        while let length = datagram.number(UInt32.self, at: offset).flatMap({ Int(exactly: $0) }), length >= 16,
            length <= datagram.count - offset,
            let type = datagram.number(UInt16.self, at: offset + 4),
            let flags = datagram.number(UInt16.self, at: offset + 6),
            let sequence = datagram.number(UInt32.self, at: offset + 8),
            let payload = datagram.part(offset + 16..<offset + length)
        {
            records.append(
                NetlinkRecord(
                    message: message(type, payload: payload), sequence: sequence, isInterrupted: flags & 0x10 != 0))
            offset += (length + 3) & ~3
        }
        return records
    }

    private static func message(_ type: UInt16, payload: NetlinkBytes) -> NetlinkMessage {
        let message: NetlinkMessage? =
            switch type {
            case 2: payload.number(Int32.self, at: 0).map { .refused($0 == .min ? .max : abs($0)) }
            case 3:
                // A dump that the kernel aborted ends with an error number.
                payload.number(Int32.self, at: 0).flatMap { $0 < 0 && $0 > .min ? .refused(-$0) : nil } ?? .done
            case 16, 17: link(payload).map { .link($0, isGone: type == 17) }
            case 20, 21: address(payload).map { .address($0, isGone: type == 21) }
            case 24, 25: route(payload).map { .route($0, isGone: type == 25) }
            case 32, 33: .rule
            default: nil
            }
        return message ?? .other(type: type)
    }

    /// Parses `ifinfomsg` and its attributes.
    private static func link(_ payload: NetlinkBytes) -> NetlinkLink? {
        guard let type = payload.number(UInt16.self, at: 2), let index = payload.number(Int32.self, at: 4),
            let flags = payload.number(UInt32.self, at: 8), payload.count >= 16
        else { return nil }
        // Wireless and bridge events use the same message type with other contents.
        guard payload.number(UInt8.self, at: 0) == 0 else { return nil }
        let attributes = payload.attributes(from: 16)
        var link = NetlinkLink()
        link.index = index
        link.type = type
        link.flags = flags
        link.name = attributes[3]?.text ?? ""
        link.lower = attributes[5]?.number(at: 0)
        link.master = attributes[10]?.number(at: 0)
        link.isAcrossNamespaces = attributes[37] != nil
        if let information = attributes[18]?.attributes(from: 0) {
            link.kind = information[1]?.text
            // The only attribute of the kind that is used: 1 is tun, 2 is tap.
            if link.kind == "tun" {
                link.isTap = information[2]?.attributes(from: 0)[3]?.number(UInt8.self, at: 0) == 2
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
        // On a point-to-point link, the first attribute is the peer's address.
        guard let address = (attributes[2] ?? attributes[1])?.address else { return nil }
        return NetlinkAddress(
            index: index, address: address, prefixLength: prefixLength,
            flags: attributes[8]?.number(UInt32.self, at: 0) ?? UInt32(shortFlags))
    }

    /// Parses `rtmsg` and its attributes.
    private static func route(_ payload: NetlinkBytes) -> NetlinkRoute? {
        guard payload.count >= 12, let family = payload.number(UInt8.self, at: 0),
            let prefixLength = payload.number(UInt8.self, at: 1), let type = payload.number(UInt8.self, at: 7),
            family == 2 || family == 10
        else { return nil }
        let attributes = payload.attributes(from: 12)
        var route = NetlinkRoute()
        route.isIPv6 = family == 10
        route.prefixLength = prefixLength
        route.type = type
        route.destination = attributes[1]?.address
        route.source = attributes[7]?.address
        // An IPv4 route may use an IPv6 gateway, whose family precedes the address.
        route.gateway = attributes[5]?.address ?? attributes[18].flatMap { $0.part(2..<max(2, $0.count))?.address }
        route.outgoing = attributes[4]?.number(Int32.self, at: 0).map { [$0] } ?? []
        if let paths = attributes[9] { addNextHops(paths, to: &route) }
        return route
    }

    /// Parses consecutive `rtnexthop` structures, each with its own attributes.
    private static func addNextHops(_ paths: NetlinkBytes, to route: inout NetlinkRoute) {
        var offset = 0
        while let length = paths.number(UInt16.self, at: offset).map(Int.init), length >= 8,
            let index = paths.number(Int32.self, at: offset + 4), let path = paths.part(offset..<offset + length)
        {
            route.outgoing.append(index)
            route.gateway = route.gateway ?? path.attributes(from: 8)[5]?.address
            offset += (length + 3) & ~3
        }
    }
}
