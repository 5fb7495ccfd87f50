// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The parts of one message as they come; read once, by one reader.
public struct WebSocketParts: AsyncSequence, Sendable {
    /// Some bytes of the message, never empty; those of a text may be cut within a character.
    public typealias Element = Data
    /// The error that ended the connection within the message: a ``WebSocketError``.
    public typealias Failure = any Error

    /// Whether the message is text; what came of it so far is valid UTF-8.
    public let kind: WebSocketMessage.Kind
    private let take: @Sendable () async throws(WebSocketError) -> Data?

    /// Creates a message in parts.
    ///
    /// - Parameters:
    ///   - kind: Whether it is text.
    ///   - next: Waits for the next part; gives `nil` at the end of the message.
    public init(
        kind: WebSocketMessage.Kind, next: @escaping @Sendable () async throws(WebSocketError) -> Data?
    ) {
        self.kind = kind
        take = next
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(take: take) }

    /// Reads a message part by part.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate let take: @Sendable () async throws(WebSocketError) -> Data?

        /// The next part, or `nil` at the end of the message.
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
