// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Whether there is a way to the internet, and through what.
public enum Connectivity: Sendable, Hashable, CustomStringConvertible {
    /// There is none.
    case disconnected
    /// There is one.
    case connected(NetworkType)

    /// Whether there is a way.
    public var isConnected: Bool { self != .disconnected }

    /// What it is, in a word or two.
    public var description: String {
        switch self {
        case .disconnected: "disconnected"
        case .connected(let type): "connected: \(type.rawValue)"
        }
    }
}
