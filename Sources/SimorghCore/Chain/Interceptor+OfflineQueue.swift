// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Interceptor {
    /// Keeps requests while there is no way to the internet.
    ///
    /// - Parameters:
    ///   - rules: How many, and how long.
    ///   - monitor: Knows whether there is a way.
    ///   - state: Where the line of a client and its views is kept.
    ///   - time: Where waits take the time from.
    /// - Returns: The step.
    package static func offlineQueue(
        _ rules: OfflineQueue, _ monitor: NetworkMonitor, _ state: ChainState, _ time: TimeSource
    ) -> Interceptor {
        let key = OfflineLine.Key(rules, monitor)
        let line = state.value(for: key) { OfflineLine(rules, monitor, time) }
        return Interceptor { request, next in try await line.send(request, next) }
    }
}
