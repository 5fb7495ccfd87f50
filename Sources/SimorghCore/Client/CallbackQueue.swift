// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import Dispatch

/// Where a closure is called, or a publisher delivers.
///
/// The default is the main queue, because a closure written in main-actor code traps when it is called elsewhere.
public struct CallbackQueue: Sendable {
    package let queue: DispatchQueue?

    /// The main queue.
    public static let main = CallbackQueue(queue: .main)

    /// Wherever the call ended: no hop, and no promise on which thread.
    public static let immediate = CallbackQueue(queue: nil)

    /// A queue of the caller's; a concurrent one gives no order.
    ///
    /// - Parameter queue: The queue.
    /// - Returns: The place.
    public static func queue(_ queue: DispatchQueue) -> CallbackQueue { CallbackQueue(queue: queue) }

    /// Runs work there.
    package func run(_ work: @escaping @Sendable () -> Void) {
        guard let queue else { return work() }
        queue.async(execute: work)
    }
}
