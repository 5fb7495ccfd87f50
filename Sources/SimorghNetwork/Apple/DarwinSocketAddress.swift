// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The bytes of socket addresses (`sockaddr_in`, `sockaddr_in6`, `sockaddr_dl`) as Darwin lays them out.
package enum DarwinSocketAddress {
    private static let ipv4Family: UInt8 = 2
    private static let ipv6Family: UInt8 = 30
    private static let linkFamily: UInt8 = 18

    /// Returns the address family of an IP address (`AF_INET`, `AF_INET6`).
    package static func family(of address: NumericAddress) -> UInt8 { address.isIPv6 ? ipv6Family : ipv4Family }

    /// Returns the bytes of a socket address.
    ///
    /// - Parameters:
    ///   - address: The IP address.
    ///   - port: The port.
    /// - Returns: 16 bytes for IPv4, 28 for IPv6.
    package static func bytes(of address: NumericAddress, port: UInt16) -> [UInt8] {
        let size: UInt8 = address.isIPv6 ? 28 : 16
        var bytes = [size, family(of: address), UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
        if address.isIPv6 { bytes += [0, 0, 0, 0] }
        bytes += address.bytes
        return bytes + [UInt8](repeating: 0, count: Int(size) - bytes.count)
    }

    /// Returns the IP address of a socket address.
    ///
    /// - Parameter bytes: The bytes of the socket address.
    /// - Returns: The address; `nil` for another family, or if bytes are missing.
    package static func address(in bytes: [UInt8]) -> NumericAddress? {
        guard bytes.count >= 2 else { return nil }
        switch bytes[1] {
        case ipv4Family: return NumericAddress(bytes.dropFirst(4).prefix(4))
        case ipv6Family: return NumericAddress(bytes.dropFirst(8).prefix(16)).flatMap { $0.isIPv6 ? $0 : nil }
        default: return nil
        }
    }

    /// Returns the index of an interface from its link-level address (`AF_LINK`), which each interface has once.
    ///
    /// It needs no system call, unlike `if_nametoindex`, which may list all interfaces each time.
    ///
    /// - Parameter bytes: The bytes of the socket address.
    /// - Returns: The index; `nil` for another family, or if bytes are missing.
    package static func interfaceIndex(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4, bytes[1] == linkFamily else { return nil }
        // In the byte order of the machine: that of all Apple platforms is little-endian.
        return Int(bytes[2]) | Int(bytes[3]) << 8
    }
}
