// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// Makes `localizedDescription` return the same text as `description`.

extension UnsupportedByURLSessionError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
