// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghRealtime

extension NIOTransport {
    /// Runs a burst of calls on one of the transport's event loops, which saves the two changes of thread that a request
    /// costs otherwise.
    ///
    /// ```swift
    /// let pages = try await transport.withEventLoop {
    ///     async let first = client.call(.get, "pages/1").data()
    ///     async let second = client.call(.get, "pages/2").data()
    ///     return try await [first, second]
    /// }
    /// ```
    /// What `body` awaits, and the child tasks it makes, run on that loop's thread, as far as they belong to no actor
    /// with an executor of its own; `Task { }` does not. Requests from there take an idle connection of the same loop
    /// where there is one, then any other, and dial on this loop. All is as correct on a connection of another loop, and
    /// costs what it costs elsewhere. A `WebSocketConnection` that is connected there lives on that loop, also when it
    /// comes back; so do subscriptions whose connection is first wanted there.
    ///
    /// The loop has other connections to serve, so nothing in `body` may block or compute for long: also the answers of
    /// these calls are decoded there. One loop is one thread; where a burst is worth more than one, divide it.
    ///
    /// - Parameter body: The calls.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withEventLoop<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        defer { withExtendedLifetime(self) {} }
        return try await withTaskExecutorPreference(pool.executor(), operation: body)
    }

    /// The executor of one of the transport's event loops, another one each time: for a task or a group of tasks whose
    /// calls are to stay on it, as ``withEventLoop(_:)`` says.
    ///
    /// ```swift
    /// group.addTask(executorPreference: transport.nextTaskExecutor()) { try await client.get("users") }
    /// ```
    /// - Returns: The executor, which keeps no connection open; where its loop was shut down, tasks run as they would
    ///   without it.
    public func nextTaskExecutor() -> any TaskExecutor { pool.nextExecutor() }
}

extension NIOTransport: LoopTransport {
    package var callersExecutor: (any TaskExecutor)? { pool.executor(inLane: pool.currentLane) }
}

extension APIClient {
    /// Runs a burst of calls on one of the engine's event loops, which saves the two changes of thread that a request
    /// costs otherwise.
    ///
    /// ```swift
    /// let users = try await client.withEventLoop {
    ///     try await withThrowingTaskGroup { group in
    ///         for id in ids { group.addTask { try await client.get("users/\(id)") as User } }
    ///         return try await group.reduce(into: []) { $0.append($1) }
    ///     }
    /// }
    /// ```
    /// What `body` awaits, and the child tasks it makes, run on that loop's thread, as far as they belong to no actor
    /// with an executor of its own; `Task { }` does not. A `WebSocketConnection` that is connected there lives on that
    /// loop, also when it comes back; so do subscriptions whose connection is first wanted there. The loop has other
    /// connections to serve: nothing in `body` may block or compute for long, and small answers are best, for they are
    /// decoded there, too. Where the client's transport is none of ours, `body` runs as it would without.
    ///
    /// - Parameter body: The calls.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withEventLoop<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let transport = settings.transport as? NIOTransport else { return try await body() }
        return try await transport.withEventLoop(body)
    }
}
