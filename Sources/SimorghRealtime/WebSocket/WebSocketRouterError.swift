// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Why a ``WebSocketRouter`` names nothing that can be connected to; nothing has left this machine.
@nonexhaustive
public enum WebSocketRouterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The base URL, the path, the query or a header field is not one.
    case invalidURL(InvalidRequest)
    /// The base URL's scheme is this one, and neither `ws` nor `wss`.
    case invalidScheme(String)

    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .invalidURL(let reason): reason.message
        case .invalidScheme(let scheme): "the scheme of a WebSocket is ws or wss, and not \(scheme)"
        }
    }
}
