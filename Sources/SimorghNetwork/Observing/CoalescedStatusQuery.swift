// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Dispatch
import Synchronization

/// Runs a status query on a dispatch queue, which it may block; concurrent callers share one result.
///
/// Callers that arrive before a query starts share it, so ten thousand concurrent callers cause one or two queries.
package final class CoalescedStatusQuery: Sendable {
    private let queue: DispatchQueue
    private let waiting = Mutex<[CheckedContinuation<NetworkStatus, Never>]>([])

    package init(on queue: DispatchQueue) { self.queue = queue }

    /// The number of callers that wait for a query that has not started yet.
    package var count: Int { waiting.withLock { $0.count } }

    /// Waits for the result of a query that starts after this call.
    ///
    /// - Parameter query: Performs the query, and passes the result to its argument once, then or later; all callers
    ///   pass the same query.
    /// - Returns: The result.
    package func answer(
        _ query: @escaping @Sendable (_ completion: @escaping @Sendable (NetworkStatus) -> Void) -> Void
    ) async -> NetworkStatus {
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
                query { status in
                    for continuation in waiting { continuation.resume(returning: status) }
                }
            }
        }
    }
}
