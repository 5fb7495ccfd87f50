// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

#if os(Linux)
import CSimorghNetlink
#endif

/// The interfaces of this machine and the addresses that its kernel chooses, by the calls that all systems have.
///
/// The network source of Apple platforms uses it. That of Linux asks the kernel over netlink, which knows more.
package enum SystemInterfaces {
    /// Returns all interfaces by name (`getifaddrs`); none if the system does not list them.
    package static func links() -> [String: ApplePathSnapshot.Link] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [:] }
        defer { freeifaddrs(first) }
        var links: [String: ApplePathSnapshot.Link] = [:]
        var next = first
        while let entry = next {
            next = entry.pointee.ifa_next
            let name = String(cString: entry.pointee.ifa_name)
            // Once for each interface, since the call may list all of them.
            let index = links[name]?.index ?? Int(if_nametoindex(name))
            links[name, default: .init()].index = index
            // IFF_UP and IFF_RUNNING.
            links[name, default: .init()].isRunning = entry.pointee.ifa_flags & 0x41 == 0x41
            guard let address = entry.pointee.ifa_addr else { continue }
            let layout = SocketAddressLayout.current
            let size = layout.size(of: UInt8(truncatingIfNeeded: address.pointee.sa_family))
            let bytes = UnsafeRawBufferPointer(start: address, count: size)
            let text = layout.address(in: Array(bytes))?.description
            links[name, default: .init()].addresses += [text].compactMap { $0 }
        }
        return links
    }

    /// Returns the source addresses that the kernel chooses for packets to destinations; none for a destination without
    /// a route.
    package static func sources(for destinations: [NumericAddress]) -> [NumericAddress] {
        destinations.compactMap(source)
    }

    /// Returns the source address of packets to an address, by connecting a UDP socket, which sends nothing.
    private static func source(for destination: NumericAddress) -> NumericAddress? {
        let layout = SocketAddressLayout.current
        // SOCK_DGRAM, whose type differs between C libraries.
        let descriptor = socket(CInt(layout.family(of: destination)), 2, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Port 9 is that of the discard service.
        var bytes = layout.bytes(of: destination, port: 9)
        let isConnected = bytes.withUnsafeMutableBytes { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            var length = socklen_t(bytes.count)
            return connect(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
        }
        return isConnected ? layout.address(in: bytes) : nil
    }
}
