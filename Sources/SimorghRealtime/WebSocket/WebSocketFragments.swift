// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The parts of one message in the order they arrive.
///
/// Read them once, from one task.
public struct WebSocketFragments: AsyncSequence, Sendable {
    /// A part of the message, never empty; a part of a text message may end within a character.
    public typealias Element = Data
    /// The error that ended the connection before the message was complete: a ``WebSocketError``.
    public typealias Failure = any Error

    /// The kind of the message; the parts of a text message are checked to be valid UTF-8.
    public let kind: WebSocketMessage.Kind
    private let take: @Sendable () async throws(WebSocketError) -> Data?

    /// Creates a message from a function that returns its parts.
    ///
    /// - Parameters:
    ///   - kind: The kind of the message.
    ///   - next: Waits for the next part and returns it, or `nil` at the end of the message.
    public init(
        kind: WebSocketMessage.Kind, next: @escaping @Sendable () async throws(WebSocketError) -> Data?
    ) {
        self.kind = kind
        take = next
    }

    /// Returns an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(take: take) }

    /// The iterator of the parts.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate let take: @Sendable () async throws(WebSocketError) -> Data?

        /// Returns the next part, or `nil` at the end of the message.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next part.
        /// - Throws: ``WebSocketError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Data? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(WebSocketError) -> Data? {
            try await take()
        }
    }
}
