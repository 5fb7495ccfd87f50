// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Pages {
    /// Starts to request the pages, and passes each to a closure.
    ///
    /// The next page is requested when the closure has returned, unless ``/SimorghREST/PageOptions/prefetches`` is set.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the closures. Default: the client's
    ///     ``/SimorghCore/APIClient/Configuration/callbackQueue``.
    ///   - onPage: Called with each page, in order.
    ///   - completion: Called once, after the last page or with the error; not called if the task is released before.
    /// - Returns: The running task: keep or detach it. Releasing it cancels the request.
    public func start(
        on queue: CallbackQueue? = nil,
        onPage: @escaping @Sendable (Page<Body, Item>) -> Void,
        completion: @escaping @Sendable (Result<Void, NetworkError>) -> Void
    ) -> SmartTask {
        let queue = queue ?? call.settings.configuration.callbackQueue
        return SmartTask(on: queue) { () -> Result<Void, NetworkError> in
            var pages = makeAsyncIterator()
            do throws(NetworkError) {
                while let page = try await pages.typedNext(isolation: nil) {
                    guard !Task.isCancelled else { return .failure(.cancelled(call.unsentContext)) }
                    await withCheckedContinuation { continuation in
                        queue.run {
                            onPage(page)
                            continuation.resume()
                        }
                    }
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        } cancelled: {
            .failure(.cancelled(call.unsentContext))
        } completion: {
            completion($0)
        }
        .start()
    }
}
