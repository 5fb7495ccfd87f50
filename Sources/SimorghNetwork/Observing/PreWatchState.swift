// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The route before monitoring began, so that the first update can be recognized as "network came back".
package struct PreWatchState: Sendable {
    private let way: RouteIdentity?
    /// True if it is from a quick query, which may not know the kinds of interfaces; a test script does.
    private let isGlance: Bool

    init(_ status: NetworkStatus?, isGlance: Bool = false) {
        way = status?.way
        self.isGlance = isGlance && status?.source != .script
    }

    /// Returns true if a status has a route that did not exist before.
    package func isArrival(_ status: NetworkStatus) -> Bool {
        guard let new = status.way else { return false }
        guard isGlance, let old = way else { return way != new }
        return old.index != new.index || old.networks != new.networks || old.gateways != new.gateways
    }

    /// Returns the known state at the time of a mark, before the watch has reported anything.
    ///
    /// - Parameters:
    ///   - glance: The result of a recent quick query; `nil` without one.
    ///   - status: The last reported or queried status, however old.
    ///   - gap: The state at the time of an earlier mark.
    /// - Returns: The known state; `nil` if nothing is known.
    package static func marked(
        glance: NetworkStatus?, status: NetworkStatus?, after gap: PreWatchState?
    ) -> PreWatchState? {
        // The query failed, which is not a loss of the network.
        if let glance, glance.source != .nobody {
            // A route lost since then will count as new for both marks; a route that appeared since then counts for
            // both.
            return gap == nil || !glance.isConnected ? PreWatchState(glance, isGlance: true) : gap
        }
        guard gap == nil, let status, status.source != .nobody else { return gap }
        return PreWatchState(status)
    }
}
