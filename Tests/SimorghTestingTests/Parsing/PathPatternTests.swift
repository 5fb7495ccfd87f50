// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PathPatternTests {
    @Test(
        "A pattern matches its paths and no others",
        arguments: [
            ("/a", "/a", [:]), ("/a", "/a/", nil), ("/a", "/b", nil), ("/", "/", [:]), ("a", "/a", [:]),
            ("/u/{id}", "/u/7", ["id": "7"]), ("/u/{id}", "/u/", nil), ("/u/{id}", "/u", nil),
            ("/u/{id}", "/u/a%2Fb", ["id": "a/b"]), ("/u/{id}/x", "/u/7/y", nil),
            ("/{a}/{b}/{c}", "/1/2/3", ["a": "1", "b": "2", "c": "3"]), ("/f/*", "/f/a/b", ["*": "a/b"]),
            ("/f/*", "/f", ["*": ""]), ("/f/*", "/g", nil), ("/*/x", "/*/x", [:]),
            ("/u/{id}", "/u/\u{301}x", ["id": "\u{301}x"]), ("/{a}", "/\u{301}x", ["a": "\u{301}x"]),
        ] as [(String, String, [String: String]?)])
    func matches(pattern: String, path: String, expected: [String: String]?) {
        #expect(PathPattern(pattern).match(path) == expected)
    }

    @Test("The query starts after the first question mark, whatever characters follow")
    func target() {
        let target = Target("/a?\u{301}b=1?")
        #expect(target.path == "/a" && target.query == "\u{301}b=1?")
    }
}
