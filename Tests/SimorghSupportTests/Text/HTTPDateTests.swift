// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSupport
import Testing

@Suite("HTTPDate", .timeLimit(.minutes(10)))
struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)  // 1 January 2026.

    @Test(
        "Dates are written in the IMF-fixdate format",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) {
        #expect(HTTPDate.text(seconds) == text)
        #expect(HTTPDate.text(Date(timeIntervalSince1970: Double(seconds))) == text)
    }

    @Test("Writing any date does not trap", arguments: [.infinity, -.infinity, .nan, 1e300, -1e300, 0.5, -0.5])
    func anyDate(seconds: Double) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)).hasSuffix(" GMT"))
    }

    @Test(
        "All three HTTP formats are parsed",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777),
            ("Sun Nov 16 08:49:37 1994", 784_975_777), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777), (" Sun ,06  Nov 1994 08:49:37 GMT ", 784_111_777),
            ("Sun Nov 6 08:49:37 1994", 784_111_777),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ] as [(String, Int64)])
    func reads(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text, now: Self.now) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(
        "The fast path for IMF-fixdate gives the same result as the full parser",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Tue, 29 Feb 2000 00:00:00 GMT", true),
            ("Sat, 31 Dec 2016 23:59:60 GMT", true), ("Sat, 01 Jan 0000 00:00:00 GMT", true),
            ("Thu, 29 Feb 1900 00:00:00 GMT", false), ("Sun, 00 Nov 1994 08:49:37 GMT", false),
            ("Sun, 06 Nov 1994 24:49:37 GMT", false), ("Sun, 06 Nov 1994 08:60:37 GMT", false),
            ("Sun, 06 Nov 1994 08:49:61 GMT", false), ("Sun, 06 Nov 1994 08:49:3: GMT", false),
            ("Sux, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nox 1994 08:49:37 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT ", false), ("", false),
        ])
    func imfFixdate(text: String, isDate: Bool) {
        let seconds = HTTPDate.imfFixdate(text)
        #expect((seconds != nil) == isDate)
        guard let seconds else { return }
        #expect(HTTPDate.parse(text, now: Self.now) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test("A written date is parsed back, across leap years and centuries")
    func roundTrip() {
        for seconds in stride(from: Int64(-62_135_596_800), through: 253_402_300_799, by: 86_400 * 97 + 12_345) {
            let text = HTTPDate.text(seconds)
            #expect(HTTPDate.parse(text, now: Self.now)?.timeIntervalSince1970 == Double(seconds), "\(text)")
        }
    }

    @Test(
        "A two-digit year is at most 50 years in the future",
        arguments: [("76", 2076), ("77", 1977), ("94", 1994), ("00", 2000), ("26", 2026), ("99", 1999)])
    func shortYears(digits: String, year: Int) {
        let parsed = HTTPDate.parse("Sunday, 06-Nov-\(digits) 00:00:00 GMT", now: Self.now)
        #expect(parsed.map { HTTPDate.text($0).dropFirst(12).prefix(4) } == "\(year)")
        let late = Date(timeIntervalSince1970: 3_786_912_000)  // 1 January 2090.
        let ahead = HTTPDate.parse("Sunday, 06-Nov-10 00:00:00 GMT", now: late)
        #expect(ahead.map { HTTPDate.text($0).dropFirst(12).prefix(4) } == "2110")
    }

    @Test(
        "Text that is not a date is refused",
        arguments: [
            "", " ", ",", ", ,", "Sun,", "0", "-1", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Now 1994 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Son, 06 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 0８:49:37 GMT", "Mon, 29 Feb 2100 00:00:00 GMT", "Sun Nov  6 08:49:37 1994 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
        ])
    func refused(text: String) { #expect(HTTPDate.parse(text, now: Self.now) == nil) }

    @Test("Arbitrary text is parsed without harm")
    func fuzz() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("SunNovGMT, :-0123456789é\u{0}".utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<45, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            _ = HTTPDate.parse(String(decoding: bytes, as: UTF8.self), now: Self.now)
        }
    }
}
