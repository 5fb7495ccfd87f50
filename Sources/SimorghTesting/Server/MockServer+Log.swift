// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension MockServer {
    /// The requests so far, in the order in which their answers began; of them the first
    /// ``Configuration/maximumRecordedRequests`` are kept, up to 256 MiB of their bodies.
    public var requests: [RecordedRequest] { hub.recorder.requests }

    /// How many requests came so far.
    public var requestCount: Int { hub.recorder.count }

    /// Waits until a request has come.
    ///
    /// - Parameter index: How many came before it.
    /// - Returns: The request.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    public func request(at index: Int) async throws -> RecordedRequest { try await hub.recorder.request(at: index) }

    /// Waits for the request behind the last that was taken: the first time the first, then the second, and so on.
    ///
    /// - Returns: The request.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    public func takeRequest() async throws -> RecordedRequest { try await request(at: hub.takeIndex()) }

    /// The requests that nothing was prepared for; each was answered with a 500 that names what was nearest.
    public var unmatchedRequests: [RecordedRequest] { hub.strangers.requests }

    /// How many connections were accepted so far.
    public var acceptedConnectionCount: Int { hub.log.acceptedCount }

    /// How many connections are open now.
    public var openConnectionCount: Int { hub.log.openCount }

    /// Waits until no more than some connections are open, which shows a leak if it takes for ever.
    ///
    /// - Parameter count: How many may be open.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitForOpenConnections(atMost count: Int) async throws { try await hub.log.waitForOpen(atMost: count) }

    /// Fails unless every request was meant and every answer that was to be given once was given.
    ///
    /// - Throws: ``UnmetExpectations``.
    public func verify() throws {
        let queued = hub.queued
        try UnmetExpectations.check(hub.strangers.requests, hub.book, queued > 0 ? ["\(queued) in the queue"] : [])
    }
}
