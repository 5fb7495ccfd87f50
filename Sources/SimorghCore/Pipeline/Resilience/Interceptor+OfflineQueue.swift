// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Interceptor {
    /// Returns a step that queues requests while there is no internet connection; `nil` if it is turned off.
    static func offlineQueue(_ configuration: APIClient.Configuration, state: PipelineState) -> Interceptor? {
        guard let rules = configuration.resilience.offlineQueue, let monitor = configuration.networkMonitor else {
            return nil
        }
        let key = OfflineRequestQueue.Key(rules, monitor: monitor)
        let queue = state.value(for: key) { OfflineRequestQueue(rules, monitor: monitor, time: configuration.time) }
        return Interceptor { request, next in try await queue.send(request, next: next) }
    }
}
