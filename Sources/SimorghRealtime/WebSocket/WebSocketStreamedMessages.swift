// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The messages of a ``WebSocketConnection``, each as a sequence of parts.
///
/// Only one task may read at a time.
public struct WebSocketStreamedMessages: AsyncSequence, Sendable {
    /// A message; read it before the next one.
    public typealias Element = WebSocketFragments
    /// The error that ended the connection: a ``WebSocketError``.
    public typealias Failure = any Error

    private let connection: WebSocketConnection
    private let queue: FragmentQueue?

    init(_ connection: WebSocketConnection, queue: FragmentQueue?) {
        self.connection = connection
        self.queue = queue
    }

    /// Returns an iterator; it does not repeat messages that were already read.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection, queue: queue) }

    /// The iterator of the messages.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        /// Keeps the connection alive while the stream is read.
        fileprivate let connection: WebSocketConnection
        fileprivate let queue: FragmentQueue?

        /// Returns the next message, or `nil` if the connection was closed.
        ///
        /// Skips the unread rest of the previous message.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next message.
        /// - Throws: ``WebSocketError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> WebSocketFragments? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(WebSocketError)
            -> WebSocketFragments?
        {
            guard let queue else {
                throw WebSocketError(
                    .invalidArgument, message: "streamedMessages() requires WebSocketOptions.streamsMessages")
            }
            return try await queue.next()
        }
    }
}
