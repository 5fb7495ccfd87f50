// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork

extension ConformanceCase {
    /// The cases of the network monitor; their notes are facts about the machine, to be compared by a person.
    static let network: [ConformanceCase] = [
        ConformanceCase(.network, name: "The status has a source") { _ in
            let status = NetworkMonitor.shared.currentStatus
            return "\(status.source.rawValue), \(status.connectivity)"
        },
        ConformanceCase(.network, name: "A started monitor reports a status") { _ in
            let monitor = NetworkMonitor()
            monitor.startMonitoring()
            defer { monitor.stopMonitoring() }
            for await status in monitor.detailedStatusStream() { return describe(status) }
            throw Failure(description: "the stream ended without a status")
        },
    ]

    private static func describe(_ status: NetworkStatus) -> String {
        let interfaces = status.interfaces.map { interface in
            "\(interface.name) \(interface.kind.rawValue)\(interface.isRunning ? "" : " (down)")"
        }
        return """
            \(status.connectivity), primary \(status.primaryInterface?.name ?? "none"), VPN active \(status.isVPNActive), \
            VPN present \(status.isVPNPresent), IPv4 \(status.supportsIPv4), IPv6 \(status.supportsIPv6), \
            interfaces: \(interfaces.joined(separator: ", "))
            """
    }
}
