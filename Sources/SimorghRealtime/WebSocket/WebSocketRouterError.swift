// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// An error in the URL or header fields that a ``WebSocketRouter`` describes; no request was sent.
@nonexhaustive
public enum WebSocketRouterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The base URL, path, query or a header field is invalid.
    case invalidURL(InvalidRequestError)
    /// The scheme of the base URL is neither `ws` nor `wss`.
    case invalidScheme(String)

    /// A description of the problem and its fix.
    public var description: String {
        switch self {
        case .invalidURL(let reason): reason.message
        case .invalidScheme(let scheme): "the URL scheme of a WebSocket must be ws or wss, not \(scheme)"
        }
    }
}
