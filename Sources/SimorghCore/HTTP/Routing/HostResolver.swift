// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Looks the addresses of hosts up.
///
/// The default is the system's. A host that is an address already is not asked about.
public protocol HostResolver: Sendable {
    /// Looks up the addresses of one family.
    ///
    /// Both families are asked for at once; a lookup that is needed no more has its task cancelled.
    ///
    /// - Parameters:
    ///   - host: The name.
    ///   - family: The family.
    /// - Returns: The addresses, the best first; none where it has none of this family.
    /// - Throws: Whatever went wrong.
    func addresses(of host: String, family: AddressFamily) async throws -> [String]
}

/// A kind of address.
public enum AddressFamily: Sendable, Hashable, CaseIterable {
    /// IPv4.
    case ipv4
    /// IPv6.
    case ipv6
}
