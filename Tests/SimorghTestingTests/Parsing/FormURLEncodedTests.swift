// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FormURLEncodedTests {
    @Test(
        "FormURLEncoded parses according to the WHATWG URL Standard",
        arguments: [
            ("", []), ("&&", []), ("a", [("a", "")]), ("a=", [("a", "")]), ("=b", [("", "b")]), ("=", [("", "")]),
            ("a=b=c", [("a", "b=c")]), ("a+b=c%20d+%2B", [("a b", "c d +")]), ("a=1&a=2", [("a", "1"), ("a", "2")]),
            ("%C3%A9=%e2%82%AC", [("é", "€")]), ("a=%", [("a", "%")]), ("a=%4", [("a", "%4")]),
            ("a=%zz", [("a", "%zz")]),
            ("a=%FF", [("a", "\u{FFFD}")]), ("a%26b=%3D", [("a&b", "=")]),
        ] as [(String, [(String, String)])])
    func items(text: String, expected: [(String, String)]) {
        #expect(FormURLEncoded.parse(text) == expected.map { FormURLEncoded.Item(name: $0.0, value: $0.1) })
    }
}
