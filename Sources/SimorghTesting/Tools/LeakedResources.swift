// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Something was still held or running when it should not have been.
public struct LeakedResources: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was, one line each.
    public let leftovers: [String]

    /// What was, in a sentence.
    public var description: String { "still held or running: \(leftovers.joined(separator: ", "))" }
}
