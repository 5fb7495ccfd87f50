// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// Dates that decide whether a response is fresh: only what RFC 9110, section 5.6.7, spells out is one.
///
/// Elsewhere a date is read as kindly as can be. Here what cannot be read means "expired", and a kind reading would
/// keep a response that its server did not want kept.
package enum CacheDate {
    /// The time of a field, read once for whoever asks for it.
    package enum Reading: Sendable, Equatable {
        /// There is no such field, or it has several lines.
        case none
        /// It is this one, in milliseconds since 1970.
        case at(Int64)
        /// It has another form, or none: of a year of two digits the time tells at which somebody asks which one it is.
        case text(String)

        package init(_ name: HTTPField.Name, of fields: HTTPFields) { self.init(fields.only(name)) }

        /// - Parameter line: The only line of the field; `nil` if there is none, or several.
        init(_ line: String?) {
            guard let line else {
                self = .none
                return
            }
            if let seconds = HTTPDate.fixed(line) {
                self = .at(Int64(seconds) * 1000)
            } else {
                self = .text(line)
            }
        }

        /// The time in milliseconds since 1970; `nil` where there is none.
        ///
        /// - Parameter now: The time, in milliseconds since 1970.
        /// - Returns: The time of the field.
        package func value(now: Int64) -> Int64? {
            switch self {
            case .none: nil
            case .at(let time): time
            case .text(let text): CacheDate.parse(text, now: now)
            }
        }
    }

    /// The time of a field in milliseconds since 1970; `nil` unless it has one line and that is a date.
    ///
    /// - Parameters:
    ///   - name: The field.
    ///   - fields: The fields of the message.
    ///   - now: The time, in milliseconds since 1970.
    /// - Returns: The time of the field.
    package static func value(_ name: HTTPField.Name, of fields: HTTPFields, now: Int64) -> Int64? {
        fields.only(name).flatMap { parse($0, now: now) }
    }

    /// The time that a text stands for, in milliseconds since 1970.
    package static func parse(_ text: String, now: Int64) -> Int64? {
        if let seconds = HTTPDate.fixed(text) { return Int64(seconds) * 1000 }
        let text = String(text.trimmingBlanks)
        guard isShaped(Array(text.utf8)) else { return nil }
        let date = HTTPDate.parse(text, now: Date(timeIntervalSince1970: Double(now) / 1000))
        return date.map { Int64($0.timeIntervalSince1970) * 1000 }
    }

    /// Whether blanks, commas and dashes stand where they have to, and the zone is the only one there is.
    private static func isShaped(_ bytes: [UInt8]) -> Bool {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else {
            // asctime: `Sun Nov  6 08:49:37 1994`
            return bytes.count == 24
                && blanks(in: bytes[...], at: bytes[8] == 0x20 ? [3, 7, 8, 10, 19] : [3, 7, 10, 19])
        }
        let rest = bytes[(comma + 1)...]
        guard rest.suffix(3).map({ $0 | 0x20 }) == Array("gmt".utf8) else { return false }
        switch rest.count {
        // ` 06 Nov 1994 08:49:37 GMT`
        case 25 where comma == 3: return blanks(in: rest, at: [0, 3, 7, 12, 21])
        // ` 06-Nov-94 08:49:37 GMT`
        case 23 where comma > 5: return blanks(in: rest, at: [0, 10, 19])
        default: return false
        }
    }

    private static func blanks(in bytes: ArraySlice<UInt8>, at places: [Int]) -> Bool {
        bytes.indices.filter { bytes[$0] == 0x20 } == places.map { bytes.startIndex + $0 }
    }
}
