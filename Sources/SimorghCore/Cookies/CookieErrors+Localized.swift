// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.

extension CookieFileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
