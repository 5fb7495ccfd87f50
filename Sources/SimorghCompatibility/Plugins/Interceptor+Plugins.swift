// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Interceptor {
    /// Returns an interceptor that runs plugins around the rest of the pipeline.
    ///
    /// Each plugin prepares the request, sees it before it is sent, sees and verifies the response, and is notified of
    /// the end. After a cancellation, `wasCancelled` replaces the calls that would follow.
    ///
    /// - Parameter plugins: The plugins. They run by priority; if several have the same id, only the first runs.
    /// - Returns: The interceptor.
    public static func plugins(_ plugins: [any Plugin]) -> Interceptor {
        let plugins = plugins.inOrder
        return Interceptor { request, next in
            var request = request
            do {
                for plugin in plugins {
                    let before = request
                    try await plugin.prepare(&request)
                    request = request.joined(before)
                }
                try Task.checkCancellation()
                let outcome = await exchange(request, plugins: plugins, next: next)
                if case .failure(let error) = outcome, error.isCancellation { throw error }
                for plugin in plugins { await plugin.didFinish(outcome, of: request) }
                return try outcome.get()
            } catch  where error.isCancellation {
                for plugin in plugins { await plugin.wasCancelled(request) }
                throw error
            }
        }
    }

    /// Sends a prepared request, and returns the outcome after every plugin has verified it.
    ///
    /// An error that a plugin throws from `verify` replaces the outcome, also for the plugins after it.
    private static func exchange(
        _ request: TransportRequest, plugins: [any Plugin], next: Next
    ) async -> Result<TransportResponse, any Error> {
        for plugin in plugins { await plugin.willSend(request) }
        var outcome: Result<TransportResponse, any Error>
        do {
            let response = try await next(request)
            for plugin in plugins { await plugin.didReceive(response, to: request) }
            outcome = .success(response)
        } catch {
            guard !error.isCancellation else { return .failure(error) }
            outcome = .failure(request.redacted(error))
        }
        for plugin in plugins {
            do {
                try await plugin.verify(outcome, of: request)
            } catch {
                outcome = .failure(error)
            }
        }
        return outcome
    }
}

extension TransportRequest {
    /// Returns the error with the plugins' secrets removed from its URL.
    fileprivate func redacted(_ error: any Error) -> any Error {
        guard var error = error as? TransportError else { return error }
        error.url = shown(error.url)
        return error
    }
}

extension [any Plugin] {
    /// The plugins without duplicate ids, sorted by priority; equal priorities keep their order.
    package var inOrder: [any Plugin] {
        var known: Set<String> = []
        return filter { known.insert($0.id).inserted }
            .enumerated()
            .sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
            .map(\.element)
    }
}
