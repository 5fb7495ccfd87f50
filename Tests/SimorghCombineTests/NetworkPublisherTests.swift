// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCombine
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkPublisherTests {
    @Test("Each subscriber receives the current status, and then each change")
    func changes() async throws {
        let network = ScriptedNetwork(.connected(.wifi))
        let monitor = network.monitor()
        monitor.startMonitoring()
        let seen = Mutex<[Connectivity]>([])
        let gate = Gate()
        let line = monitor.statusPublisher(on: .immediate).sink { connectivity in
            seen.withLock { $0.append(connectivity) }
            if connectivity == .disconnected { gate.open() }
        }
        try await eventually { monitor.observerCount > 0 }
        network.become(.connected(.vpn))
        network.become(.disconnected)
        try await gate.wait()
        #expect(seen.withLock { $0 } == [.connected(.wifi), .connected(.vpn), .disconnected])
        line.cancel()
        try await eventually { monitor.observerCount == 0 }
    }

    @Test("The publisher completes when the monitor is released, and a subscription does not retain the monitor")
    func ends() async throws {
        let network = ScriptedNetwork(.disconnected)
        var monitor: NetworkMonitor? = network.monitor()
        let gate = Gate()
        let line = monitor?.detailedStatusPublisher(on: .immediate).sink { _ in
            gate.open()
        } receiveValue: { _ in
        }
        let late = monitor?.statusPublisher(on: .immediate)
        monitor = nil
        try await gate.wait()
        let end = Gate()
        let other = late?.sink { _ in
            end.open()
        } receiveValue: { _ in
        }
        try await end.wait()
        withExtendedLifetime((line, other)) {}
    }
}
