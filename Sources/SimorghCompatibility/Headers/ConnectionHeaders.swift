// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The values of `Connection`: options for this connection.
public enum ConnectionHeaders: Sendable, Hashable {
    /// `keep-alive`
    case keepAlive
    /// `close`
    case close
    /// Any other value.
    case custom(String)

    /// The header's name.
    public static let name = "connection"

    /// The header's value.
    public var value: String {
        switch self {
        case .keepAlive: "keep-alive"
        case .close: "close"
        case .custom(let value): value
        }
    }
}
