// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The bytes of socket addresses (`sockaddr_in`, `sockaddr_in6`) as Darwin lays them out.
package enum DarwinSocketAddress {
    private static let ipv4Family: UInt8 = 2
    private static let ipv6Family: UInt8 = 30

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
}
