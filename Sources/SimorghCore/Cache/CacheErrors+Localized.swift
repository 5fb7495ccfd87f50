// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// Makes `localizedDescription` report the error's own description on every platform.

extension BlobDamagedError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
