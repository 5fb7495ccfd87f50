// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Dispatch
import Synchronization

/// Has a question asked on a queue, where it may take its time, while whoever wants the answer sleeps.
///
/// All who come before it is asked are told the same, so that ten thousand at once are a question or two.
package final class NetworkQuestions: Sendable {
    private let queue: DispatchQueue
    private let waiting = Mutex<[CheckedContinuation<NetworkStatus, Never>]>([])

    package init(on queue: DispatchQueue) { self.queue = queue }

    /// How many wait for a question that is not asked yet.
    package var count: Int { waiting.withLock { $0.count } }

    /// Waits for an answer to a question that is asked after this call.
    ///
    /// - Parameter ask: Asks, and may block; the same for all who come.
    /// - Returns: The answer.
    package func answer(_ ask: @escaping @Sendable () -> NetworkStatus) async -> NetworkStatus {
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == 1
            }
            guard isFirst else { return }
            queue.async {
                let waiting = self.waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                let status = ask()
                for continuation in waiting { continuation.resume(returning: status) }
            }
        }
    }
}
