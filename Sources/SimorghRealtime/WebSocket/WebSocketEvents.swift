// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The events of a ``WebSocketConnection`` since the stream was created.
///
/// Only one task may read at a time.
public struct WebSocketEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = WebSocketEvent
    /// The error that ended the connection: a ``WebSocketError``.
    public typealias Failure = any Error

    private let observation: WebSocketObserverHandle

    init(_ observation: WebSocketObserverHandle) { self.observation = observation }

    /// The number of events that were dropped because the stream was read too slowly.
    public var dropped: Int { observation.dropped }

    /// The error of the last ``WebSocketEvent/reconnecting(attempt:delay:)`` that was read from this stream.
    ///
    /// It is `nil` before the first such event, and for ``WebSocketConnection/reconnect()``.
    public var reason: WebSocketError? { observation.reason }

    /// Returns an iterator; it does not repeat events that were already read.
    public func makeAsyncIterator() -> Iterator { Iterator(observation: observation) }

    /// The iterator of the events.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate let observation: WebSocketObserverHandle

        /// Returns the next event, or `nil` if the connection was closed.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next event.
        /// - Throws: ``WebSocketError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> WebSocketEvent? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(WebSocketError)
            -> WebSocketEvent?
        {
            try await observation.next()
        }
    }
}
