// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The offline queue with late network notifications, and with other steps that send again.
@Suite(.timeLimit(.minutes(5)))
struct OfflineQueueFaultTests {
    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)

    private static let gone = TransportError(
        .notConnectedToInternet, phase: .connect, message: "no network", requestMayHaveBeenSent: false)

    private func client(
        _ monitor: NetworkMonitor, configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport, baseURL: "https://api.example.com") {
            $0.time = clock.timeSource
            $0.networkMonitor = monitor
            $0.resilience.offlineQueue = OfflineQueue()
            configure(&$0)
        }
    }

    /// Reports a network while watched, and none when queried, like a polling monitor that has not polled again.
    private struct Late: NetworkSource {
        func current() -> NetworkStatus { NetworkStatus(.disconnected) }

        func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
            tell(NetworkStatus(.connected(.wifi)))
            return {}
        }
    }

    @Test("Before a network loss is reported, a request is tried ten times a second, and not in a busy loop")
    func late() async throws {
        transport.on("/a") { _ in throw Self.gone }
        let monitor = NetworkMonitor(Late())
        monitor.startMonitoring()
        let client = client(monitor) { $0.resilience.offlineQueue?.maximumWait = .seconds(1) }
        let task = Task { try await client.call(.get, "a").data() }
        // The first attempt, and those from the queue.
        for count in 2...11 {
            try await clock.sleeping(1, forAtMost: .milliseconds(100))
            #expect(transport.requestCount == count)
            clock.advance(by: .milliseconds(100))
        }
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        guard case .urlError(let cause) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause.code == .notConnectedToInternet)
        #expect(transport.requestCount == 12)
    }

    @Test("A request that has waited for longestWait is not queued again by a retry", arguments: [false, true])
    func once(isTried: Bool) async throws {
        // With a local network without internet access, the request is tried before it waits.
        let lan = KernelNetworkSnapshot([.ethernet("eth0", addresses: "192.168.1.8")]).status
        let network = ScriptedNetwork(isTried ? lan : NetworkStatus(.disconnected))
        transport.on("/a") { _ in
            throw TransportError(.timedOut, phase: .connect, message: "", requestMayHaveBeenSent: false)
        }
        // Less than the call's total timeout.
        let client = client(network.monitor(time: clock.timeSource)) {
            $0.retry = RetryPolicy()
            $0.resilience.offlineQueue?.maximumWait = .seconds(60)
        }
        let task = Task { try await client.call(.get, "a").data() }
        try await clock.sleeping()
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        guard case .urlError(let cause) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause.code == .notConnectedToInternet)
        #expect(transport.requestCount == (isTried ? 1 : 0))
        #expect(clock.waits == [.seconds(60)])
    }
}
