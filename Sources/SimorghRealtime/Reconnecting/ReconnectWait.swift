// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Synchronization

/// The wait between two attempts at a connection: for as long as the policy says, or until a path to the network returns.
///
/// A path counts from the loss on, and anew from each attempt on: one that returns during an attempt ends the wait after it.
struct ReconnectWait: ~Copyable, Sendable {
    private let paths: PathWatch?
    private let time: TimeSource
    private let pathReturned = Mutex<PathWatch.Wait?>(nil)

    init(_ paths: PathWatch?, time: TimeSource) {
        self.paths = paths
        self.time = time
    }

    /// An attempt begins; a first one is not worth a watch.
    func attempt() { if isWatching { watch() } }

    /// The connection was lost, or the attempt has failed.
    func lost() { if !isWatching { watch() } }

    /// The connection stands, or no other is wanted.
    func forget() { replace(with: nil) }

    /// Waits for the next attempt.
    ///
    /// - Parameters:
    ///   - delay: The longest wait.
    ///   - floor: The shortest wait, however early a path returns.
    /// - Returns: `false` if the task was cancelled.
    func sleep(for delay: Duration, atLeast floor: Duration) async -> Bool {
        await time.sleep(for: delay, orUntil: pathReturned.withLock { $0 }, butAtLeast: floor)
    }

    private var isWatching: Bool { pathReturned.withLock { $0 != nil } }

    private func watch() { if let paths { replace(with: paths.begin()) } }

    private func replace(with wait: PathWatch.Wait?) {
        let former = pathReturned.withLock { pathReturned in
            defer { pathReturned = wait }
            return pathReturned
        }
        // The new watch has begun before the former ends, which is not under the lock, so that nothing is missed between them.
        withExtendedLifetime(former) {}
    }
}
