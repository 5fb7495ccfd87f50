// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The layout of socket addresses (`sockaddr_in`, `sockaddr_in6`) in memory.
package struct SocketAddressLayout: Sendable {
    /// The layout on Apple platforms, which begins with a byte for the length and one for the family.
    package static let darwin = SocketAddressLayout(hasLength: true, ipv6Family: 30)
    /// The layout on Linux, which begins with two bytes for the family.
    package static let linux = SocketAddressLayout(hasLength: false, ipv6Family: 10)

    /// The layout of this system.
    #if canImport(Darwin)
    package static let current = darwin
    #else
    package static let current = linux
    #endif

    private let hasLength: Bool
    private let ipv6Family: UInt8
    private let ipv4Family: UInt8 = 2

    private init(hasLength: Bool, ipv6Family: UInt8) {
        self.hasLength = hasLength
        self.ipv6Family = ipv6Family
    }

    /// Returns the address family of an IP address (`AF_INET`, `AF_INET6`).
    package func family(of address: NumericAddress) -> UInt8 { address.isIPv6 ? ipv6Family : ipv4Family }

    /// Returns the size of the socket addresses of a family in bytes; 0 for other families than IPv4 and IPv6.
    package func size(of family: UInt8) -> Int {
        switch family {
        case ipv4Family: 16
        case ipv6Family: 28
        default: 0
        }
    }

    /// Returns the bytes of a socket address.
    ///
    /// - Parameters:
    ///   - address: The IP address.
    ///   - port: The port.
    /// - Returns: 16 bytes for IPv4, 28 for IPv6.
    package func bytes(of address: NumericAddress, port: UInt16) -> [UInt8] {
        let family = family(of: address)
        let size = size(of: family)
        // In the byte order of the machine.
        var bytes =
            hasLength ? [UInt8(size), family] : withUnsafeBytes(of: UInt16(family)) { Array($0) }
        bytes += [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
        if address.isIPv6 { bytes += [0, 0, 0, 0] }
        bytes += address.bytes
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// Returns the IP address of a socket address.
    ///
    /// - Parameter bytes: The bytes of the socket address.
    /// - Returns: The address; `nil` for another family, or if bytes are missing.
    package func address(in bytes: [UInt8]) -> NumericAddress? {
        guard bytes.count >= 2 else { return nil }
        let number = hasLength ? UInt16(bytes[1]) : bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) }
        switch UInt8(exactly: number) {
        case ipv4Family: return NumericAddress(bytes.dropFirst(4).prefix(4))
        case ipv6Family: return NumericAddress(bytes.dropFirst(8).prefix(16)).flatMap { $0.isIPv6 ? $0 : nil }
        default: return nil
        }
    }
}
