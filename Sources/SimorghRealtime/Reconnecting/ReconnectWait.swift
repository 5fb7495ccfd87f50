// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Synchronization

/// The wait between two attempts to connect, which ends early if the network becomes available.
///
/// Monitoring starts at the loss of the connection, and again at each attempt. If the network becomes available
/// during an attempt, the wait after it ends early.
struct ReconnectWait: ~Copyable, Sendable {
    private let paths: NetworkReturnWaiter?
    private let time: TimeSource
    private let networkWait = Mutex<NetworkReturnWaiter.Wait?>(nil)

    init(_ paths: NetworkReturnWaiter?, time: TimeSource) {
        self.paths = paths
        self.time = time
    }

    /// Restarts monitoring when an attempt begins; the first attempt is not monitored.
    func attempt() { if isWatching { watch() } }

    /// Starts monitoring after the connection was lost or the attempt failed.
    func lost() { if !isWatching { watch() } }

    /// Stops monitoring, because the connection is open or no further attempt follows.
    func forget() { replace(with: nil) }

    /// Waits until the next attempt is due.
    ///
    /// - Parameters:
    ///   - delay: The maximum wait.
    ///   - floor: The minimum wait, even if the network becomes available earlier.
    /// - Returns: The time that passed; `nil` if the task was cancelled.
    func sleep(for delay: Duration, atLeast floor: Duration) async -> Duration? {
        let stopwatch = time.stopwatch()
        let isOver = await time.sleep(for: delay, orUntil: networkWait.withLock { $0 }, minimumWait: floor)
        return isOver ? stopwatch.elapsed : nil
    }

    /// Returns the ending of an attempt, which counts as offline only if the monitor knows that there is no network.
    ///
    /// With a route, the attempt has failed.
    func confirmed(_ ending: ReconnectBackoff.Ending) async -> ReconnectBackoff.Ending {
        guard ending == .offline else { return ending }
        return await paths?.isOffline() == true ? .offline : .failed(isTransient: true)
    }

    private var isWatching: Bool { networkWait.withLock { $0 != nil } }

    private func watch() { if let paths { replace(with: paths.begin()) } }

    private func replace(with wait: NetworkReturnWaiter.Wait?) {
        let former = networkWait.withLock { networkWait in
            defer { networkWait = wait }
            return networkWait
        }
        // The new monitoring starts before the old one ends, so that no change is missed. It ends outside of the
        // lock.
        withExtendedLifetime(former) {}
    }
}
