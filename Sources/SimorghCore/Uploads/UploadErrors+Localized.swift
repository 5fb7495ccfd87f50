// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With this conformance, Foundation's `localizedDescription` returns our description.

extension FileUploadStore.Failure: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
