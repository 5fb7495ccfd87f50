// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// What happens on a ``WebSocketConnection``, from when the stream was made; read by one task at a time.
public struct WebSocketEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = WebSocketEvent
    /// The error that ended the connection: a ``WebSocketError``.
    public typealias Failure = any Error

    private let observation: WebSocketObservation

    init(_ observation: WebSocketObservation) { self.observation = observation }

    /// How many events were dropped because the stream was read too slowly.
    public var dropped: Int { observation.dropped }

    /// Why the connection was lost, or could not be made, that the last ``WebSocketEvent/reconnecting(attempt:delay:)`` taken
    /// from this stream tells of; `nil` before the first, and for ``WebSocketConnection/reconnect()``.
    public var reason: WebSocketError? { observation.reason }

    /// Starts reading; what was read before does not come again.
    public func makeAsyncIterator() -> Iterator { Iterator(observation: observation) }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate let observation: WebSocketObservation

        /// The next event, or `nil` when the connection was closed.
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
