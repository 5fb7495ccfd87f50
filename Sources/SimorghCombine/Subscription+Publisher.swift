// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension SubscriptionEvents {
    /// The events as a publisher: a subscription for each subscriber, and no event taken before it is asked for.
    ///
    /// Cancelling the Combine subscription tells the server, and closes a connection that nobody else needs.
    ///
    /// - Parameter queue: Where events and the end are delivered; the main queue by default.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Event, SubscriptionError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension SubscriptionUpdates {
    /// The events and changes as a publisher: a subscription for each subscriber, and nothing taken before it is asked for.
    ///
    /// - Parameter queue: Where they and the end are delivered; the main queue by default.
    /// - Returns: The publisher.
    public func publisher(
        on queue: CallbackQueue = .main
    ) -> AnyPublisher<SubscriptionUpdate<Event>, SubscriptionError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension SubscriptionConnection {
    /// Everything that comes from each subscriber's beginning on; all share the connection's one subscription.
    ///
    /// - Parameter queue: Where events and the end are delivered; the main queue by default.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Router.Event, SubscriptionError> {
        Deferred { self.events().publisher(on: queue) }.eraseToAnyPublisher()
    }
}

extension APIClient {
    /// The events of a subscription, for each subscriber, on the client's callback queue.
    ///
    /// It connects and subscribes for each, and ends both when the Combine subscription is cancelled.
    ///
    /// - Parameters:
    ///   - router: Where to connect, what to say, and how to read what comes.
    ///   - options: How it connects, waits, and keeps what is not taken yet.
    ///   - decoder: Decodes the events; the client's by default.
    /// - Returns: The publisher: cold.
    @_disfavoredOverload
    public func subscribe<Router: SubscriptionRouter>(
        _ router: Router, options: SubscriptionOptions = SubscriptionOptions(), decoder: JSONDecoder? = nil
    ) -> AnyPublisher<Router.Event, SubscriptionError> {
        let events: SubscriptionEvents<Router.Event> = subscribe(router, options: options, decoder: decoder)
        return events.publisher(on: configuration.callbackQueue)
    }
}
