// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With these conformances `localizedDescription` returns the description.

extension CassetteMismatchError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension LeakedResourcesError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension UnmetExpectationsError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension UnmatchedRequestError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
