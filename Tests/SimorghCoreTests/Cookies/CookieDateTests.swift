// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CookieDateTests {
    /// 1994-11-06 08:49:37 UTC.
    private static let example = 784_111_777.0

    @Test(
        "The cookie date parser of RFC 6265 accepts every order and separator",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", example), ("Sunday, 06-Nov-94 08:49:37 GMT", example),
            ("Sun Nov  6 08:49:37 1994", example), ("6 nov 1994 8:49:37", example), ("1994 Nov 6 08:49:37", example),
            ("08:49:37 06 NOVEMBER 94", example), ("Nov-06-1994-08:49:37", example),
            ("08:49:37x, 6th Novel 1994AD", example),
            ("Sun,06/Nov/1994;08:49:37", example), ("Mon, 06 Nov 1994 08:49:37 +0500", example),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("01 Jan 69 00:00:00", 3_124_224_000), ("01 Jan 70 00:00:00", 0), ("31 Dec 99 23:59:59", 946_684_799),
            ("01 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
            ("1 2 Jan 2024 00:00:00", 1_704_067_200), ("01 Jan 00 1:2:3", 946_688_523),
        ])
    func dates(text: String, seconds: Double) {
        #expect(HTTPDate.cookie(Array(text.utf8)[...])?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "Text that is not a cookie date is rejected",
        arguments: [
            "", "tomorrow", "06 Nov 1994", "Nov 1994 08:49:37", "06 1994 08:49:37", "06 Nov 08:49:37",
            "06 Nov 1994 08:49",
            "06 Nov 1994 24:00:00", "06 Nov 1994 00:60:00", "06 Nov 1994 00:00:60", "00 Nov 1994 00:00:00",
            "32 Nov 1994 00:00:00", "31 Nov 1994 00:00:00", "30 Feb 2024 00:00:00", "29 Feb 2023 00:00:00",
            "29 Feb 1900 00:00:00", "06 Nov 1600 00:00:00", "06 Nov 19940 00:00:00", "06 Nov 199 0:0:0 x",
            "06 Nov 1994 008:49:37", "06 Nov 1994 08:4x:37", "06 No 1994 08:49:37", "06 Nov 1994 08:49:3777",
        ])
    func none(text: String) { #expect(HTTPDate.cookie(Array(text.utf8)[...]) == nil) }
}
