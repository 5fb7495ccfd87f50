// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The date in a field that decides about freshness (`Date`, `Expires`, `Last-Modified`), parsed once.
///
/// Only the formats of RFC 9110, section 5.6.7, are accepted, unlike in other fields: an invalid date means "expired",
/// and a lenient parser would store a response that its server did not want to be stored.
package enum CacheDate: Sendable, Equatable {
    /// The field is missing, or has several lines.
    case none
    /// The date, in milliseconds since 1970.
    case at(Int64)
    /// A text in another format, or an invalid date. It is parsed at each use, since the century of a two-digit year
    /// depends on the current date.
    case text(String)

    package init(_ name: HTTPField.Name, of fields: HTTPFields) { self.init(fields.only(name)) }

    /// Creates a date.
    ///
    /// - Parameter line: The only line of the field; `nil` if there is no line, or several.
    package init(_ line: String?) {
        guard let line else {
            self = .none
            return
        }
        self = HTTPDate.imfFixdate(line).map { .at(Int64($0) * 1000) } ?? .text(line)
    }

    /// Returns the date in milliseconds since 1970; `nil` if the field is missing or invalid.
    ///
    /// - Parameter now: The current time, in milliseconds since 1970.
    /// - Returns: The date of the field.
    package func value(now: Int64) -> Int64? {
        switch self {
        case .none: return nil
        case .at(let time): return time
        case .text(let text):
            let now = Date(timeIntervalSince1970: Double(now) / 1000)
            return HTTPDate.seconds(String(text.trimmingBlanks), now: now).map { Int64($0) * 1000 }
        }
    }
}
