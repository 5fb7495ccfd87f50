// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The priority of a request among those that wait for a connection, and its urgency as reported to the server.
///
/// A priority other than ``normal`` is sent in the field `Priority` (RFC 9218), unless the request has its own: `u=0`
/// for ``critical``, `u=1` for ``high``, `u=6` for ``low``. Each has `i` if the body is streamed, and so is useful
/// while it arrives.
public enum RequestPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// After all others: for work in the background.
    case low
    /// The default.
    case normal
    /// Before most others: for work that a person waits for.
    case high
    /// Before all others.
    case critical

    /// Returns true if the left priority waits behind the right one.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
