// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The position of a ``Plugin`` in the order of plugins: smaller numbers run first.
///
/// A relative position is arithmetic: `.authBearer + 1` runs right after the bearer token.
public struct PluginPriority: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: Int

    /// `Plugins.Basic`: 100.
    public static let authBasic: PluginPriority = 100
    /// `Plugins.Bearer`: 200.
    public static let authBearer: PluginPriority = 200
    /// `Plugins.JSONHeaders`: 225.
    public static let jsonHeaders: PluginPriority = 225
    /// `Plugins.LogOS`: 249.
    public static let curlOS: PluginPriority = 249
    /// `Plugins.Log`: 250.
    public static let curl: PluginPriority = 250
    /// `Plugins.StatusCode`: 300.
    public static let statusCode: PluginPriority = 300

    /// Creates a priority.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates a priority from a number.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int) { self.init(rawValue: value) }

    /// Returns true if the left priority runs before the right one.
    public static func < (left: PluginPriority, right: PluginPriority) -> Bool { left.rawValue < right.rawValue }

    /// Returns a later priority, clamped to the range of `Int`.
    public static func + (left: PluginPriority, right: PluginPriority) -> PluginPriority {
        let (sum, overflows) = left.rawValue.addingReportingOverflow(right.rawValue)
        return PluginPriority(rawValue: overflows ? (right.rawValue > 0 ? .max : .min) : sum)
    }

    /// Returns an earlier priority, clamped to the range of `Int`.
    public static func - (left: PluginPriority, right: PluginPriority) -> PluginPriority {
        let (difference, overflows) = left.rawValue.subtractingReportingOverflow(right.rawValue)
        return PluginPriority(rawValue: overflows ? (right.rawValue > 0 ? .min : .max) : difference)
    }
}
