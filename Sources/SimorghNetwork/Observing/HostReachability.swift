// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Decides which hosts can be reached without the internet.
package enum HostReachability {
    /// Returns true if a host is this machine or on a private network, judged only by its name or address.
    ///
    /// - Parameter host: A name or an address, with or without a port; an IPv6 address in brackets.
    /// - Returns: True if the host is nearby.
    package static func isNearby(host: String) -> Bool {
        let host = host.lowercased()
        let name = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        return isPrivateHost(String(name))
    }

    /// Returns true if a host may be unreachable according to the last status of a running monitor, without a query.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - monitor: The monitor; `nil` for no monitor.
    /// - Returns: True if the host may be unreachable; confirm it with ``isOutOfReach(_:by:)``.
    package static func mayBeOutOfReach(_ host: String, by monitor: NetworkMonitor?) -> Bool {
        guard let known = monitor?.knownStatus else { return false }
        return isOutOfReach(host, in: known)
    }

    /// Returns true if a host is certainly unreachable because there is no network at all.
    ///
    /// A running monitor must have reported that, and a query must confirm it. If the monitor does not run, nothing is
    /// certain, and this costs next to nothing. Otherwise it may block.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - monitor: The monitor; `nil` for no monitor.
    /// - Returns: True if the host is unreachable.
    package static func isOutOfReach(_ host: String, by monitor: NetworkMonitor?) -> Bool {
        guard let monitor else { return false }
        return isOutOfReach(host, known: monitor.knownStatus, names: namesOfThisMachine) { monitor.freshQuickStatus }
    }

    /// Decides the same from the known status, the names of this machine and a query of the current status.
    package static func isOutOfReach(
        _ host: String, known: NetworkStatus?, names: () -> Set<String>, now: () -> NetworkStatus
    ) -> Bool {
        guard let known, isOutOfReach(host, in: known), isOutOfReach(host, in: now()) else { return false }
        return NumericAddress(host) != nil || !names().contains(plain(host))
    }

    /// Decides the same from one status; names in `/etc/hosts` count as unreachable here.
    private static func isOutOfReach(_ host: String, in status: NetworkStatus) -> Bool {
        status.isIsolated && !isThisMachine(host, in: status) && !isOnLink(host, in: status)
    }

    /// Returns true if the lack of an internet route explains that a host could not be resolved or reached.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - monitor: The monitor; `nil` for no monitor.
    /// - Returns: True if it explains the failure.
    package static func explainsFailure(for host: String, by monitor: NetworkMonitor?) -> Bool {
        guard let monitor else { return false }
        return explainsFailure(for: host) { monitor.freshQuickStatus }
    }

    /// Decides the same from a query of the current status.
    package static func explainsFailure(for host: String, now: () -> NetworkStatus) -> Bool {
        let status = now()
        guard !status.mayConnect, status.source != .unavailable, !isThisMachine(host, in: status),
            !isOnLink(host, in: status)
        else { return false }
        // A host on a private network needs a network, but not the internet.
        return !isPrivateHost(plain(host)) || status.isIsolated
    }

    /// Returns true if a lowercase name or an address without brackets belongs to a private network.
    private static func isPrivateHost(_ host: String) -> Bool {
        if let address = numeric(host)?.unmapped {
            return address.isLoopback || address.isUnspecified || address.isPrivate || address.isLinkLocal
        }
        let parts = host.split(separator: ".")
        return parts.count <= 1 || parts.last == "localhost" || parts.last == "local"
    }

    /// Returns true if a host may be on the local link: a link-local address, or a `.local` name.
    ///
    /// Such a host can be reached with link-local addresses only, if an interface other than loopback is up with an
    /// address.
    private static func isOnLink(_ host: String, in status: NetworkStatus) -> Bool {
        let name = plain(host)
        guard numeric(name)?.isLinkLocal ?? name.hasSuffix(".local") else { return false }
        return status.interfaces.contains { $0.isRunning && $0.kind != .loopback && !$0.addresses.isEmpty }
    }

    /// Returns the address in a text, without its zone.
    private static func numeric(_ text: String) -> NumericAddress? { NumericAddress(text.prefix { $0 != "%" }) }

    private static func plain(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Returns true if a host is this machine: by its name, or by an address of an interface.
    private static func isThisMachine(_ host: String, in status: NetworkStatus) -> Bool {
        let name = plain(host)
        guard let address = numeric(name) else {
            return name == "localhost" || name.hasSuffix(".localhost")
        }
        let own = address.unmapped
        return own.isLoopback || own.isUnspecified
            || status.interfaces.contains { interface in
                interface.isRunning && interface.addresses.contains { NumericAddress($0) == own }
            }
    }

    /// Returns the host name of this machine and the names in `/etc/hosts`.
    private static func namesOfThisMachine() -> Set<String> {
        var names = SystemFiles.hostNames(in: SystemFiles.text(of: "/etc/hosts") ?? "")
        var text = [CChar](repeating: 0, count: 256)
        if gethostname(&text, text.count - 1) == 0 {
            let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            names.formUnion([name.lowercased(), String(name.lowercased().prefix { $0 != "." })])
        }
        return names
    }
}
