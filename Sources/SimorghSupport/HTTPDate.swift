// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Times as header fields give them (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longWeekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    /// A time as `Sun, 06 Nov 1994 08:49:37 GMT`; what lies outside the years 1 to 9999 is moved to their edge.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        guard seconds == seconds else { return text(0) }
        return text(Int(min(max(seconds, -62_135_596_800), 253_402_300_799).rounded(.down)))
    }

    /// A time in seconds since 1970, as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ seconds: Int) -> String {
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let time = seconds - days * 86_400
        // Days are counted from 1 March of the year 0, so that a leap day is the last of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let weekday = ((days % 7) + 7 + 4) % 7
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(weekdays[weekday]), \(padded(day, to: 2)) \(months[month - 1]) \(padded(year, to: 4)) \(clock) GMT"
    }

    /// The time that a text stands for, in any of the three forms that a recipient has to know; `nil` for all else.
    ///
    /// Letters may be of either case, and the weekday's name is not held against the date.
    ///
    /// - Parameters:
    ///   - text: The value of a field, without blanks around it.
    ///   - now: What a year of two digits is told by: one that would lie more than 50 years ahead is in the past.
    /// - Returns: The time.
    package static func parse(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        // IMF-fixdate and RFC 850 have a comma after the weekday, asctime has none.
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let words = parts.map { $0.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" } }
        switch words.count {
        case 2 where words[0].count == 1 && isName(words[0][0], of: weekdays) && words[1].count == 5:
            let rest = words[1]
            guard isZone(rest[4]), let day = number(rest[0], 2...2), let year = number(rest[2], 4...4) else {
                return nil
            }
            return date(year, rest[1], day, rest[3])
        case 2 where words[0].count == 1 && isName(words[0][0], of: longWeekdays) && words[1].count == 3:
            let rest = words[1]
            let fields = rest[0].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard isZone(rest[2]), fields.count == 3, let day = number(fields[0], 2...2),
                let short = number(fields[2], 2...2)
            else { return nil }
            return date(year(short, now: now), fields[1], day, rest[1])
        case 1 where words[0].count == 5 && isName(words[0][0], of: weekdays):
            let rest = words[0]
            guard let day = number(rest[2], 1...2), let year = number(rest[4], 4...4) else { return nil }
            return date(year, rest[1], day, rest[3])
        default: return nil
        }
    }

    /// The seconds since 1970 of a time in the form that everybody is to send, `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Nothing is allocated for it, and it is the form that nearly all times have; `nil` sends the caller to
    /// ``parse(_:now:)``, which reads the others, too.
    package static func fixed(_ text: String) -> Int? {
        guard text.utf8.count == 29 else { return nil }
        var text = text
        return text.withUTF8 { fixed($0) }
    }

    private static func fixed(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count == 29, weekdayLetters.contains(letters(bytes, at: 0)), bytes[3] == UInt8(ascii: ","),
            bytes[4] == 0x20, bytes[7] == 0x20, bytes[11] == 0x20, bytes[16] == 0x20, bytes[25] == 0x20,
            bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
            bytes[26] == UInt8(ascii: "G"), bytes[27] == UInt8(ascii: "M"), bytes[28] == UInt8(ascii: "T"),
            let month = monthLetters.firstIndex(of: letters(bytes, at: 8)).map({ $0 + 1 }),
            let day = number(bytes, 5..<7), let year = number(bytes, 12..<16), let hour = number(bytes, 17..<19),
            let minute = number(bytes, 20..<22), let second = number(bytes, 23..<25), day >= 1,
            day <= days(inMonth: month, of: year), hour < 24, minute < 60, second <= 60
        else { return nil }
        return seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static let weekdayLetters = weekdays.map { letters($0) }
    private static let monthLetters = months.map { letters($0) }

    /// Three letters as one number.
    private static func letters(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    private static func letters(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> UInt32 {
        UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2])
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ places: Range<Int>) -> Int? {
        var number = 0
        for place in places {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// How many days a month has.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The seconds from 1970 to a moment of the calendar; its fields must be in range.
    package static func seconds(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Int {
        // As above, a year begins in March.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func date(_ year: Int, _ monthName: String, _ day: Int, _ clock: String) -> Date? {
        let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), 2...2) }
        guard let month = months.firstIndex(where: { isName(monthName, of: [$0]) }).map({ $0 + 1 }),
            (1...days(inMonth: month, of: year)).contains(day), time.count == 3,
            let hour = time[0], let minute = time[1], let second = time[2],
            hour < 24, minute < 60, second <= 60  // A leap second is the first second of the next minute.
        else { return nil }
        let seconds = seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// The year that its last two digits stand for.
    private static func year(_ short: Int, now: Date) -> Int {
        let text = text(now)
        let thisYear = Int(text.dropFirst(12).prefix(4)) ?? 1970
        let year = thisYear / 100 * 100 + short
        if year > thisYear + 50 { return year - 100 }
        return year + 100 <= thisYear + 50 ? year + 100 : year
    }

    private static func number(_ text: String, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy(ByteSet.digits.contains) else { return nil }
        return Int(text)
    }

    private static func isName(_ text: String, of names: [String]) -> Bool {
        let text = text.lowercased()
        return names.contains { $0.lowercased() == text }
    }

    private static func isZone(_ text: String) -> Bool { isName(text, of: ["GMT", "UTC"]) }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
