// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Interceptor {
    /// Runs plugins around the rest of the chain.
    ///
    /// - Parameter plugins: The plugins; of those with one id the first runs, and all run by their priority.
    /// - Returns: The step.
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
                let outcome = await exchange(request, plugins, next)
                if case .failure(let error) = outcome, error.isCancellation { throw error }
                for plugin in plugins { await plugin.didFinish(outcome, of: request) }
                return try outcome.get()
            } catch  where error.isCancellation {
                for plugin in plugins { await plugin.wasCancelled(request) }
                throw error
            }
        }
    }

    /// What comes of a prepared request after every plugin has judged it.
    private static func exchange(
        _ request: TransportRequest, _ plugins: [any Plugin], _ next: Next
    ) async -> Result<TransportResponse, any Error> {
        for plugin in plugins { await plugin.willSend(request) }
        var outcome: Result<TransportResponse, any Error>
        do {
            let response = try await next(request)
            for plugin in plugins { await plugin.didReceive(response, to: request) }
            outcome = .success(response)
        } catch {
            guard !error.isCancellation else { return .failure(error) }
            outcome = .failure(request.shown(error))
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
    /// An error that does not tell what a plugin put into the URL.
    fileprivate func shown(_ error: any Error) -> any Error {
        guard var error = error as? TransportError else { return error }
        error.url = shown(error.url)
        return error
    }
}

extension [any Plugin] {
    /// Each id once, its first, ordered by priority; those of one priority stay in the order in which they were given.
    package var inOrder: [any Plugin] {
        var known: Set<String> = []
        return filter { known.insert($0.id).inserted }
            .enumerated()
            .sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
            .map(\.element)
    }
}
