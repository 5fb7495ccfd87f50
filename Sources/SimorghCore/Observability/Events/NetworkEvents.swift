// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What happens in the calls of a client, from when the stream was made; read by one task at a time.
///
/// It ends when nobody holds the client any more, or the task that reads it is cancelled.
public struct NetworkEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = NetworkEvent
    /// It never fails.
    public typealias Failure = Never

    private let listening: Listening

    package init(_ hub: EventHub, showing rules: RedactionRules, capacity: Int) {
        listening = Listening(hub, showing: rules, capacity: capacity)
    }

    /// How many events were dropped because the stream was read too slowly.
    public var dropped: Int { listening.queue.dropped }

    /// Starts reading; what was read before does not come again.
    public func makeAsyncIterator() -> Iterator { Iterator(listening: listening) }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let listening: Listening

        /// The next event, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next event.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> NetworkEvent? {
            await listening.queue.next()
        }
    }

    /// A listener's place at the hub, which it leaves when nobody reads any more; it does not hold the client.
    fileprivate final class Listening: Sendable {
        let queue: EventQueue
        private let id: Int
        private let leave: @Sendable (Int) -> Void

        init(_ hub: EventHub, showing rules: RedactionRules, capacity: Int) {
            queue = EventQueue(capacity: capacity)
            id = hub.add(queue, showing: rules)
            leave = { [weak hub] in hub?.remove($0) }
        }

        deinit { leave(id) }
    }
}
