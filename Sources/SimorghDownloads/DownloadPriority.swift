// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How soon a download's turn comes where others wait, too.
public enum DownloadPriority: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// After all others.
    case low = 0
    /// In its turn.
    case normal
    /// Before those that nobody waits for.
    case high
    /// Before all others.
    case critical

    /// Whether a priority is less urgent than another.
    public static func < (left: DownloadPriority, right: DownloadPriority) -> Bool { left.rawValue < right.rawValue }
}
