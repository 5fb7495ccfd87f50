// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Dates and times in UTC, written in digits.
enum UTCDate {
    /// Returns the date of 14 digits such as `20150830123600`; `nil` for any other bytes.
    static func date(digits bytes: [UInt8]) -> Date? {
        guard bytes.count == 14, bytes.allSatisfy(ByteSet.digits.contains) else { return nil }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        // A minute with a leap second has a second 60.
        guard (1...12).contains(month), (1...HTTPDate.days(inMonth: month, of: year)).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return Date(
            timeIntervalSince1970: Double(
                HTTPDate.seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)))
    }
}
