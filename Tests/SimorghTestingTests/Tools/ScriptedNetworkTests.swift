// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The functions with which tests wait for observers of a network.
@Suite(.timeLimit(.minutes(10)))
struct ScriptedNetworkTests {
    private let network = ScriptedNetwork(.disconnected)

    @Test("watched(by:) returns as soon as the given number of monitors observe, and no sooner")
    func watched() async throws {
        let monitors = (0..<3).map { _ in network.monitor() }
        let isThere = LockedValue(false)
        let watch = Task { [network] in
            try await network.watched(by: 3)
            isThere.change { $0 = true }
        }
        for monitor in monitors.prefix(2) { monitor.startMonitoring() }
        try await network.watched()
        try await network.watched(by: 2)
        await yieldToOthers()
        #expect(!isThere.value)
        monitors.last?.startMonitoring()
        try await watch.value
        #expect(network.watchers == 3)
        for monitor in monitors { monitor.stopMonitoring() }
    }

    @Test("unwatched() returns when the last monitor has stopped")
    func unwatched() async throws {
        try await network.unwatched()
        let monitors = (0..<2).map { _ in network.monitor() }
        for monitor in monitors { monitor.startMonitoring() }
        let hasGone = LockedValue(false)
        let wait = Task { [network] in
            try await network.unwatched()
            hasGone.change { $0 = true }
        }
        monitors.first?.stopMonitoring()
        await yieldToOthers()
        #expect(!hasGone.value)
        monitors.last?.stopMonitoring()
        try await wait.value
        #expect(network.watchers == 0)
    }

    @Test("watched() and unwatched() end when they are cancelled", arguments: [true, false])
    func cancelled(isForNobody: Bool) async throws {
        let monitor = network.monitor()
        if isForNobody { monitor.startMonitoring() }
        let wait = Task { [network] in
            if isForNobody { try await network.unwatched() } else { try await network.watched() }
        }
        await yieldToOthers()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        monitor.stopMonitoring()
    }
}
