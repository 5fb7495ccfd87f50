// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// Makes `localizedDescription` report the error's own description on every platform.

extension TokenRefreshError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension CircuitOpenError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension RateLimitExceededError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
