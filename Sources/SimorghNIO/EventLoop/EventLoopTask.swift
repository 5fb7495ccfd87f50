// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import Synchronization

/// A piece of work for an event loop that the user provides.
///
/// A loop that has been shut down releases the work without running it; the release is detected in `deinit`.
final class EventLoopTask: Sendable {
    private let otherwise: Mutex<(@Sendable () -> Void)?>

    private init(_ otherwise: @escaping @Sendable () -> Void) { self.otherwise = Mutex(otherwise) }

    deinit {
        // Asynchronous, because `otherwise` may submit the next piece of work and thus recurse.
        if let otherwise = otherwise.withLock({ $0.take() }) { DispatchQueue.global().async(execute: otherwise) }
    }

    private func begun() { otherwise.withLock { $0 = nil } }

    /// Runs work on a loop; never before this function returns.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - work: The work.
    ///   - otherwise: Called on another thread if the loop has been shut down.
    static func run(
        on loop: any EventLoop, _ work: @escaping @Sendable () -> Void, otherwise: @escaping @Sendable () -> Void
    ) {
        let task = EventLoopTask(otherwise)
        loop.execute {
            task.begun()
            work()
        }
    }
}
