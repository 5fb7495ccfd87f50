// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The events in the calls of a client from the creation of the stream on, for one task at a time.
///
/// The stream ends when the client is released, or when the task that reads it is cancelled.
public struct NetworkEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = NetworkEvent
    /// The stream never fails.
    public typealias Failure = Never

    private let registration: Registration

    package init(_ hub: EventBroadcaster, showing rules: RedactionRules, capacity: Int) {
        registration = Registration(hub, showing: rules, capacity: capacity)
    }

    /// The number of events that were dropped because the stream was read too slowly.
    public var dropped: Int { registration.queue.dropped }

    /// Returns an iterator.
    ///
    /// Events that were already read are not repeated.
    public func makeAsyncIterator() -> Iterator { Iterator(registration: registration) }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let registration: Registration

        /// Returns the next event, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next event.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> NetworkEvent? {
            await registration.queue.next()
        }
    }

    /// The registration of a listener, removed when the stream is released.
    ///
    /// It does not retain the client.
    fileprivate final class Registration: Sendable {
        let queue: EventQueue
        private let id: Int
        private let remove: @Sendable (Int) -> Void

        init(_ hub: EventBroadcaster, showing rules: RedactionRules, capacity: Int) {
            queue = EventQueue(capacity: capacity)
            id = hub.add(queue, showing: rules)
            remove = { [weak hub] in hub?.remove($0) }
        }

        deinit { remove(id) }
    }
}
