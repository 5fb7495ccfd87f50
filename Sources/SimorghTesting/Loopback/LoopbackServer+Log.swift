// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension LoopbackServer {
    /// The latest requests, in the order in which their heads came.
    public var requests: [LoggedRequest] { log.requests }

    /// How many requests came so far.
    public var requestCount: Int { log.requestCount }

    /// How many responses were sent to their end, whole or broken as they were to be.
    ///
    /// A response is counted once its last byte is handed to the socket, and its reader may have it a moment before:
    /// ``waitForServed(atLeast:)`` waits for that moment.
    public var servedCount: Int { log.servedCount }

    /// How many connections were accepted so far.
    public var acceptedConnectionCount: Int { log.acceptedCount }

    /// How many connections are open now.
    public var openConnectionCount: Int { log.openCount }

    /// Waits until the head of a request has come.
    ///
    /// - Parameter index: How many came before it.
    /// - Returns: The request, as far as it has come.
    /// - Throws: `CancellationError` when the task is cancelled; an error for a request that is not kept any more.
    public func request(at index: Int) async throws -> LoggedRequest { try await log.request(at: index) }

    /// Waits until no more than some connections are open, which shows a leak if it takes for ever.
    ///
    /// - Parameter count: How many may be open.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForOpenConnections(atMost count: Int) async throws { try await log.wait { $0.open <= count } }

    /// Waits until so many responses were sent to their end.
    ///
    /// - Parameter count: How many.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForServed(atLeast count: Int) async throws { try await log.wait { $0.served >= count } }
}
