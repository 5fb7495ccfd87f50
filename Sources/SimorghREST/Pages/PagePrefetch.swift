// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The request of a page ahead of its use, which is cancelled when the last reference is released.
final class PagePrefetch<Body: Sendable, Item: Sendable>: Sendable {
    typealias Outcome = (result: Result<Page<Body, Item>?, NetworkError>, fetcher: PageFetcher<Body, Item>)

    private let task: Task<Outcome, Never>

    init(_ fetcher: PageFetcher<Body, Item>) {
        task = Task {
            var fetcher = fetcher
            do throws(NetworkError) {
                let page = try await fetcher.next()
                return (.success(page), fetcher)
            } catch {
                return (.failure(error), fetcher)
            }
        }
    }

    deinit { task.cancel() }

    /// Waits for the page.
    ///
    /// - Returns: The page or its error, and the state of the iteration after it. If the waiting task is cancelled, so is
    ///   the request.
    func outcome() async -> Outcome {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
