// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch

/// Where the file system is waited for, so that no thread of the tasks' pool is: a disk may be slow, or far away.
package enum FileQueue {
    private static let queue = DispatchQueue(label: "simorgh.file", attributes: .concurrent)

    /// Runs what may block, outside of any task.
    ///
    /// - Parameter work: The work.
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try outcome.get()
    }

    /// Runs what may block, at some time, and waits for nothing.
    ///
    /// - Parameter work: The work.
    package static func later(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs what may block, and waits for it no longer than the task is wanted: the system's call itself cannot be stopped,
    /// and what it gives then is thrown away.
    ///
    /// - Parameter work: The work, which changes nothing.
    /// - Returns: What it returns.
    /// - Throws: What it throws, or `CancellationError` at once when the task is cancelled.
    package static func runUntilCancelled<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let waiter = Waiter<Value, any Error>()
        queue.async { waiter.settle(Result { try work() }) }
        return try await waiter.value()
    }

    /// Runs what may block to its end, and waits for it no longer than the task is wanted.
    ///
    /// - Parameter work: The work, which is done also where the task is cancelled before.
    /// - Returns: What it returns; `nil` at once when the task is cancelled.
    package static func runToItsEnd<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let waiter = Waiter<Value, any Error>()
        queue.async { waiter.settle(.success(work())) }
        return try? await waiter.value()
    }
}
