// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The events of a subscription as an asynchronous sequence.
///
/// It continues across reconnections. It ends when the server completes the subscription, and throws when the server
/// rejects the subscription or fails it, or when reconnecting is given up. Leaving the loop or cancelling its task
/// unsubscribes.
public struct SubscriptionEvents<Event: Sendable>: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = Event
    /// The error that ended the subscription: a ``SubscriptionError``.
    public typealias Failure = any Error

    /// The events together with interruptions and other changes of the subscription.
    public let updates: SubscriptionUpdates<Event>

    init(
        read: @escaping @Sendable (SubscriptionPayload) throws -> Event?,
        open: @escaping @Sendable () -> SubscriberLifetime
    ) {
        updates = SubscriptionUpdates(open: open, read: read)
    }

    /// Returns an iterator and starts the subscription at its first read.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: updates.makeAsyncIterator()) }

    /// The iterator of the events.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate var updates: SubscriptionUpdates<Event>.Iterator

        /// Returns the next event; `nil` if the server completed the subscription, or this side closed it.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The event.
        /// - Throws: ``SubscriptionError``, once; later calls return `nil`.
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
