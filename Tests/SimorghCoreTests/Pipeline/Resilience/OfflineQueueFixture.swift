// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// A client with an offline queue, over a scripted network.
struct OfflineQueueFixture {
    let network = ScriptedNetwork(.disconnected)
    let clock = TestClock()
    let transport = StubServer(precedence: .first)

    static let gone = TransportError(
        .notConnectedToInternet, phase: .connect, message: "no network", requestMayHaveBeenSent: false)

    func client(
        _ change: (inout OfflineQueue) -> Void = { _ in },
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        var queue = OfflineQueue()
        change(&queue)
        return APIClient.scripted(transport) {
            $0.baseURL = "https://api.example.com"
            $0.time = clock.timeSource
            $0.networkMonitor = network.monitor(time: clock.timeSource)
            $0.resilience.offlineQueue = queue
            configure(&$0)
        }
    }

    /// Waits until that many requests are in a client's queue.
    func waiting(_ count: Int, in client: APIClient) async throws {
        let configuration = client.configuration
        let (rules, monitor) = (
            try #require(configuration.resilience.offlineQueue), try #require(configuration.networkMonitor)
        )
        let line = client.settings.state.value(for: OfflineRequestQueue.Key(rules, monitor: monitor)) {
            OfflineRequestQueue(rules, monitor: monitor, time: clock.timeSource)
        }
        try await eventually { line.waiting == count }
    }
}

extension NetworkError {
    /// The code of the underlying transport error.
    var transportCode: TransportError.Code? {
        guard case .urlError(let error) = self else { return nil }
        return error.code
    }
}
