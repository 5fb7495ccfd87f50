// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The events of a body, each returned as soon as the blank line after it has arrived.
///
/// Can be iterated once.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// ``StreamingError``, or the error of the body.
    public typealias Failure = any Error

    let body: ResponseBody
    let parser: ServerSentEventParser
    /// The reason why the body is not an event stream, if known.
    let refusal: StreamingError?

    package init(
        _ body: ResponseBody, limit: Int, lastEventID: String = "", dispatchesWithoutData: Bool = false,
        refusal: StreamingError? = nil
    ) {
        self.body = body
        parser = ServerSentEventParser(
            limit: limit, lastEventID: lastEventID, dispatchesWithoutData: dispatchesWithoutData)
        self.refusal = refusal
    }

    /// Returns an iterator that reads the body.
    public func makeAsyncIterator() -> Iterator {
        Iterator(records: RecordIterator(body, parser: parser), refusal: refusal)
    }

    /// Reads a body event by event.
    ///
    /// Requests the next chunk only after all events of the last one were consumed.
    public struct Iterator: AsyncIteratorProtocol {
        package private(set) var records: RecordIterator<ServerSentEventParser>
        private var refusal: StreamingError?

        fileprivate init(records: RecordIterator<ServerSentEventParser>, refusal: StreamingError?) {
            self.records = records
            self.refusal = refusal
        }

        /// Returns the next event, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next event.
        /// - Throws: ``StreamingError``, or the error of the body.
        @inlinable
        @inline(__always)
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ServerSentEvent? {
            // Performance: inlined into the caller's loop, which suspends only if no event is buffered.
            if let event = try ready() { return event }
            return try await waited(isolation: actor)
        }

        @usableFromInline
        mutating func ready() throws -> ServerSentEvent? { try records.ready() }

        @usableFromInline
        mutating func waited(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            if let refusal = refusal.take() {
                records = RecordIterator(.empty, parser: records.parser)
                throw refusal
            }
            return try await records.next(isolation: actor)
        }
    }
}

extension ResponseBody {
    /// Returns the body as server-sent events (WHATWG HTML, section 9.2).
    ///
    /// - Parameter limit: The largest size of all lines of an event together, in bytes. Default: 1 MiB. A larger event
    ///   ends the stream with ``StreamingError/eventTooLong(limitBytes:)``.
    /// - Returns: The events, read from the network only as fast as they are consumed.
    public func serverSentEvents(limit: Int = 1024 * 1024) -> ServerSentEvents { ServerSentEvents(self, limit: limit) }
}
