// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A subscription with a connection of its own, for as many listeners as there are.
///
/// ```swift
/// let trades = try client.subscription(Trades())
/// trades.connect()
/// for try await trade in trades.events() { print(trade) }
/// await trades.disconnect()
/// ```
/// All listeners share one subscription, which is said again on each connection. When the last of them has gone, or
/// ``disconnect()`` is called, the server is told, and the connection is closed.
public final class SubscriptionConnection<Router: SubscriptionRouter>: Sendable {
    private let core: SubscriptionCore<Router>

    init(_ core: SubscriptionCore<Router>) { self.core = core }

    deinit { core.abandon() }

    /// What the connection is doing.
    public var state: SubscriptionState { core.hub.status }

    /// Connects and subscribes; one that is connected already stays so.
    public func connect() { core.connect() }

    /// Tells the server, waits for its word as long as the options say, and closes: listeners see the end.
    public func disconnect() async {
        core.disconnect()
        await core.hub.ended()
    }

    /// Leaves the connection of now, or the wait for the next, and connects at once.
    public func reconnect() { core.reconnect() }

    /// Everything that comes from now on, be it listened to yet or not.
    ///
    /// Where ``connect()`` was never called, listening does. After the end it is empty, until ``connect()`` begins anew.
    ///
    /// - Returns: The events; two iterations of one sequence share them out, so call this again for another listener.
    public func events() -> SubscriptionEvents<Router.Event> {
        let seat = core.seat()
        return SubscriptionEvents(read: core.read) { [core] in
            core.listen()
            return seat
        }
    }
}
