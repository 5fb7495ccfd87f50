// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The priority of a download among the downloads that wait to start.
public enum DownloadPriority: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Starts after all others.
    case low = 0
    /// The default.
    case normal
    /// Starts before downloads of normal priority.
    case high
    /// Starts before all others.
    case critical

    /// Returns true if the left priority is less urgent than the right one.
    public static func < (left: DownloadPriority, right: DownloadPriority) -> Bool { left.rawValue < right.rawValue }
}
