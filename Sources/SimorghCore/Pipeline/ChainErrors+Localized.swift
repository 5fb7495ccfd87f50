// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With these `localizedDescription` says what happened, in Foundation's words as in ours.

extension TokenRefreshFailure: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension CircuitOpen: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension RateLimitExceeded: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
