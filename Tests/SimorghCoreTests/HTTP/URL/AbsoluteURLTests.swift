// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AbsoluteURLTests {
    @Test(
        "An absolute URL is split into base and target",
        arguments: [
            ("http://h", "http://h", "/"), ("https://H:443/a/b?c=d#e", "https://h", "/a/b?c=d"),
            ("http://h:81?", "http://h:81", "/?"),
            ("http://h/a%2Fb/%7e", "http://h", "/a%2Fb/%7e"),
            ("http://h/a b/é?q=x y&z=é", "http://h", "/a%20b/%C3%A9?q=x%20y&z=%C3%A9"),
            ("http://h/100%", "http://h", "/100%25"), ("http://h//a//", "http://h", "//a//"),
            ("http://h/a\\b", "http://h", "/a%5Cb"),
            ("http://h/a/../b", "http://h", "/b"), ("http://h/../../b", "http://h", "/b"),
            ("http://h/a/b/..", "http://h", "/a/"),
            ("http://h/a/./b/.", "http://h", "/a/b/"), ("http://h/a/%2e%2E/b", "http://h", "/b"),
            ("http://h/..", "http://h", "/"),
            ("http://h/a/v1...v2", "http://h", "/a/v1...v2"), ("http://h/%252e%252e", "http://h", "/%252e%252e"),
        ])
    func cut(text: String, base: String, target: String) throws {
        let (place, wanted) = try BaseURL.absolute(text)
        #expect("\(place)" == base)
        #expect(wanted == target)
    }

    @Test(
        "Query items are appended to the URL's own query",
        arguments: [("http://h/a", "/a?x=%26"), ("http://h/a?", "/a?x=%26"), ("http://h/a?b=1", "/a?b=1&x=%26")])
    func items(text: String, target: String) throws {
        #expect(try BaseURL.absolute(text, query: [QueryItem(name: "x", value: "&")]).target == target)
    }

    @Test(
        "A URL without a host, or with an ambiguous one, is refused",
        arguments: [
            "/a", "h/a", "mailto:a@b", "http://", "http://u:p@h/", "http://good.com\\@evil.com/", "http://h/\n",
            "file:///etc/passwd",
        ])
    func refused(text: String) {
        let error = #expect(throws: InvalidRequestError.self) { try BaseURL.absolute(text) }
        #expect(error?.reason == .invalidURL)
    }
}
