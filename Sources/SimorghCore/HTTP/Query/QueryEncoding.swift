// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How the values of a model are written in a query or a form.
public struct QueryEncoding: Sendable, Hashable {
    /// How a point in time is written.
    public enum Dates: Sendable, Hashable {
        /// As `2026-01-31T12:00:00Z`.
        case iso8601
        /// As seconds since 1970, with what is left of one after the point.
        case secondsSince1970
        /// As whole milliseconds since 1970.
        case millisecondsSince1970
    }

    /// How a point in time is written; as ISO 8601 by default.
    public var dates = Dates.iso8601

    /// Creates the default encoding.
    public init() {}
}
