// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The events and changes of a subscription as an asynchronous sequence.
public struct SubscriptionUpdates<Event: Sendable>: AsyncSequence, Sendable {
    /// An event, or a change.
    public typealias Element = SubscriptionUpdate<Event>
    /// The error that ended the subscription: a ``SubscriptionError``.
    public typealias Failure = any Error

    let open: @Sendable () -> SubscriberLifetime
    let read: @Sendable (SubscriptionPayload) throws -> Event?

    /// Returns an iterator and starts the subscription at its first read.
    public func makeAsyncIterator() -> Iterator { Iterator(open: open, read: read) }

    /// The iterator of the events and changes.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        private let open: @Sendable () -> SubscriberLifetime
        private let read: @Sendable (SubscriptionPayload) throws -> Event?
        private var subscriber: SubscriberLifetime?

        fileprivate init(
            open: @escaping @Sendable () -> SubscriberLifetime,
            read: @escaping @Sendable (SubscriptionPayload) throws -> Event?
        ) {
            self.open = open
            self.read = read
        }

        /// Returns the next event or change; `nil` if the server completed the subscription, or this side closed it.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The event or change.
        /// - Throws: ``SubscriptionError``, once; later calls return `nil`.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> SubscriptionUpdate<Event>? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(SubscriptionError)
            -> SubscriptionUpdate<Event>?
        {
            let subscriber = self.subscriber ?? open()
            self.subscriber = subscriber
            while let item = try await subscriber.buffer.next() {
                switch item {
                case .missed(let count): return .missed(count)
                case .notice(.subscribed(let isResumed)): return isResumed ? .resumed : .subscribed
                case .notice(.interrupted(let error, let wait)): return .interrupted(error, retryAfter: wait)
                case .payload(let payload):
                    do {
                        if let event = try read(payload) { return .event(event) }
                    } catch {
                        subscriber.buffer.leave(
                            SubscriptionError(
                                .decodingFailed, causedBy: error, message: "an event could not be decoded"))
                    }
                }
            }
            return nil
        }
    }
}

/// The lifetime of a subscriber: releasing it unsubscribes.
package final class SubscriberLifetime: Sendable {
    let buffer: SubscriptionBuffer

    package init(_ buffer: SubscriptionBuffer) { self.buffer = buffer }

    deinit { buffer.leave() }
}
