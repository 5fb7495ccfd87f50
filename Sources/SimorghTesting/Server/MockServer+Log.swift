// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension MockServer {
    /// The requests so far, in the order in which their responses began.
    ///
    /// The first ``Configuration/maximumRecordedRequests`` are kept, with up to 256 MiB of bodies.
    public var requests: [RecordedRequest] { state.recorder.requests }

    /// The number of requests so far.
    public var requestCount: Int { state.recorder.count }

    /// Waits until a request has arrived.
    ///
    /// - Parameter index: The number of requests before it.
    /// - Returns: The request.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func request(at index: Int) async throws -> RecordedRequest { try await state.recorder.request(at: index) }

    /// Waits for the next request: the first call returns the first request, the second call the second, and so on.
    ///
    /// - Returns: The request.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func takeRequest() async throws -> RecordedRequest { try await request(at: state.takeIndex()) }

    /// The requests without a rule or a queued response.
    ///
    /// Each got a 500 response that names the nearest rule.
    public var unmatchedRequests: [RecordedRequest] { state.unmatchedRecorder.requests }

    /// The number of connections accepted so far.
    public var acceptedConnectionCount: Int { state.log.acceptedCount }

    /// The number of open connections.
    public var openConnectionCount: Int { state.log.openCount }

    /// Waits until at most a number of connections are open.
    ///
    /// If it waits forever, connections leak.
    ///
    /// - Parameter count: The maximum number of open connections.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForOpenConnections(atMost count: Int) async throws {
        try await state.log.waitForOpen(atMost: count)
    }

    /// Throws unless every request matched and every queued response was used.
    ///
    /// - Throws: ``UnmetExpectationsError``.
    public func verify() throws {
        let queued = state.queued
        try UnmetExpectationsError.check(
            state.unmatchedRecorder.requests, registry: state.registry,
            additional: queued > 0 ? ["\(queued) in the queue"] : [])
    }
}
