// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error for resources that are still held or running.
public struct LeakedResourcesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The resources, one line each.
    public let leftovers: [String]

    /// The resources, in a sentence.
    public var description: String { "still held or running: \(leftovers.joined(separator: ", "))" }
}
