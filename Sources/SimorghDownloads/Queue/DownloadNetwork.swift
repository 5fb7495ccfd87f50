// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork

/// Whether there is a network that downloads may use, and when that changes.
struct DownloadNetwork: Sendable {
    /// What a network may be.
    struct Rules: Sendable, Equatable {
        /// A mobile phone's.
        var allowsCellular: Bool
        /// One that costs money.
        var allowsExpensive: Bool

        init(_ config: DownloadManagerConfig) {
            allowsCellular = config.allowsCellularAccess
            allowsExpensive = config.allowsExpensiveNetworkAccess
        }

        /// Whether any will do.
        var allowsAll: Bool { allowsCellular && allowsExpensive }

        /// Whether one will do.
        func allow(_ status: NetworkStatus) -> Bool {
            if status.source == .nobody { return true }
            guard status.isConnected else { return false }
            if !allowsCellular, status.type == .cellular || status.underlyingType == .cellular { return false }
            return allowsExpensive || !status.isExpensive
        }

        /// Whether one may be tried: without a way to the internet, some network may lead to the host all the same.
        func mayTry(_ status: NetworkStatus) -> Bool {
            allow(status) || allowsAll && !status.isConnected && !status.isIsolated
        }
    }

    /// Knows what network there is; `nil` where nobody does, and any will do.
    let monitor: NetworkMonitor?

    /// Whether a host may be asked now; one that is near, always.
    func allows(_ host: String, _ rules: Rules) async -> Bool {
        guard let monitor, !NetworkReach.isNearby(host: host) else { return true }
        return rules.allow(await monitor.awaitedStatus())
    }

    /// Whether a host may be tried now, though it may be waited for when that fails.
    func mayTry(_ host: String, _ rules: Rules) async -> Bool {
        guard let monitor, !NetworkReach.isNearby(host: host) else { return true }
        return rules.mayTry(await monitor.awaitedStatus())
    }

    /// Waits until a host may be asked.
    func wait(for host: String, _ rules: Rules) async {
        guard let monitor, !NetworkReach.isNearby(host: host) else { return }
        let lease = monitor.lease()
        defer { withExtendedLifetime(lease) {} }
        let statuses = await Self.statuses(of: monitor)
        for await status in statuses where rules.allow(status) { return }
    }

    /// Waits until there is a network that is not allowed; where there is none at all, requests find out themselves.
    func waitUntilForbidden(for host: String, _ rules: Rules) async {
        guard let monitor, !rules.allowsAll, !NetworkReach.isNearby(host: host) else { return }
        let lease = monitor.lease()
        defer { withExtendedLifetime(lease) {} }
        let statuses = await Self.statuses(of: monitor)
        for await status in statuses where status.isConnected && !rules.allow(status) { return }
    }

    /// What a monitor that is to watch tells, from when it does: to begin a stream before that is to ask, which may block.
    private static func statuses(of monitor: NetworkMonitor) async -> AsyncStream<NetworkStatus> {
        _ = await monitor.awaitedStatus()
        return monitor.detailedStatusStream()
    }
}
