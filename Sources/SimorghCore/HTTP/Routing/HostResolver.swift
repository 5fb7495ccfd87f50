// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Resolves host names to addresses.
///
/// The default is the system's resolver. A host that is already an address is not resolved.
public protocol HostResolver: Sendable {
    /// Resolves the addresses of one family.
    ///
    /// Both families are resolved concurrently; the task of a lookup that is no longer needed is cancelled.
    ///
    /// - Parameters:
    ///   - host: The host name.
    ///   - family: The address family.
    /// - Returns: The addresses, the best first; empty if the host has no address of this family.
    /// - Throws: Any error.
    func addresses(of host: String, family: AddressFamily) async throws -> [String]
}

/// An address family.
public enum AddressFamily: Sendable, Hashable, CaseIterable {
    /// IPv4.
    case ipv4
    /// IPv6.
    case ipv6
}
