// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The body of a rejected stream, limited in size and reading time.
struct ErrorBodyReader: Sendable {
    private(set) var bytes = Data()
    /// True if the body broke off or took too long.
    private(set) var isTruncated = false
    private(set) var isTooLarge = false

    /// Reads the body of a rejected response.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - limit: The largest number of bytes to keep.
    ///   - timeLimit: The time limit. It is short because the status is already known and matters more than the body.
    ///   - hasIdleTimeout: True if the transport ends an idle body; otherwise a timer here does.
    ///   - time: The clock for the time limit.
    /// - Returns: The body.
    /// - Throws: `CancellationError`, or the transport's error for a cancellation.
    static func read(
        _ body: ResponseBody, upTo limit: Int, within timeLimit: Duration, hasIdleTimeout: Bool, time: TimeSource
    ) async throws -> ErrorBodyReader {
        let draft = Draft()
        let deadline = time.deadline(after: timeLimit)
        guard !hasIdleTimeout else {
            try await draft.read(body, upTo: limit, until: deadline)
            return draft.page.withLock { $0 }
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await draft.read(body, upTo: limit, until: deadline)
                return true
            }
            group.addTask {
                try await time.sleep(for: timeLimit)
                return false
            }
            let isRead = try await group.next() ?? false
            return draft.page.withLock { page in
                if !isRead { page.isTruncated = true }
                return page
            }
        }
    }

    /// A body that is being read.
    private final class Draft: Sendable {
        let page = Mutex(ErrorBodyReader())

        func read(_ body: ResponseBody, upTo limit: Int, until deadline: Deadline) async throws {
            do {
                for try await chunk in body {
                    let isOver = page.withLock { page in
                        let capacity = max(0, limit - page.bytes.count)
                        page.bytes.append(chunk.prefix(capacity))
                        page.isTooLarge = chunk.count > capacity
                        page.isTruncated = deadline.remaining == .zero
                        return page.isTooLarge || page.isTruncated
                    }
                    if isOver { return }
                }
            } catch  where !error.isCancellation && !Task.isCancelled {
                // The error with the status is more useful than the one about the broken body.
                page.withLock { $0.isTruncated = true }
            }
        }
    }
}
