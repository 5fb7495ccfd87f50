// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With these conformances, Foundation's `localizedDescription` returns the error's own description.

extension WebSocketError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension WebSocketRouterError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension WebSocketHandshakeError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension SubscriptionError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension GraphQLErrors: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension AppSyncErrors: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension BinanceError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension PhoenixError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension PusherError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension UnknownSubscriptionMessageError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
