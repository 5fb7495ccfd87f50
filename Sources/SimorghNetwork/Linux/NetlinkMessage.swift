// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// What the kernel says of links, addresses and routes (rtnetlink(7)), as far as this library asks.
package enum NetlinkMessage: Hashable, Sendable {
    case link(NetlinkLink, isGone: Bool)
    case address(NetlinkAddress, isGone: Bool)
    case route(NetlinkRoute, isGone: Bool)
    /// A rule of policy routing came or went.
    case rule
    /// A question was refused, with this `errno`; 0 says that it was taken.
    case refused(Int32)
    /// All that a question asked for has been told.
    case done
    /// Anything else, or something cut short.
    case other(type: UInt16)
}

/// One message with what its head says.
package struct NetlinkRecord: Hashable, Sendable {
    package let message: NetlinkMessage
    /// The number of the question that it answers; 0 for an event.
    package let sequence: UInt32
    /// Whether something changed while this was told, so that it has to be asked for again.
    package let isInterrupted: Bool
}

/// A link: a device that packets go through.
package struct NetlinkLink: Hashable, Sendable {
    package var index: Int32 = 0
    package var name = ""
    /// The kind of device (`ARPHRD_…`).
    package var type: UInt16 = 0
    /// `IFF_…`.
    package var flags: UInt32 = 0
    /// The driver's kind: `wireguard`, `tun`, `bridge`; `nil` for hardware.
    package var kind: String?
    /// Whether a `tun` carries Ethernet, and so is a tap.
    package var isTap = false
    /// What it stands on, the device of a VLAN say.
    package var lower: Int32?
    /// What it is part of, a bridge or a bond.
    package var master: Int32?
    /// Whether what it stands on is in another namespace.
    package var isAcrossNamespaces = false

    package init() {}

    package var isUp: Bool { flags & 0x1 != 0 }
    package var isLoopback: Bool { flags & 0x8 != 0 }
    /// Whether it is up, and packets can pass: its cable is plugged in, its daemon lives.
    package var isRunning: Bool { isUp && flags & 0x40 != 0 }
}

/// An address of a link.
package struct NetlinkAddress: Hashable, Sendable {
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

    /// Whether it is nobody's yet, or somebody else's already.
    package var isUnusable: Bool { flags & (0x40 | 0x08) != 0 }
}

/// A route, or the answer to which way a packet would take.
package struct NetlinkRoute: Hashable, Sendable {
    /// `AF_INET` or `AF_INET6`.
    package var isIPv6 = false
    /// Where to; `nil` for anywhere.
    package var destination: NumericAddress?
    package var prefixLength: UInt8 = 0
    /// `RTN_…`: 1 leads somewhere, 2 is this machine itself, others refuse.
    package var type: UInt8 = 1
    /// The links that it leads through; several for one with several paths.
    package var outgoing: [Int32] = []
    package var gateway: NumericAddress?
    /// The address that a packet would come from.
    package var source: NumericAddress?

    package init() {}

    /// Whether packets to an address may take it.
    package func covers(_ address: NumericAddress) -> Bool {
        guard type == 1, isIPv6 == address.isIPv6 else { return false }
        guard prefixLength > 0 else { return true }
        return destination?.shares(Int(prefixLength), bitsWith: address) ?? false
    }
}
