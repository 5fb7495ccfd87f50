// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A breaker opened or closed.
public struct CircuitChange: Sendable, Hashable {
    /// The origin: scheme, host and port.
    public let origin: String
    /// Whether its requests fail at once from now on.
    public let isOpen: Bool

    package init(origin: String, isOpen: Bool) {
        self.origin = origin
        self.isOpen = isOpen
    }
}
