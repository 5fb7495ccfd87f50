// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResumableDialectTests {
    @Test(
        "A limit is found among whatever a server names",
        arguments: [
            ("max-size=5", 5), ("min-size=1, max-size=7;x=1", 7), ("max-size= 9", 9), ("=5,;,=,;x=1,max-size=3", 3),
            ("=", nil), (";", nil), (",", nil), ("max-size", nil), ("max-size=", nil), ("max-size=x", nil), ("", nil),
            ("max-size=99999999999999999999", nil),
        ])
    func limits(list: String, expected: Int64?) {
        #expect(ResumableDialect.limit("max-size", in: list) == expected)
    }
}
