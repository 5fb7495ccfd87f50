// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The messages of a ``WebSocketConnection``, each in parts as they come; read by one task at a time.
public struct WebSocketMessagesInParts: AsyncSequence, Sendable {
    /// A message, to be read before the next is asked for.
    public typealias Element = WebSocketParts
    /// The error that ended the connection: a ``WebSocketError``.
    public typealias Failure = any Error

    private let connection: WebSocketConnection
    private let desk: WebSocketPartsDesk?

    init(_ connection: WebSocketConnection, _ desk: WebSocketPartsDesk?) {
        self.connection = connection
        self.desk = desk
    }

    /// Starts reading; what was read before does not come again.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection, desk: desk) }

    /// Reads messages.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        /// Held as long as somebody reads.
        fileprivate let connection: WebSocketConnection
        fileprivate let desk: WebSocketPartsDesk?

        /// The next message, or `nil` when the connection was closed.
        ///
        /// What was not read of the message before is skipped.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next message.
        /// - Throws: ``WebSocketError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> WebSocketParts? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(WebSocketError)
            -> WebSocketParts?
        {
            guard let desk else {
                throw WebSocketError(
                    .invalidArgument, message: "the options of the connection do not say that it receives in parts")
            }
            return try await desk.next()
        }
    }
}
