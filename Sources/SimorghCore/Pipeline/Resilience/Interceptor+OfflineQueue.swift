// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Interceptor {
    /// Keeps requests while there is no way to the internet.
    static func offlineQueue(_ configuration: APIClient.Configuration, _ state: ChainState) -> Interceptor? {
        guard let rules = configuration.resilience.offlineQueue, let monitor = configuration.networkMonitor else {
            return nil
        }
        let key = OfflineLine.Key(rules, monitor)
        let line = state.value(for: key) { OfflineLine(rules, monitor, configuration.time) }
        return Interceptor { request, next in try await line.send(request, next) }
    }
}
