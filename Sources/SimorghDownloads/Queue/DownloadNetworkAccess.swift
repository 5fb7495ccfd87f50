// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork

/// The check for a network that downloads may use, and the wait for one.
struct DownloadNetworkAccess: Sendable {
    /// The networks that may be used.
    struct Rules: Sendable, Equatable {
        private var access: NetworkAccess

        /// Creates the rules of a manager and its client: a network is forbidden if one of them forbids it.
        init(_ config: DownloadManagerConfig, client: NetworkAccess) {
            access = client
            config.restrict(&access)
        }

        /// True if any network may be used.
        var allowsAll: Bool { access == NetworkAccess() }

        /// Returns true if these rules forbid a network that other ones allow.
        func forbidMore(than other: Rules) -> Bool {
            other.access.allowsCellular && !access.allowsCellular
                || other.access.allowsExpensive && !access.allowsExpensive
                || other.access.allowsConstrained && !access.allowsConstrained
        }

        /// Returns true if a network may be used.
        func allow(_ status: NetworkStatus) -> Bool {
            if status.source == .unavailable { return true }
            // An attempt may bring up a route on demand; nothing else would.
            return status.mayConnect && access.objection(to: status) == nil
        }

        /// Returns true if a request may be tried; without internet access, a local network may still reach the host.
        func mayTry(_ status: NetworkStatus) -> Bool {
            allow(status) || allowsAll && !status.mayConnect && !status.isIsolated
        }
    }

    /// The source of the network status; `nil` if the status is unknown and any network is used.
    let monitor: NetworkMonitor?

    /// Returns true if requests to a host are allowed now; always true for a nearby host.
    func allows(_ host: String, rules: Rules) async -> Bool {
        guard let monitor, !HostReachability.isNearby(host: host) else { return true }
        return rules.allow(await monitor.awaitedStatus())
    }

    /// Returns true if a request to a host may be tried now, even if a failure would lead to waiting for a network.
    func mayTry(_ host: String, rules: Rules) async -> Bool {
        guard let monitor, !HostReachability.isNearby(host: host) else { return true }
        return rules.mayTry(await monitor.awaitedStatus())
    }

    /// Waits until requests to a host are allowed.
    func wait(for host: String, rules: Rules) async {
        guard let monitor, !HostReachability.isNearby(host: host) else { return }
        let lease = monitor.lease()
        defer { withExtendedLifetime(lease) {} }
        let statuses = await Self.statuses(of: monitor)
        for await status in statuses where rules.allow(status) { return }
    }

    /// The reason that the system gives for a missing network; `nil` if it gives none, or the monitor does not run.
    var explanation: String? { monitor?.knownStatus?.explanation }

    /// Waits until the device uses a network that is not allowed.
    ///
    /// It does not wait for the loss of the network: requests then fail by themselves.
    ///
    /// - Returns: True if such a network is in use; false, immediately, if every network is allowed for the host, and
    ///   false if the task was cancelled.
    func waitUntilForbidden(for host: String, rules: Rules) async -> Bool {
        guard let monitor, !rules.allowsAll, !HostReachability.isNearby(host: host) else { return false }
        let lease = monitor.lease()
        defer { withExtendedLifetime(lease) {} }
        let statuses = await Self.statuses(of: monitor)
        for await status in statuses where status.isConnected && !rules.allow(status) {
            return !Task.isCancelled
        }
        return false
    }

    /// Returns the statuses of a monitor from the time it runs; an earlier stream would query the status, which may
    /// block.
    private static func statuses(of monitor: NetworkMonitor) async -> AsyncStream<NetworkStatus> {
        _ = await monitor.awaitedStatus()
        return monitor.detailedStatusStream()
    }
}

extension DownloadManagerConfig {
    /// Forbids the networks that downloads may not use.
    ///
    /// - Parameter access: The rules, which stay forbidding where they are.
    func restrict(_ access: inout NetworkAccess) {
        access.allowsCellular = access.allowsCellular && allowsCellularAccess
        access.allowsExpensive = access.allowsExpensive && allowsExpensiveNetworkAccess
        access.allowsConstrained = access.allowsConstrained && allowsConstrainedNetworkAccess
    }
}
