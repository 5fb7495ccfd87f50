// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension HTTPDate {
    /// Parses the date in a cookie attribute, more leniently than other HTTP dates (RFC 6265bis, section 5.1.1).
    ///
    /// - Parameter text: The bytes of the attribute's value.
    /// - Returns: The date, or `nil` if it cannot be parsed.
    package static func cookie(_ text: ArraySlice<UInt8>) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var (day, month, year): (Int?, Int?, Int?)
        for token in text.split(whereSeparator: isDelimiter) {
            // The order matters: an ambiguous token is taken for the first part that is still missing.
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let time, let day, let month, let year, year >= 1601, time.hour < 24, time.minute < 60, time.second < 60,
            (1...days(inMonth: month, of: year)).contains(day)
        else { return nil }
        let seconds = seconds(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the number at the beginning of a token, if it has an allowed number of digits.
    private static func number(_ token: ArraySlice<UInt8>, digits allowed: ClosedRange<Int>) -> Int? {
        let digits = token.prefix(while: ByteSet.digits.contains)
        guard allowed.contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func clock(_ token: ArraySlice<UInt8>) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        // Only the last number may be followed by other characters.
        guard parts.count == 3, parts[0].allSatisfy(ByteSet.digits.contains),
            parts[1].allSatisfy(ByteSet.digits.contains),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func monthNumber(_ token: ArraySlice<UInt8>) -> Int? {
        token.count < 3 ? nil : month(token.prefix(3))
    }
}
