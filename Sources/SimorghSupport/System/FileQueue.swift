// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch

/// A dispatch queue for blocking file access, so that no thread of the task pool blocks: a disk may be slow or remote.
package enum FileQueue {
    private static let queue = DispatchQueue(label: "simorgh.file", attributes: .concurrent)

    /// Runs blocking work outside the task pool.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try outcome.get()
    }

    /// Runs blocking work in the background, without waiting for it.
    ///
    /// - Parameter work: The work.
    package static func later(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs blocking work, and stops waiting for it if the task is cancelled.
    ///
    /// The system call itself cannot be interrupted; its late result is discarded.
    ///
    /// - Parameter work: The work, which must not have side effects.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work, or `CancellationError` at once if the task is cancelled.
    package static func runUntilCancelled<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let waiter = Waiter<Value, any Error>()
        queue.async { waiter.settle(Result { try work() }) }
        return try await waiter.value()
    }

    /// Runs blocking work to its end, but stops waiting for it if the task is cancelled.
    ///
    /// - Parameter work: The work, which is completed even if the task is cancelled before.
    /// - Returns: The result of the work; `nil` at once if the task is cancelled.
    package static func runToCompletion<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let waiter = Waiter<Value, any Error>()
        queue.async { waiter.settle(.success(work())) }
        return try? await waiter.value()
    }
}
