// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Settings for encoding the values of a model in a query or a form.
public struct QueryEncoding: Sendable, Hashable {
    /// A format for dates.
    public enum Dates: Sendable, Hashable {
        /// As `2026-01-31T12:00:00Z`.
        case iso8601
        /// As seconds since 1970, with a decimal fraction.
        case secondsSince1970
        /// As whole milliseconds since 1970.
        case millisecondsSince1970
    }

    /// The format for dates.
    ///
    /// Default: ISO 8601.
    public var dates = Dates.iso8601

    /// Creates the default encoding.
    public init() {}
}
