// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A subscription with its own connection, shared by any number of subscribers.
///
/// ```swift
/// let trades = try client.subscription(Trades())
/// trades.connect()
/// for try await trade in trades.events() { print(trade) }
/// await trades.disconnect()
/// ```
/// All subscribers share one subscription, which is sent again on each new connection. When the last subscriber has
/// left, or ``disconnect()`` is called, the server is notified and the connection is closed.
public final class SubscriptionConnection<Router: SubscriptionRouter>: Sendable {
    private let core: SharedSubscription<Router>

    init(_ core: SharedSubscription<Router>) { self.core = core }

    deinit { core.abandon() }

    /// The state of the connection.
    public var state: SubscriptionState { core.hub.status }

    /// Connects and subscribes; does nothing if already connected.
    public func connect() { core.connect() }

    /// Unsubscribes, waits for the server's confirmation within the options' timeout, and closes the connection.
    ///
    /// The streams of all subscribers end.
    public func disconnect() async {
        core.disconnect()
        await core.hub.ended()
    }

    /// Drops the current connection, or the wait for the next attempt, and connects immediately.
    public func reconnect() { core.reconnect() }

    /// Returns the events from now on, including those that arrive before the iteration begins.
    ///
    /// Iterating connects if ``connect()`` was never called. After the end, new sequences are empty until
    /// ``connect()`` is called again.
    ///
    /// - Returns: The events. Two iterations of one sequence share the events between them, so call this method again
    ///   for another subscriber.
    public func events() -> SubscriptionEvents<Router.Event> {
        let subscriber = core.addSubscriber()
        return SubscriptionEvents(read: core.read) { [core] in
            core.listen()
            return subscriber
        }
    }
}
