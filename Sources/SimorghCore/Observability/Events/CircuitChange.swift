// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A circuit breaker opened or closed.
public struct CircuitChange: Sendable, Hashable {
    /// The origin: scheme, host and port.
    public let origin: String
    /// True if requests to the origin fail immediately from now on.
    public let isOpen: Bool

    package init(origin: String, isOpen: Bool) {
        self.origin = origin
        self.isOpen = isOpen
    }
}
