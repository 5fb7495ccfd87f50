// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What a call streams, as a sequence that is cold: each iteration makes the call anew.
///
/// Everything that goes wrong is a ``NetworkError``: that of the call, ``NetworkError/decodingError(_:)`` for a record that
/// cannot be decoded, and ``NetworkError/responseError(_:)`` around a ``StreamingError``.
public struct StreamedElements<Base: AsyncSequence>: AsyncSequence, Sendable where Base.Element: Sendable {
    /// What the body is read as.
    public typealias Element = Base.Element
    /// The error that ended the stream: a ``NetworkError``.
    public typealias Failure = any Error

    fileprivate let open: @Sendable () async throws(NetworkError) -> StreamingResponse
    fileprivate let read: @Sendable (StreamingResponse) -> Base

    /// Starts reading; the call is made when the first element is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(open: open, read: read) }

    /// Makes the call and reads what it streams.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate var open: (@Sendable () async throws(NetworkError) -> StreamingResponse)?
        fileprivate let read: @Sendable (StreamingResponse) -> Base
        private var elements: Base.AsyncIterator?
        private var head: CollectedResponse?

        fileprivate init(
            open: @escaping @Sendable () async throws(NetworkError) -> StreamingResponse,
            read: @escaping @Sendable (StreamingResponse) -> Base
        ) {
            self.open = open
            self.read = read
        }

        /// The next element, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next element.
        /// - Throws: ``NetworkError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Base.Element? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Base.Element? {
            if let open = open.take() {
                let response = try await open()
                head = response.head
                elements = read(response).makeAsyncIterator()
            }
            do {
                if let element = try await elements?.next(isolation: actor) { return element }
                elements = nil
                return nil
            } catch {
                elements = nil
                throw NetworkError(streaming: error, head)
            }
        }
    }
}

extension NetworkError {
    /// The error for one that was met while a body was read.
    package init(streaming error: any Error, _ head: CollectedResponse?) {
        guard let head else {
            self.init(error, method: "", url: "", limit: 0)
            return
        }
        if let failure = error as? RecordFailure {
            self = .decodingError(failure.failure(of: head))
        } else if error is StreamingError {
            self = .responseError(
                ResponseFailure(
                    error, context: FailureContext(method: head.method, url: head.url, attempts: head.attempts),
                    response: head))
        } else {
            self.init(error, method: head.method, url: head.url, limit: 0, attempts: head.attempts)
        }
    }
}

extension Call {
    /// What the call streams, read in a form of your choice, as a sequence that makes the call when it is iterated.
    ///
    /// ```swift
    /// for try await line in client.call(.get, "log").streaming({ $0.lines() }) { print(line) }
    /// ```
    /// - Parameter read: Reads the response: as its lines, its records, its events.
    /// - Returns: The sequence: cold, one call for each iteration.
    public func streaming<Base: AsyncSequence>(
        _ read: @escaping @Sendable (StreamingResponse) -> Base
    ) -> StreamedElements<Base> where Base.Element: Sendable {
        StreamedElements(open: { () async throws(NetworkError) in try await openStream() }, read: read)
    }
}
