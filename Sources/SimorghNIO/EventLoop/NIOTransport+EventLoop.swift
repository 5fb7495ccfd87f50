// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghRealtime

extension NIOTransport {
    /// Runs a burst of calls on one of the transport's event loops, which saves two thread switches per request.
    ///
    /// ```swift
    /// let pages = try await transport.withEventLoop {
    ///     async let first = client.call(.get, "pages/1").data()
    ///     async let second = client.call(.get, "pages/2").data()
    ///     return try await [first, second]
    /// }
    /// ```
    /// `body` and its child tasks run on that loop's thread, unless they belong to an actor with its own executor. A
    /// `Task { }` does not run there. Their requests prefer an idle connection of the same loop, then use any other,
    /// and open new connections on this loop. A connection of another loop works the same, at the usual cost. A
    /// `WebSocketConnection` that is connected in `body` stays on that loop, also after it reconnects, and so do
    /// subscriptions whose connection is first opened there.
    ///
    /// The loop serves other connections as well, so `body` must not block or compute for long; note that the
    /// responses of these calls are decoded on the loop. One loop is one thread: divide a burst that needs more than
    /// one.
    ///
    /// - Parameter body: The calls.
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws.
    public func withEventLoop<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        defer { withExtendedLifetime(self) {} }
        return try await withTaskExecutorPreference(pool.executor(), operation: body)
    }

    /// Returns the executor of the next event loop of the transport, for a task or a task group whose calls should
    /// stay on that loop, as with ``withEventLoop(_:)``.
    ///
    /// ```swift
    /// group.addTask(executorPreference: transport.nextTaskExecutor()) { try await client.get("users") }
    /// ```
    /// - Returns: The executor, which keeps no connection open. If its loop has been shut down, tasks run as without
    ///   it.
    public func nextTaskExecutor() -> any TaskExecutor { pool.nextExecutor() }
}

extension NIOTransport: EventLoopTransport {
    package var callerExecutor: (any TaskExecutor)? { pool.executor(onEventLoop: pool.currentEventLoopIndex) }
}

extension APIClient {
    /// Runs a burst of calls on one of the engine's event loops, which saves two thread switches per request.
    ///
    /// ```swift
    /// let users = try await client.withEventLoop {
    ///     try await withThrowingTaskGroup { group in
    ///         for id in ids { group.addTask { try await client.get("users/\(id)") as User } }
    ///         return try await group.reduce(into: []) { $0.append($1) }
    ///     }
    /// }
    /// ```
    /// `body` and its child tasks run on that loop's thread, unless they belong to an actor with its own executor. A
    /// `Task { }` does not run there. A `WebSocketConnection` that is connected in `body` stays on that loop, also
    /// after it reconnects, and so do subscriptions whose connection is first opened there. The loop serves other
    /// connections as well, so `body` must not block or compute for long. Small responses are best, because they are
    /// decoded on the loop. If the client's transport is not an `NIOTransport`, `body` runs without an event loop.
    ///
    /// - Parameter body: The calls.
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws.
    public func withEventLoop<Value: Sendable, Failure: Error>(
        _ body: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let transport = settings.transport as? NIOTransport else { return try await body() }
        return try await transport.withEventLoop(body)
    }
}
