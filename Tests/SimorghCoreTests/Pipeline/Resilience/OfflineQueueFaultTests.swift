// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// What the line of those who wait for the network does where what it is told is late, or others send again, too.
@Suite(.timeLimit(.minutes(5)))
struct OfflineQueueFaultTests {
    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)

    private static let gone = TransportError(
        .notConnectedToInternet, phase: .connect, message: "no way", requestMayHaveBeenSent: false)

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

    /// Tells that there is a way, and when asked, that there is none: polled, say, and not yet looked at again.
    private struct Late: NetworkSource {
        func current() -> NetworkStatus { NetworkStatus(.disconnected) }

        func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
            tell(NetworkStatus(.connected(.wifi)))
            return {}
        }
    }

    @Test("Where the loss was not told yet a request is tried ten times a second, and not without a pause")
    func late() async throws {
        transport.on("/a") { _ in throw Self.gone }
        let monitor = NetworkMonitor(Late())
        monitor.startMonitoring()
        let client = client(monitor) { $0.resilience.offlineQueue?.maximumWait = .seconds(1) }
        let task = Task { try await client.call(.get, "a").data() }
        // At first, and from the line.
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

    @Test("Whoever has waited for as long as it may is not sent to wait again by a retry", arguments: [false, true])
    func once(isTried: Bool) async throws {
        // With some network, but no way to the internet, it is tried before it waits.
        let lan = KernelNetworkSnapshot([.ethernet("eth0", "192.168.1.8")]).status
        let network = ScriptedNetwork(isTried ? lan : NetworkStatus(.disconnected))
        transport.on("/a") { _ in
            throw TransportError(.timedOut, phase: .connect, message: "", requestMayHaveBeenSent: false)
        }
        // Less than the call as a whole may take.
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
