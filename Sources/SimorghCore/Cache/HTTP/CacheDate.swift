// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The time of a field that decides whether a response is fresh, read once for whoever asks for it.
///
/// Only what RFC 9110, section 5.6.7, spells out is a date here, while other fields are read as kindly as can be: what cannot
/// be read means "expired", and a kind reading would keep a response that its server did not want kept.
package enum CacheDate: Sendable, Equatable {
    /// There is no such field, or it has several lines.
    case none
    /// It is this one, in milliseconds since 1970.
    case at(Int64)
    /// It has another form, or none: of a year of two digits the time tells at which somebody asks which one it is.
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
