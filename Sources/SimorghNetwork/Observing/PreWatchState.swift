// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The route before monitoring began, so that the first update can be recognized as "network came back".
package struct PreWatchState: Sendable {
    private let route: RouteIdentity?
    /// True if there was a route, or one could come up on demand.
    private let mayConnect: Bool
    /// True if it is from a quick query, which may not know the kinds of interfaces; a test script does.
    private let isQuick: Bool

    init(_ status: NetworkStatus?, isQuick: Bool = false) {
        route = status?.route
        mayConnect = status?.mayConnect ?? false
        self.isQuick = isQuick && status?.source != .script
    }

    /// Returns true if a status has a route that did not exist before, or if one may come up on demand now and could not
    /// before.
    package func isArrival(_ status: NetworkStatus) -> Bool {
        // A quick query may not know that a route comes up on demand.
        guard let new = status.route else { return !isQuick && !mayConnect && status.mayConnect }
        guard isQuick, let old = route else { return route != new }
        return old.index != new.index || old.networks != new.networks || old.gateways != new.gateways
    }

    /// Returns the known state at the time of a mark, before the watch has reported anything.
    ///
    /// - Parameters:
    ///   - quickStatus: The result of a recent quick query; `nil` without one.
    ///   - status: The last reported or queried status, however old.
    ///   - gap: The state at the time of an earlier mark.
    /// - Returns: The known state; `nil` if nothing is known.
    package static func marked(
        quickStatus: NetworkStatus?, status: NetworkStatus?, after gap: PreWatchState?
    ) -> PreWatchState? {
        // The query failed, which is not a loss of the network.
        if let quickStatus, quickStatus.source != .unavailable {
            // A route lost since then will count as new for both marks; a route that appeared since then counts for
            // both.
            return gap == nil || !quickStatus.isConnected ? PreWatchState(quickStatus, isQuick: true) : gap
        }
        guard gap == nil, let status, status.source != .unavailable else { return gap }
        return PreWatchState(status)
    }
}
