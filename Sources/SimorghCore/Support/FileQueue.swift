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
}
