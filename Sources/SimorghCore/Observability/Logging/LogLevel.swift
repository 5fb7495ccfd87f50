// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The amount of information in the log.
public enum LogLevel: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing.
    case none
    /// Failed calls only.
    case failures
    /// Requests, with method and URL, and failures.
    case minimal
    /// Also heads and statuses, decisions of the client, and events of connections and downloads.
    case standard
    /// Also bodies, frames and progress.
    case verbose

    /// Returns true if the left level logs less than the right one.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

extension LogLevel {
    /// Everything; the same as ``verbose``.
    public static var all: LogLevel { .verbose }
    /// Everything; the same as ``verbose``, named as the level of a logger.
    public static var debug: LogLevel { .verbose }
}
