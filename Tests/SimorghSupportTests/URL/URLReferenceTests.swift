// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct URLReferenceTests {
    private func resolve(_ reference: String, _ base: String = "http://a/b/c/d;p?q") -> String {
        URLReference(reference).resolved(against: URLReference(base)).description
    }

    @Test(
        "The normal examples of RFC 3986, section 5.4.1, resolve as in the RFC",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
        ])
    func normal(reference: String, url: String) { #expect(resolve(reference) == url) }

    @Test(
        "The abnormal examples of RFC 3986, section 5.4.2, resolve as in the RFC",
        arguments: [
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ])
    func abnormal(reference: String, url: String) { #expect(resolve(reference) == url) }

    @Test(
        "References without an example in the RFC resolve by its rules",
        arguments: [
            ("g", "http://a", "http://a/g"), ("?y", "http://a", "http://a?y"), ("g", "http://a?q/r", "http://a/g"),
            ("//h:8/x", "https://a/b", "https://h:8/x"), ("HTTP://h/../x", "https://a/b", "HTTP://h/x"),
            ("a:b", "http://a/b/c", "a:b"), ("./a:b", "http://a/b/c", "http://a/b/a:b"),
            ("1a:b", "http://a/b/", "http://a/b/1a:b"),
            ("?", "http://a/b?q", "http://a/b?"), ("#", "http://a/b?q", "http://a/b?q#"),
            ("é/ü", "http://a/b/", "http://a/b/é/ü"), ("g", "http://[::1]:8080/b/c", "http://[::1]:8080/b/g"),
            ("%2e%2e/g", "http://a/b/c/d", "http://a/b/g"), ("//u:p@h/x", "http://a/b", "http://u:p@h/x"),
            // The mark forms one character with the slash; found by fuzzing.
            ("\u{5BF}", "http://a/b/../c/./", "http://a/c/\u{5BF}"), ("../\u{301}", "http://a/b/c", "http://a/\u{301}"),
        ])
    func others(reference: String, base: String, url: String) { #expect(resolve(reference, base) == url) }

    @Test(
        "A URL is split at its delimiters by bytes, and joined again unchanged",
        arguments: [
            ("s:", ["s", nil, "", nil, nil]), ("//h", [nil, "h", "", nil, nil]), ("s://?#", ["s", "", "", "", ""]),
            ("1s://h", [nil, nil, "1s://h", nil, nil]), ("/a:b?c/d#e?f", [nil, nil, "/a:b", "c/d", "e?f"]),
            ("s://u@h:1/\u{301}?#\u{301}", ["s", "u@h:1", "/\u{301}", "", "\u{301}"]),
        ] as [(String, [String?])])
    func parts(text: String, parts: [String?]) {
        let url = URLReference(text)
        #expect([url.scheme, url.authority, url.path, url.query, url.fragment].map { $0.map(String.init) } == parts)
        #expect(url.description == text)
    }

    @Test(
        "Colons of an IPv6 address do not begin a port, and an invalid port is part of the host",
        arguments: [
            ("h", "h", nil), ("h:", "h", ""), ("h:80", "h", "80"), ("[::1]", "[::1]", nil), ("[::1]:8", "[::1]", "8"),
            ("[::1]x", "[::1]x", nil), ("::1", "::1", nil), ("", "", nil), (":1", "", "1"),
        ] as [(String, String, String?)])
    func ports(authority: String, host: String, port: String?) {
        let cut = URLReference.hostAndPort(of: authority[...])
        #expect(cut.host == host && cut.port.map(String.init) == port)
    }
}
