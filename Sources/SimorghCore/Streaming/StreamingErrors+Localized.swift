// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With these conformances, Foundation's `localizedDescription` returns our description.

extension StreamingError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension RecordError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
