// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With these conformances `localizedDescription` returns the description.

extension CassetteMismatch: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension LeakedResources: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension UnmetExpectations: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension UnscriptedRequest: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
