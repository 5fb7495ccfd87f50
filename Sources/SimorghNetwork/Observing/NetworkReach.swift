// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Which hosts are there though the internet is not.
package enum NetworkReach {
    /// Whether a host is this machine, or on a network of somebody's own: by its name or address alone.
    ///
    /// - Parameter host: A name or an address, with a port or without; an IPv6 address in brackets.
    /// - Returns: Whether it is.
    package static func isNearby(host: String) -> Bool {
        let host = host.lowercased()
        let name = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        return isOfNobodyElse(String(name))
    }

    /// Whether it may be that no packet can reach a host, by what a monitor that watches was told last: which is not asked.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - monitor: Who knows; `nil` for nobody.
    /// - Returns: Whether it may; ``isOutOfReach(_:by:)`` makes sure.
    package static func mayBeOutOfReach(_ host: String, by monitor: NetworkMonitor?) -> Bool {
        guard let known = monitor?.knownStatus else { return false }
        return isOutOfReach(host, in: known)
    }

    /// Whether it is certain that no packet can reach a host, because there is no network at all: told by a monitor that
    /// watches, and by its source when asked.
    ///
    /// Where it does not watch, nothing is certain beforehand, and this costs next to nothing. Else it may block.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - monitor: Who knows; `nil` for nobody.
    /// - Returns: Whether it is.
    package static func isOutOfReach(_ host: String, by monitor: NetworkMonitor?) -> Bool {
        guard let monitor else { return false }
        return isOutOfReach(host, known: monitor.knownStatus, names: namesOfThisMachine) { monitor.secondGlance }
    }

    /// The same of what is known, and of the names that lead to this machine.
    package static func isOutOfReach(
        _ host: String, known: NetworkStatus?, names: () -> Set<String>, now: () -> NetworkStatus
    ) -> Bool {
        guard let known, isOutOfReach(host, in: known), isOutOfReach(host, in: now()) else { return false }
        return NumericAddress(host) != nil || !names().contains(plain(host))
    }

    /// The same of one status, by which a name of this machine's own table is out of reach, too.
    private static func isOutOfReach(_ host: String, in status: NetworkStatus) -> Bool {
        status.isIsolated && !isThisMachine(host, status) && !isOnLink(host, status)
    }

    /// Whether a host that could not be found or reached is no wonder, as there is no way to the internet.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - monitor: Who knows; `nil` for nobody.
    /// - Returns: Whether it is none.
    package static func explainsFailure(for host: String, by monitor: NetworkMonitor?) -> Bool {
        guard let monitor else { return false }
        return explainsFailure(for: host) { monitor.secondGlance }
    }

    /// The same of what is so now.
    package static func explainsFailure(for host: String, now: () -> NetworkStatus) -> Bool {
        let status = now()
        guard !status.isConnected, status.source != .nobody, !isThisMachine(host, status), !isOnLink(host, status)
        else { return false }
        // What belongs to nobody else needs no internet, but a network.
        return !isOfNobodyElse(plain(host)) || status.isIsolated
    }

    /// Whether a name or address in lower case, without brackets, is of a network of somebody's own.
    private static func isOfNobodyElse(_ host: String) -> Bool {
        if let address = numeric(host)?.unmapped {
            return address.isLoopback || address.isUnspecified || address.isPrivate || address.isLinkLocal
        }
        let parts = host.split(separator: ".")
        return parts.count <= 1 || parts.last == "localhost" || parts.last == "local"
    }

    /// Whether a host may be on the next cable, which takes no address but those that a machine gives itself: by an address
    /// of that kind, or by a name that is asked for there, where some device but loopback is up with one.
    private static func isOnLink(_ host: String, _ status: NetworkStatus) -> Bool {
        let name = plain(host)
        guard numeric(name)?.isLinkLocal ?? name.hasSuffix(".local") else { return false }
        return status.interfaces.contains { $0.isRunning && $0.kind != .loopback && !$0.addresses.isEmpty }
    }

    /// The address that a text is, its zone left aside.
    private static func numeric(_ text: String) -> NumericAddress? { NumericAddress(text.prefix { $0 != "%" }) }

    private static func plain(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Whether a host is this machine: by its name, or by an address that a device has.
    private static func isThisMachine(_ host: String, _ status: NetworkStatus) -> Bool {
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

    /// What this machine calls itself, and the names that its own table has addresses for.
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
