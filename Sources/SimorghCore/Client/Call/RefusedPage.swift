// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// As much of the body of a refused stream as an error may keep, and as comes in time.
struct RefusedPage: Sendable {
    private(set) var bytes = Data()
    /// Whether it broke off, or took too long.
    private(set) var isTruncated = false
    private(set) var isTooLarge = false

    /// Reads the page of a refusal.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - limit: The most bytes of it to keep.
    ///   - patience: How long to read: the status is known, and says more than its page.
    ///   - isSilenceBounded: Whether the transport ends a body that stands still; else a wait of its own does.
    ///   - time: Where the patience takes the time from.
    /// - Returns: The page.
    /// - Throws: `CancellationError`, or how the transport calls that.
    static func read(
        _ body: ResponseBody, upTo limit: Int, within patience: Duration, isSilenceBounded: Bool, _ time: TimeSource
    ) async throws -> RefusedPage {
        let draft = Draft()
        let deadline = time.deadline(after: patience)
        guard !isSilenceBounded else {
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
                try await time.sleep(for: patience)
                return false
            }
            let isRead = try await group.next() ?? false
            return draft.page.withLock { page in
                if !isRead { page.isTruncated = true }
                return page
            }
        }
    }

    /// A page that is being read.
    private final class Draft: Sendable {
        let page = Mutex(RefusedPage())

        func read(_ body: ResponseBody, upTo limit: Int, until deadline: Deadline) async throws {
            do {
                for try await chunk in body {
                    let isOver = page.withLock { page in
                        let room = max(0, limit - page.bytes.count)
                        page.bytes.append(chunk.prefix(room))
                        page.isTooLarge = chunk.count > room
                        page.isTruncated = deadline.remaining == .zero
                        return page.isTooLarge || page.isTruncated
                    }
                    if isOver { return }
                }
            } catch  where !error.isCancellation && !Task.isCancelled {
                // The status says more than that its page broke off.
                page.withLock { $0.isTruncated = true }
            }
        }
    }
}
