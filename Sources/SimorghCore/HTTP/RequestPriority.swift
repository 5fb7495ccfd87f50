// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How soon a request gets a connection where others wait for one, too, and what the server is told of its urgency.
///
/// A priority other than ``normal`` is told in the field `Priority` (RFC 9218), unless the request has one of its own:
/// `u=0` for ``critical``, `u=1` for ``high``, `u=6` for ``low``, each with `i` where the body is streamed and so of use as
/// it comes.
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
