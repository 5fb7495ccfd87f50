// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The date formats of header fields (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let weekdays = longWeekdays.map { String($0.prefix(3)) }
    private static let weekdayLetters = weekdays.map { letters($0.utf8) }
    private static let monthLetters = months.map { letters($0.utf8) }
    /// The letters of `gmt`, as ``letters(_:at:)`` returns them.
    private static let zoneLetters: UInt32 = 0x67_6D74

    /// The days of 400 years: the Gregorian calendar repeats after them (an *era*).
    private static let daysOfEra = 146_097
    /// The days from March 1 of the year 0 to January 1, 1970.
    private static let daysBefore1970 = 719_468

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Formats a date like `Sun, 06 Nov 1994 08:49:37 GMT`; dates outside the years 1 to 9999 are clamped.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        guard seconds == seconds else { return text(0) }
        return text(Int64(min(max(seconds, -62_135_596_800), 253_402_300_799).rounded(.down)))
    }

    /// Formats a time in seconds since 1970 like `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ seconds: Int64) -> String {
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let time = Int(seconds - Int64(days) * 86_400)
        // Days are counted from March 1 of the year 0, so that a leap day is the last day of its year.
        let shifted = days + daysBefore1970
        // Rounds toward the earlier era, also for dates before the year 0.
        let era = (shifted >= 0 ? shifted : shifted - (daysOfEra - 1)) / daysOfEra
        let dayOfEra = shifted - era * daysOfEra
        // Subtracts the leap days: the last day of four years (1460), except in the last year of a century (36_524),
        // but also in the last year of the era (146_096).
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        // January 1, 1970 was a Thursday, which has the index 4; adding 7 avoids a negative remainder.
        let weekday = ((days % 7) + 7 + 4) % 7
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(weekdays[weekday]), \(padded(day, to: 2)) \(months[month - 1]) \(padded(year, to: 4)) \(clock) GMT"
    }

    /// Parses a date in any of the three formats that a recipient must accept; returns `nil` for any other text.
    ///
    /// Case is ignored, the weekday need not match the date, the number of spaces may vary, and the zone may be `UTC`.
    ///
    /// - Parameters:
    ///   - text: The field value, without leading and trailing whitespace.
    ///   - now: The current date, which decides the century of a two-digit year: a date more than 50 years in the
    ///     future is taken as past.
    /// - Returns: The date.
    package static func parse(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        // IMF-fixdate and RFC 850 have a comma after the weekday; asctime does not.
        var parts = text.cut(at: ",").map { $0.cut(at: " ", keepsEmpty: false) }
        if parts.count == 1, parts[0].count == 5, parts[0][2].utf8.count == 1 { parts[0][2] = " " + parts[0][2] }
        if parts.count == 2, parts[1].last?.lowercased() == "utc" { parts[1][parts[1].count - 1] = "GMT" }
        let strict = parts.map { $0.joined(separator: " ") }.joined(separator: ", ")
        return seconds(strict, now: now).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Parses a date in one of the three formats, with spaces exactly as in RFC 9110 and the zone `GMT`.
    ///
    /// - Parameters:
    ///   - text: The field value, without leading and trailing whitespace.
    ///   - now: The current date, which decides the century of a two-digit year, as in ``parse(_:now:)``.
    /// - Returns: The seconds since 1970; `nil` for any other text.
    package static func seconds(_ text: String, now: Date) -> Int64? {
        var text = text
        return text.withUTF8 { imfFixdate($0) ?? obsolete($0, now: now) }
    }

    /// Parses a date in the preferred format, `Sun, 06 Nov 1994 08:49:37 GMT`, and returns the seconds since 1970.
    ///
    /// It allocates nothing, and nearly all dates have this format. If it returns `nil`, call ``seconds(_:now:)``,
    /// which also parses the other formats.
    package static func imfFixdate(_ text: String) -> Int64? {
        guard text.utf8.count == 29 else { return nil }
        var text = text
        return text.withUTF8 { imfFixdate($0) }
    }

    private static func imfFixdate(_ bytes: Bytes) -> Int64? {
        guard bytes.count == 29, weekdayLetters.contains(letters(bytes, at: 0)), bytes[3] == UInt8(ascii: ","),
            bytes[4] == 0x20, bytes[7] == 0x20, bytes[11] == 0x20, bytes[16] == 0x20, bytes[25] == 0x20,
            letters(bytes, at: 26) == zoneLetters, let day = number(bytes, in: 5..<7),
            let year = number(bytes, in: 12..<16)
        else { return nil }
        return seconds(bytes, year: year, monthAt: 8, day: day, clockAt: 17)
    }

    /// Parses the two obsolete formats, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov 6 08:49:37 1994`.
    private static func obsolete(_ bytes: Bytes, now: Date) -> Int64? {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else {
            guard bytes.count == 24, weekdayLetters.contains(letters(bytes, at: 0)),
                [3, 7, 10, 19].allSatisfy({ bytes[$0] == 0x20 }), let year = number(bytes, in: 20..<24),
                let day = number(bytes, in: bytes[8] == 0x20 ? 9..<10 : 8..<10)
            else { return nil }
            return seconds(bytes, year: year, monthAt: 4, day: day, clockAt: 11)
        }
        let rest = comma + 1
        // The longest weekday is “Wednesday”.
        guard comma <= 9, bytes.count == rest + 23 else { return nil }
        let weekday = String(decoding: bytes[..<comma], as: UTF8.self).lowercased()
        guard longWeekdays.contains(where: { $0.lowercased() == weekday }),
            [0, 10, 19].allSatisfy({ bytes[rest + $0] == 0x20 }),
            [3, 7].allSatisfy({ bytes[rest + $0] == UInt8(ascii: "-") }), letters(bytes, at: rest + 20) == zoneLetters,
            let day = number(bytes, in: rest + 1..<rest + 3), let short = number(bytes, in: rest + 8..<rest + 10)
        else { return nil }
        return seconds(bytes, year: year(short, now: now), monthAt: rest + 4, day: day, clockAt: rest + 11)
    }

    /// Returns the seconds since 1970 of a date whose month and time of day are at the given offsets.
    private static func seconds(_ bytes: Bytes, year: Int, monthAt: Int, day: Int, clockAt clock: Int) -> Int64? {
        guard let month = monthLetters.firstIndex(of: letters(bytes, at: monthAt)).map({ $0 + 1 }), day >= 1,
            day <= days(inMonth: month, of: year), bytes[clock + 2] == UInt8(ascii: ":"),
            bytes[clock + 5] == UInt8(ascii: ":"), let hour = number(bytes, in: clock..<clock + 2),
            let minute = number(bytes, in: clock + 3..<clock + 5),
            let second = number(bytes, in: clock + 6..<clock + 8),
            hour < 24, minute < 60, second <= 60  // A leap second is the first second of the next minute.
        else { return nil }
        return seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Returns the number of a month, from 1, by the three letters of its name in either case.
    package static func month(_ name: some Sequence<UInt8>) -> Int? {
        monthLetters.firstIndex(of: letters(name)).map { $0 + 1 }
    }

    /// Returns three letters as one number, the same for either case.
    private static func letters(_ name: some Sequence<UInt8>) -> UInt32 {
        name.reduce(0) { $0 << 8 | UInt32($1 | 0x20) }
    }

    private static func letters(_ bytes: Bytes, at index: Int) -> UInt32 {
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) | 0x20_2020
    }

    private static func number(_ bytes: Bytes, in range: Range<Int>) -> Int? {
        var number = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// Returns the number of days in a month.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the seconds since 1970 of a calendar date; its components must be in range.
    package static func seconds(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Int64 {
        // As above, a year begins in March.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * daysOfEra + dayOfEra - daysBefore1970
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// Returns the full year of a two-digit year.
    private static func year(_ short: Int, now: Date) -> Int {
        let text = text(now)
        let thisYear = Int(text.dropFirst(12).prefix(4)) ?? 1970
        let year = thisYear / 100 * 100 + short
        if year > thisYear + 50 { return year - 100 }
        return year + 100 <= thisYear + 50 ? year + 100 : year
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
