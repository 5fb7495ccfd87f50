// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import SimorghCore
import SimorghSupport

/// The system's name lookup, which blocks its thread.
package enum SystemResolver {
    /// The error code of `getaddrinfo`.
    package struct LookupError: Error, CustomStringConvertible {
        let code: Int32
        package var description: String { String(cString: gai_strerror(code)) }
    }

    /// Returns the addresses of one family of a name, the best first.
    ///
    /// One call for both families would end with the slower one: a name server that never answers for IPv6 would block
    /// IPv4.
    ///
    /// For an IPv4 address, Apple's systems return the IPv6 address of it that a network with NAT64 and without IPv4
    /// needs, but only if the call is for both families.
    package static func addresses(of host: String, port: Int, family: AddressFamily) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = NumericAddress(host) != nil ? AF_UNSPEC : family == .ipv4 ? AF_INET : AF_INET6
        hints.ai_socktype = Self.stream
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw LookupError(code: code) }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ai_next
            guard let address = entry.pointee.ai_addr else { continue }
            switch entry.pointee.ai_family {
            case AF_INET where family == .ipv4:
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { found.append(SocketAddress($0.pointee)) }
            case AF_INET6 where family == .ipv6:
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    found.append(SocketAddress($0.pointee))
                }
            default: break
            }
        }
        return found
    }
}
