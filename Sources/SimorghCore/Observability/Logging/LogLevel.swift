// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How much is written to the log.
public enum LogLevel: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing.
    case none
    /// Calls that failed, and nothing of those that went well.
    case failures
    /// What is asked for: methods and URLs; and what failed.
    case minimal
    /// Also heads and statuses, what the client decides, and the events of connections and downloads.
    case standard
    /// Also bodies, frames and progress.
    case verbose

    /// Whether less is written than at another level.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

extension LogLevel {
    /// Everything; the same as ``verbose``.
    public static var all: LogLevel { .verbose }
    /// Everything; the same as ``verbose``, for those who think in a logger's levels.
    public static var debug: LogLevel { .verbose }
}
