// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Reads what the kernel sends over rtnetlink: bytes in, messages out, whatever the bytes are.
///
/// The numbers are those of the kernel's interface, which do not change.
package enum NetlinkParser {
    /// The messages of a datagram, up to the first that is not whole.
    package static func records(in bytes: [UInt8]) -> [NetlinkRecord] {
        var records: [NetlinkRecord] = []
        let datagram = NetlinkBytes(bytes[...])
        var place = 0
        // Where an Int has 32 bits not every length is one, and none may be added to unseen.
        while let length = datagram.number(UInt32.self, at: place).flatMap({ Int(exactly: $0) }), length >= 16,
            length <= datagram.count - place,
            let type = datagram.number(UInt16.self, at: place + 4),
            let flags = datagram.number(UInt16.self, at: place + 6),
            let sequence = datagram.number(UInt32.self, at: place + 8),
            let payload = datagram.part(place + 16..<place + length)
        {
            records.append(
                NetlinkRecord(
                    message: message(type, payload), sequence: sequence, isInterrupted: flags & 0x10 != 0))
            place += (length + 3) & ~3
        }
        return records
    }

    private static func message(_ type: UInt16, _ payload: NetlinkBytes) -> NetlinkMessage {
        let message: NetlinkMessage? =
            switch type {
            case 2: payload.number(Int32.self, at: 0).map { .refused($0 == .min ? .max : abs($0)) }
            case 3:
                // A dump that the kernel broke off ends with the reason.
                payload.number(Int32.self, at: 0).flatMap { $0 < 0 && $0 > .min ? .refused(-$0) : nil } ?? .done
            case 16, 17: link(payload).map { .link($0, isGone: type == 17) }
            case 20, 21: address(payload).map { .address($0, isGone: type == 21) }
            case 24, 25: route(payload).map { .route($0, isGone: type == 25) }
            case 32, 33: .rule
            default: nil
            }
        return message ?? .other(type: type)
    }

    /// `ifinfomsg` and its attributes.
    private static func link(_ payload: NetlinkBytes) -> NetlinkLink? {
        guard let type = payload.number(UInt16.self, at: 2), let index = payload.number(Int32.self, at: 4),
            let flags = payload.number(UInt32.self, at: 8), payload.count >= 16
        else { return nil }
        // Wireless and bridge events come under the same number and tell other things.
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
            // Of the kind's own attributes only this one is asked for: 1 is tun, 2 tap.
            if link.kind == "tun" {
                link.isTap = information[2]?.attributes(from: 0)[3]?.number(UInt8.self, at: 0) == 2
            }
        }
        return link
    }

    /// `ifaddrmsg` and its attributes.
    private static func address(_ payload: NetlinkBytes) -> NetlinkAddress? {
        guard payload.count >= 8, let prefixLength = payload.number(UInt8.self, at: 1),
            let few = payload.number(UInt8.self, at: 2), let index = payload.number(Int32.self, at: 4)
        else { return nil }
        let attributes = payload.attributes(from: 8)
        // On a line between two, the first is the other's.
        guard let address = (attributes[2] ?? attributes[1])?.address else { return nil }
        return NetlinkAddress(
            index: index, address: address, prefixLength: prefixLength,
            flags: attributes[8]?.number(UInt32.self, at: 0) ?? UInt32(few))
    }

    /// `rtmsg` and its attributes.
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
        // An IPv4 route may lead through an IPv6 neighbour, whose family stands before the address.
        route.gateway = attributes[5]?.address ?? attributes[18].flatMap { $0.part(2..<max(2, $0.count))?.address }
        route.outgoing = attributes[4]?.number(Int32.self, at: 0).map { [$0] } ?? []
        if let paths = attributes[9] { follow(paths, &route) }
        return route
    }

    /// `rtnexthop` after `rtnexthop`, each with attributes of its own.
    private static func follow(_ paths: NetlinkBytes, _ route: inout NetlinkRoute) {
        var place = 0
        while let length = paths.number(UInt16.self, at: place).map(Int.init), length >= 8,
            let index = paths.number(Int32.self, at: place + 4), let path = paths.part(place..<place + length)
        {
            route.outgoing.append(index)
            route.gateway = route.gateway ?? path.attributes(from: 8)[5]?.address
            place += (length + 3) & ~3
        }
    }
}
