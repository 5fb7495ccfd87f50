// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension NetworkHub {
    /// Waits for a way to the internet, and watches meanwhile.
    ///
    /// - Parameter limit: How long at most; `nil` for ever.
    /// - Returns: Whether there is one; `false` when the time is up, the task cancelled or the monitor gone.
    package func waitUntilConnected(_ limit: Duration?) async -> Bool {
        lease()
        defer { release() }
        let deadline = limit.map { time.deadline(after: $0) }
        // What had come may be gone before it is looked at: then the wait goes on.
        while await !awaitedStatus().isConnected {
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

    /// Returns when there is a way, the monitor is gone, or the task is cancelled.
    private func untilConnected() async {
        while true {
            let heard = bell.count
            if isClosed { return }
            if await awaitedStatus().isConnected { return }
            do { try await bell.wait(after: heard) } catch { return }
        }
    }

    /// Waits until there is a way to the internet that was not there before, and watches meanwhile.
    ///
    /// Where the way that is there stays, it waits until the task is cancelled.
    package func waitForArrival() async {
        let count = mark()
        defer { release() }
        await waitForArrival(after: count)
    }

    /// The same since a mark.
    ///
    /// - Parameter count: How many arrivals there were before.
    package func waitForArrival(after count: Int) async {
        lease()
        defer { release() }
        while true {
            let heard = bell.count
            if arrivals > count || isClosed { return }
            do { try await bell.wait(after: heard) } catch { return }
        }
    }
}
