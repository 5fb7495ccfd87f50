// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The events of a subscription as an asynchronous sequence.
///
/// It goes on when a connection is lost and made again. It ends where the server completes the subscription, and throws
/// where the server refuses or fails it, or no connection is to be had any more. Leaving the loop, or cancelling its task,
/// unsubscribes.
public struct SubscriptionEvents<Event: Sendable>: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = Event
    /// The error that ended the subscription: a ``SubscriptionError``.
    public typealias Failure = any Error

    /// The same, with interruptions and what else there is to know.
    public let updates: SubscriptionUpdates<Event>

    init(
        read: @escaping @Sendable (SubscriptionPayload) throws -> Event?,
        open: @escaping @Sendable () -> SubscriptionSeat
    ) {
        updates = SubscriptionUpdates(open: open, read: read)
    }

    /// Starts listening.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: updates.makeAsyncIterator()) }

    /// Takes event after event.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate var updates: SubscriptionUpdates<Event>.Iterator

        /// The next event; `nil` when the server has completed the subscription, or it was closed from here.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The event.
        /// - Throws: ``SubscriptionError``; once, and then it is over.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Event? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(SubscriptionError)
            -> Event?
        {
            while let update = try await updates.typedNext(isolation: actor) {
                if case .event(let event) = update { return event }
            }
            return nil
        }
    }
}
