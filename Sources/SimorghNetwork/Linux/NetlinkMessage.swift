// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// A message of the kernel about links, addresses and routes (rtnetlink(7)), as far as this library uses them.
package enum NetlinkMessage: Hashable, Sendable {
    case link(NetlinkLink, isGone: Bool)
    case address(NetlinkAddress, isGone: Bool)
    case route(NetlinkRoute, isGone: Bool)
    /// A policy routing rule was added or removed.
    case rule
    /// A request failed with this `errno`.
    case failed(Int32)
    /// A request without an answer succeeded.
    case acknowledged
    /// The end of the answer to a request.
    case done
    /// Any other or truncated message.
    case other(type: UInt16)
}

/// A message with fields of its header.
package struct NetlinkRecord: Hashable, Sendable {
    package let message: NetlinkMessage
    /// The sequence number of the request that it answers; 0 for an event.
    package let sequence: UInt32
    /// True if the data changed during the dump, so that it must be requested again.
    package let isInterrupted: Bool
}

/// A link: a network interface.
package struct NetlinkLink: Hashable, Sendable, Codable {
    package var index: Int32 = 0
    package var name = ""
    /// The hardware type (`ARPHRD_…`).
    package var hardwareType: UInt16 = 0
    /// `IFF_…`.
    package var flags: UInt32 = 0
    /// The driver of a virtual link (`IFLA_INFO_KIND`): `wireguard`, `tun`, `bridge`; `nil` for hardware.
    package var driver: String?
    /// True if a `tun` carries Ethernet frames, and so is a tap.
    package var isTap = false
    /// The link below it, for example the device of a VLAN.
    package var lower: Int32?
    /// The bridge or bond that it is a part of.
    package var master: Int32?
    /// True if the link below it is in another namespace.
    package var isAcrossNamespaces = false

    package init() {}

    /// True if `IFF_UP` is set.
    package var isUp: Bool { flags & 0x1 != 0 }
    /// True if `IFF_LOOPBACK` is set.
    package var isLoopback: Bool { flags & 0x8 != 0 }
    /// True if it is up and can carry packets (`IFF_RUNNING`): its cable is plugged in, its daemon runs.
    package var isRunning: Bool { isUp && flags & 0x40 != 0 }
}

/// An address of a link.
package struct NetlinkAddress: Hashable, Sendable, Codable {
    package var index: Int32
    package var address: NumericAddress
    package var prefixLength: UInt8
    /// `IFA_F_…`.
    package var flags: UInt32

    package init(index: Int32, address: NumericAddress, prefixLength: UInt8, flags: UInt32) {
        self.index = index
        self.address = address
        self.prefixLength = prefixLength
        self.flags = flags
    }

    /// True if the address is still tentative (`IFA_F_TENTATIVE`), or is a duplicate (`IFA_F_DADFAILED`).
    package var isUnusable: Bool { flags & (0x40 | 0x08) != 0 }
}

/// A route, or the answer to a query for the route to an address.
package struct NetlinkRoute: Hashable, Sendable, Codable {
    /// `AF_INET` or `AF_INET6`.
    package var isIPv6 = false
    /// The destination; `nil` for a default route.
    package var destination: NumericAddress?
    package var prefixLength: UInt8 = 0
    /// The type of the route (`RTN_…`): 1 is unicast, 2 is local, others reject packets.
    package var type: UInt8 = 1
    /// The links of the route; several for a multipath route.
    package var outgoing: [Int32] = []
    package var gateway: NumericAddress?
    /// The source address of packets.
    package var source: NumericAddress?

    package init() {}

    /// True if the route forwards packets to an interface (`RTN_UNICAST`).
    package var isUnicast: Bool { type == 1 }

    /// Returns true if the route can be used for packets to an address.
    package func covers(_ address: NumericAddress) -> Bool {
        guard isUnicast, isIPv6 == address.isIPv6 else { return false }
        guard prefixLength > 0 else { return true }
        return destination?.shares(Int(prefixLength), bitsWith: address) ?? false
    }
}
