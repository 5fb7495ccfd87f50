// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The events of a body, each as soon as the blank line after it has arrived; like the body they can be iterated once.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// ``StreamingError``, or what the body throws.
    public typealias Failure = any Error

    let body: ResponseBody
    let parser: ServerSentEventParser
    /// Why the body is no stream of events, where that is known.
    let refusal: StreamingError?

    package init(
        _ body: ResponseBody, limit: Int, lastEventID: String = "", refusal: StreamingError? = nil
    ) {
        self.body = body
        parser = ServerSentEventParser(limit: limit, lastEventID: lastEventID)
        self.refusal = refusal
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(records: RecordIterator(body, parser), refusal: refusal) }

    /// Reads a body event by event, asking for no chunk before the events of the last one are taken.
    public struct Iterator: AsyncIteratorProtocol {
        package private(set) var records: RecordIterator<ServerSentEventParser>
        private var refusal: StreamingError?

        fileprivate init(records: RecordIterator<ServerSentEventParser>, refusal: StreamingError?) {
            self.records = records
            self.refusal = refusal
        }

        /// The next event, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next event.
        /// - Throws: ``StreamingError``, or what the body throws.
        @inlinable
        @inline(__always)
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ServerSentEvent? {
            // Part of the caller's loop, which waits only where no event is here.
            if let event = try ready() { return event }
            return try await waited(isolation: actor)
        }

        @usableFromInline
        mutating func ready() throws -> ServerSentEvent? { try records.ready() }

        @usableFromInline
        mutating func waited(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            if let refusal = refusal.take() {
                records = RecordIterator(.empty, records.parser)
                throw refusal
            }
            return try await records.next(isolation: actor)
        }
    }
}

extension ResponseBody {
    /// The body as server-sent events (WHATWG HTML, section 9.2).
    ///
    /// - Parameter limit: The most bytes of an event's lines together; 1 MiB by default. A larger one ends the stream with
    ///   ``StreamingError/eventTooLong(limitBytes:)``.
    /// - Returns: The events, read from the network only as fast as they are taken.
    public func serverSentEvents(limit: Int = 1024 * 1024) -> ServerSentEvents { ServerSentEvents(self, limit: limit) }
}
