// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The messages of a ``WebSocketConnection``, each decoded from JSON.
///
/// Only one task may read at a time.
public struct WebSocketMessages<Model: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A decoded message.
    public typealias Element = Model
    /// The error that ended the connection, or the decoding error of a message: a ``WebSocketError``.
    public typealias Failure = any Error

    private let events: WebSocketEvents
    private let decoder: JSONDecoder

    init(_ events: WebSocketEvents, decoder: JSONDecoder) {
        self.events = events
        self.decoder = decoder
    }

    /// The number of events that were dropped because the stream was read too slowly.
    public var dropped: Int { events.dropped }

    /// Returns an iterator; it does not repeat messages that were already read.
    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator(), decoder: decoder) }

    /// The iterator of the decoded messages.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate var events: WebSocketEvents.Iterator
        fileprivate let decoder: JSONDecoder

        /// Returns the next message, or `nil` if the connection was closed.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next message.
        /// - Throws: ``WebSocketError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Model? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(WebSocketError) -> Model? {
            while let event = try await events.typedNext(isolation: actor) {
                guard case .message(let message) = event else { continue }
                do {
                    return try message.decoded(as: Model.self, decoder: decoder)
                } catch {
                    throw WebSocketError(
                        .decodingFailed,
                        message: "a message of \(message.byteCount) bytes could not be decoded as \(Model.self)",
                        underlying: error)
                }
            }
            return nil
        }
    }
}
