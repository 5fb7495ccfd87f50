// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// With these `localizedDescription` says what happened, in Foundation's words as in ours.

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
