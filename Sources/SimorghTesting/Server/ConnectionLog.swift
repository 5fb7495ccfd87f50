// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import SimorghCore
import SimorghSupport
import Synchronization

/// The connections of a server: the number accepted, and the open ones.
package final class ConnectionLog: Sendable {
    private struct State {
        var accepted = 0
        var isClosing = false
        var open: [ObjectIdentifier: any Channel] = [:]
    }

    private let state = Mutex(State())
    /// Signaled when a connection has closed.
    private let closings = AsyncSignal()

    package init() {}

    package var acceptedCount: Int { state.withLock { $0.accepted } }
    package var openCount: Int { state.withLock { $0.open.count } }

    /// Adds a connection and returns its number, or `nil` if the server is closing.
    package func opened(_ channel: any Channel) -> Int? {
        state.withLock { state in
            guard !state.isClosing else { return nil }
            state.open[ObjectIdentifier(channel)] = channel
            defer { state.accepted += 1 }
            return state.accepted
        }
    }

    package func closed(_ channel: any Channel) {
        state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
        closings.ring()
    }

    package func closeAll() {
        let channels = state.withLock { state in
            state.isClosing = true
            return Array(state.open.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Waits until at most `count` connections are open.
    package func waitForOpen(atMost count: Int) async throws {
        while true {
            try Task.checkCancellation()
            let signalCount = closings.count
            if openCount <= count { return }
            try await closings.wait(after: signalCount)
        }
    }
}
