// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import Dispatch

/// The queue on which a closure is called, or a publisher delivers.
///
/// The default is the main queue, because a closure written in main-actor code traps when it is called elsewhere.
public struct CallbackQueue: Sendable {
    package let queue: DispatchQueue?

    /// The main queue.
    public static let main = CallbackQueue(queue: .main)

    /// The thread on which the call ended: no dispatch, and no guarantee about the thread.
    public static let immediate = CallbackQueue(queue: nil)

    /// Returns a callback queue that uses the caller's dispatch queue.
    ///
    /// A concurrent queue does not keep the order.
    ///
    /// - Parameter queue: The dispatch queue.
    /// - Returns: The callback queue.
    public static func queue(_ queue: DispatchQueue) -> CallbackQueue { CallbackQueue(queue: queue) }

    /// Runs work on the queue.
    package func run(_ work: @escaping @Sendable () -> Void) {
        guard let queue else { return work() }
        queue.async(execute: work)
    }
}
