// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The elements of a streamed response, as a cold sequence: each iteration makes the call again.
///
/// Every failure is a ``NetworkError``: the error of the call, ``NetworkError/decodingError(_:)`` for a record that
/// cannot be decoded, or ``NetworkError/responseError(_:)`` with a ``StreamingError``.
public struct StreamedElements<Base: AsyncSequence>: AsyncSequence, Sendable where Base.Element: Sendable {
    /// An element of the body.
    public typealias Element = Base.Element
    /// The error that ended the stream: a ``NetworkError``.
    public typealias Failure = any Error

    fileprivate let open: @Sendable () async throws(NetworkError) -> StreamingResponse
    fileprivate let read: @Sendable (StreamingResponse) -> Base

    /// Returns an iterator.
    ///
    /// It makes the call when the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(open: open, read: read) }

    /// Makes the call and reads the elements of the response.
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

        /// Returns the next element, or `nil` at the end.
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
    /// Creates the error for a failure while a body was read.
    package init(streaming error: any Error, _ head: CollectedResponse?) {
        guard let head else {
            self.init(error, method: "", url: "", limit: 0)
            return
        }
        if let failure = error as? RecordError {
            self = .decodingError(failure.failure(of: head))
        } else if error is StreamingError {
            self = .responseError(
                ResponseError(
                    error, context: FailureContext(method: head.method, url: head.url, attempts: head.attempts),
                    response: head))
        } else {
            self.init(error, method: head.method, url: head.url, limit: 0, attempts: head.attempts)
        }
    }
}

extension Call {
    /// Returns the response as a sequence in a format of your choice.
    ///
    /// The call is made when it is iterated.
    ///
    /// ```swift
    /// for try await line in client.call(.get, "log").streaming({ $0.lines() }) { print(line) }
    /// ```
    /// - Parameter read: Reads the response as lines, records or events.
    /// - Returns: The cold sequence: each iteration makes one call.
    public func streaming<Base: AsyncSequence>(
        _ read: @escaping @Sendable (StreamingResponse) -> Base
    ) -> StreamedElements<Base> where Base.Element: Sendable {
        StreamedElements(open: { () async throws(NetworkError) in try await openStream() }, read: read)
    }
}
