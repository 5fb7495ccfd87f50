// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What the connection of subscriptions is doing.
public enum SubscriptionState: Sendable, Hashable {
    /// It has not been wanted yet.
    case idle
    /// It is being opened, for the n-th time in a row, from 1.
    case connecting(attempt: Int)
    /// It is open, and its handshake is done.
    case connected
    /// It was lost, and waits before it is opened again.
    case reconnecting(attempt: Int, delay: Duration)
    /// It was closed, or given up.
    case disconnected
}
