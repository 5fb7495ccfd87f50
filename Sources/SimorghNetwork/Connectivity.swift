// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The availability of a route to the internet, and the kind of network it uses.
public enum Connectivity: Sendable, Hashable, CustomStringConvertible {
    /// There is no route to the internet.
    case disconnected
    /// There is a route to the internet.
    case connected(NetworkType)

    /// True if there is a route to the internet.
    public var isConnected: Bool { self != .disconnected }

    /// A short description.
    public var description: String {
        switch self {
        case .disconnected: "disconnected"
        case .connected(let type): "connected: \(type.rawValue)"
        }
    }
}
