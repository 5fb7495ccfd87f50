// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which hosts are there though the internet is not.
package enum NetworkReach {
    /// Whether a host is this machine, or on a network of somebody's own: by its name or address alone.
    ///
    /// - Parameter host: A name or an address, with a port or without; an IPv6 address in brackets.
    /// - Returns: Whether it is.
    package static func isNearby(host: String) -> Bool {
        let host = host.lowercased()
        let name = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        if let address = NumericAddress(name) { return address.isLoopback || address.isPrivate || address.isLinkLocal }
        let parts = name.split(separator: ".")
        return parts.count <= 1 || parts.last == "localhost" || parts.last == "local"
    }

    /// Whether it is certain that no packet can reach a host, because there is no network at all: told by a monitor that
    /// watches, and by the system when asked.
    ///
    /// Where the shared monitor does not watch, nothing is certain beforehand, and this costs next to nothing.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - known: What is known without asking.
    ///   - now: Asks the system.
    /// - Returns: Whether it is.
    package static func isOutOfReach(
        _ host: String, known: NetworkStatus? = NetworkMonitor.shared.knownStatus,
        now: () -> NetworkStatus = { SystemNetwork.source.current() }
    ) -> Bool {
        guard let known, known.isIsolated, !isThisMachine(host) else { return false }
        return now().isIsolated
    }

    /// Whether a host that could not be found is no wonder, as there is no way to the internet.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - now: Asks the system.
    /// - Returns: Whether it is none.
    package static func explainsFailure(
        for host: String, now: () -> NetworkStatus = { SystemNetwork.source.current() }
    ) -> Bool {
        guard !isThisMachine(host) else { return false }
        let status = now()
        return !status.isConnected && status.source != .nobody
    }

    private static func isThisMachine(_ host: String) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost") || NumericAddress(name)?.isLoopback == true
    }
}
