// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension NetworkMonitorCore {
    /// Waits for a route to the internet, and keeps the source running meanwhile.
    ///
    /// - Parameter limit: The longest wait; `nil` for no limit.
    /// - Returns: True if there is a route, or one comes up on demand; false if the limit passed, the task was
    ///   cancelled, the monitor was released, or the source never reports a network.
    package func waitUntilConnected(_ limit: Duration?) async -> Bool {
        guard isAvailable else { return false }
        lease()
        defer { release() }
        let deadline = limit.map { time.deadline(after: $0) }
        // A route that appeared may be gone before it is checked: then the wait continues.
        while await !awaitedStatus().mayConnect {
            guard !Task.isCancelled, !isClosed else { return false }
            guard let deadline else {
                await untilConnected()
                continue
            }
            let left = deadline.remaining
            guard left > .zero, await time.sleep(for: left, orUntil: { await self.untilConnected() }) else {
                return false
            }
        }
        return !Task.isCancelled
    }

    /// Returns when there is a route, the monitor is released, or the task is cancelled.
    private func untilConnected() async {
        while true {
            let count = changes.count
            if isClosed { return }
            if await awaitedStatus().mayConnect { return }
            do { try await changes.wait(after: count) } catch { return }
        }
    }

    /// Waits until a route to the internet appears or changes, the task is cancelled, or the monitor is released.
    ///
    /// The source runs meanwhile.
    package func waitForArrival() async {
        let count = leaseAndMark()
        defer { release() }
        await waitForArrival(after: count)
    }

    /// Waits for a route that appeared after a mark; returns also if the task is cancelled or the monitor is released.
    ///
    /// - Parameter count: The number of arrivals at the time of the mark.
    package func waitForArrival(after count: Int) async {
        lease()
        defer { release() }
        while true {
            let seen = changes.count
            if arrivals > count || isClosed { return }
            do { try await changes.wait(after: seen) } catch { return }
        }
    }
}
