// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Knows whether a way to the network came since some moment: what a reconnection asks, from the loss to the connection.
package struct PathWatch: Sendable {
    /// Waits for a way; as long as somebody holds it, it is watched for.
    package typealias Wait = @Sendable () async -> Void

    private let start: @Sendable () -> Wait

    /// Asks a closure of the user's own, which knows no moment but that of its call.
    package init(_ pathReturned: @escaping Wait) { start = { pathReturned } }

    /// Asks a monitor.
    package init(_ monitor: NetworkMonitor) {
        start = {
            let mark = monitor.pathMark()
            return { await mark.arrived() }
        }
    }

    /// Begins to watch.
    ///
    /// - Returns: Waits for a way that was not there at this moment.
    package func begin() -> Wait { start() }
}
