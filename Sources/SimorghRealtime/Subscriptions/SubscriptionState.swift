// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state of a connection for subscriptions.
public enum SubscriptionState: Sendable, Hashable {
    /// The connection was not started yet.
    case idle
    /// The connection is being opened, as the n-th attempt in a row, counted from 1.
    case connecting(attempt: Int)
    /// The connection is open, and the handshake is complete.
    case connected
    /// The connection was lost, and waits before the next attempt.
    case reconnecting(attempt: Int, delay: Duration)
    /// The connection was closed or given up.
    case disconnected
}
