// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Detects if a network route appeared since some moment; a reconnection uses it from the loss until it is connected
/// again.
package struct NetworkReturnWaiter: Sendable {
    /// Waits for a route; the monitor runs as long as the closure exists.
    package typealias Wait = @Sendable () async -> Void

    private let start: @Sendable () -> Wait
    private let queryOffline: @Sendable () async -> Bool

    /// Uses a closure of the user, which detects only routes that appear after its call.
    package init(_ onNetworkAvailable: @escaping Wait) {
        start = { onNetworkAvailable }
        queryOffline = { false }
    }

    /// Uses a monitor.
    package init(_ monitor: NetworkMonitor) {
        start = {
            let mark = monitor.routeArrivalMark()
            return { await mark.arrived() }
        }
        queryOffline = {
            let status = await monitor.awaitedFreshStatus()
            return !status.mayConnect && status.source != .unavailable
        }
    }

    /// Returns true if the monitor knows that there is no route, and that none comes up on demand.
    package func isOffline() async -> Bool { await queryOffline() }

    /// Starts watching.
    ///
    /// - Returns: A closure that waits for a route that did not exist at the time of this call.
    package func begin() -> Wait { start() }
}
