// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport

extension SubscriptionEvents {
    /// Returns a publisher of the events, with one subscription per subscriber and no event taken before it is
    /// demanded.
    ///
    /// Cancelling the Combine subscription unsubscribes at the server, and closes the connection if no other
    /// subscription uses it.
    ///
    /// - Parameter queue: The queue that delivers the events and the completion. Default: the main queue.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Event, SubscriptionError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension SubscriptionUpdates {
    /// Returns a publisher of the events and changes, with one subscription per subscriber and nothing taken before it
    /// is demanded.
    ///
    /// - Parameter queue: The queue that delivers the updates and the completion. Default: the main queue.
    /// - Returns: The publisher.
    public func publisher(
        on queue: CallbackQueue = .main
    ) -> AnyPublisher<SubscriptionUpdate<Event>, SubscriptionError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension SubscriptionConnection {
    /// Returns a publisher of the events after each subscriber's start; all subscribers share the connection's
    /// subscription.
    ///
    /// - Parameter queue: The queue that delivers the events and the completion. Default: the main queue.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Router.Event, SubscriptionError> {
        Deferred { self.events().publisher(on: queue) }.eraseToAnyPublisher()
    }
}

extension APIClient {
    /// Returns a publisher of a subscription's events, on the client's callback queue.
    ///
    /// It connects and subscribes for each subscriber, and ends both when the Combine subscription is cancelled.
    ///
    /// - Parameters:
    ///   - router: The endpoint, the subscribe message, and the decoding of events.
    ///   - options: The options for connecting, waiting and buffering.
    ///   - decoder: The decoder of the events. Default: the client's.
    /// - Returns: The cold publisher.
    @_disfavoredOverload
    public func subscribe<Router: SubscriptionRouter>(
        _ router: Router, options: SubscriptionOptions = SubscriptionOptions(), decoder: JSONDecoder? = nil
    ) -> AnyPublisher<Router.Event, SubscriptionError> {
        let events: SubscriptionEvents<Router.Event> = subscribe(router, options: options, decoder: decoder)
        return events.publisher(on: configuration.callbackQueue)
    }
}
