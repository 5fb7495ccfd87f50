// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import Synchronization

/// Work for an event loop of the user's, which may have been shut down: it lets go of what it is given then, and tells
/// nobody.
final class LoopErrand: Sendable {
    private let otherwise: Mutex<(@Sendable () -> Void)?>

    private init(_ otherwise: @escaping @Sendable () -> Void) { self.otherwise = Mutex(otherwise) }

    deinit {
        // Not from within the call that gave it up: who hears of it may come with the next.
        if let otherwise = otherwise.withLock({ $0.take() }) { DispatchQueue.global().async(execute: otherwise) }
    }

    private func begun() { otherwise.withLock { $0 = nil } }

    /// Runs something on a loop, never before this returns.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - work: What is to be done.
    ///   - otherwise: What is to be done elsewhere if the loop takes no more work.
    static func run(
        on loop: any EventLoop, _ work: @escaping @Sendable () -> Void, otherwise: @escaping @Sendable () -> Void
    ) {
        let errand = LoopErrand(otherwise)
        loop.execute {
            errand.begun()
            work()
        }
    }
}
