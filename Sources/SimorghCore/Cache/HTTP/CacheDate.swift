// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The time in a field that decides whether a response is fresh (`Date`, `Expires`, `Last-Modified`), parsed once.
///
/// Only the forms of RFC 9110, section 5.6.7, are dates here, while other fields are parsed leniently: a text that is no date
/// means "expired", and a lenient parser would keep a response that its server did not want kept.
package enum CacheDate: Sendable, Equatable {
    /// There is no such field, or it has several lines.
    case none
    /// The time, in milliseconds since 1970.
    case at(Int64)
    /// A text in another form, or no date. It is parsed when its value is asked for, since the century of a year of two digits
    /// depends on the time.
    case text(String)

    package init(_ name: HTTPField.Name, of fields: HTTPFields) { self.init(fields.only(name)) }

    /// - Parameter line: The only line of the field; `nil` if there is none, or several.
    package init(_ line: String?) {
        guard let line else {
            self = .none
            return
        }
        self = HTTPDate.fixed(line).map { .at(Int64($0) * 1000) } ?? .text(line)
    }

    /// The time in milliseconds since 1970; `nil` where there is none.
    ///
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Returns: The time of the field.
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
