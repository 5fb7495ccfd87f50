// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How soon a request gets a connection where others wait for one, too.
///
/// It changes nothing on the wire. Where connections are free it changes nothing at all.
public enum RequestPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// After all others: what nobody waits for.
    case low
    /// The default.
    case normal
    /// Before most: what a person waits for.
    case high
    /// Before all others.
    case critical

    /// Whether one waits behind another.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
