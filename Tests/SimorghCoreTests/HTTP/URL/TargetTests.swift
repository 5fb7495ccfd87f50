// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TargetTests {
    private func target(
        _ base: String, version: String? = nil, path: String, encoded: Bool = false, query: [QueryItem] = []
    ) throws -> String {
        try BaseURL(base).target(version: version, path: path, pathIsPercentEncoded: encoded, query: query)
    }

    @Test(
        "Base and path are joined with one slash",
        arguments: [
            ("https://h", "", "/"), ("https://h", "/", "/"), ("https://h/", "/", "/"), ("https://h", "users", "/users"),
            ("https://h", "/users", "/users"), ("https://h/", "/users/", "/users/"), ("https://h/api", "", "/api"),
            ("https://h/api/", "", "/api/"), ("https://h/api", "/", "/api/"), ("https://h/api/", "users", "/api/users"),
            ("https://h/api", "/users/7", "/api/users/7"), ("https://h", "a//b", "/a//b"), ("https://h", "//", "/"),
            ("https://h/api", "///", "/api/"),
            ("https://h", "a:b@c", "/a:b@c"), ("https://h", "/a/$&'()*+,;=-._~!", "/a/$&'()*+,;=-._~!"),
        ])
    func joined(base: String, path: String, expected: String) throws {
        #expect(try target(base, path: path) == expected)
    }

    @Test(
        "SIM4: a version is a separate segment on the same host",
        arguments: [
            ("https://api.example.com", "/v2", "/users", "/v2/users"),
            ("https://api.example.com", "v2", "users", "/v2/users"),
            ("https://api.example.com/", "/v2/", "/users", "/v2/users"),
            ("https://api.example.com/api", "/v2", "", "/api/v2"),
            ("https://api.example.com/api/", "/v2", "", "/api/v2"), ("https://api.example.com", "/v2", "/", "/v2/"),
            ("https://api.example.com", "a b?#/v1", "x", "/a%20b%3F%23/v1/x"),
            ("https://api.example.com", "", "x", "/x"),
            ("https://api.example.com", APIVersion.v2.path, "/users", "/v2/users"),
        ])
    func versioned(base: String, version: String, path: String, expected: String) throws {
        let base = try BaseURL(base)
        #expect(base.authority == "api.example.com")
        #expect(try base.target(version: version, path: path) == expected)
    }

    @Test(
        "A plain path is escaped once",
        arguments: [
            ("a b", "/a%20b"), ("100%", "/100%25"), ("%2F", "/%252F"), ("é", "/%C3%A9"), ("c#", "/c%23"),
            ("a\\b", "/a%5Cb"),
            ("<\"{|}^`>", "/%3C%22%7B%7C%7D%5E%60%3E"), ("a\r\nHost: evil", "/a%0D%0AHost:%20evil"), ("\u{0}", "/%00"),
            ("😀", "/%F0%9F%98%80"), ("[1]", "/%5B1%5D"),
        ])
    func escaped(path: String, expected: String) throws {
        #expect(try target("https://h", path: path) == expected)
    }

    @Test(
        "EK1: a path declared as percent-encoded is kept unchanged",
        arguments: [
            ("/a%2Fb", "/a%2Fb"), ("a%20b/", "/a%20b/"), ("/%C3%a9", "/%C3%a9"), ("/v1...v2", "/v1...v2"),
            ("/a?b=%2B#c", "/a?b=%2B"), ("/%25", "/%25"),
        ])
    func preEncoded(path: String, expected: String) throws {
        #expect(try target("https://h", path: path, encoded: true) == expected)
    }

    @Test(
        "EK1: a dot segment is refused in every encoding",
        arguments: [
            "..", "/..", "../x", "a/../b", "a/..", ".", "/./", "a/.", "%2e%2e%2f", "%2E%2E", "a/%2e%2e", "%2e", ".%2e",
            "%2E.",
            "%252e%252e", "%25252e%25252e/x", "%252525252525252e%2e", "a%2f..%2fb", "a%252f%252e%252e", "..\\x",
            "a\\..",
            "a%5c..%5cb", "..;/admin", "..%3bx/admin", "%2525252525252525252e./x",
        ], [false, true])
    func dots(path: String, encoded: Bool) {
        let error = #expect(throws: InvalidRequestError.self) {
            try target("https://h/api", path: path, encoded: encoded)
        }
        #expect(error?.reason == .invalidURL)
    }

    @Test(
        "EK1: dots inside a name are not a dot segment",
        arguments: ["v1...v2", "a..b.txt", "...", ".well-known/x", "a.", "x/..a", ".a;b"])
    func harmlessDots(path: String) throws {
        #expect(try target("https://h", path: path) == "/" + path)
    }

    @Test("A version with a dot segment is refused")
    func versionDots() {
        #expect(throws: InvalidRequestError.self) { try target("https://h", version: "../v1", path: "x") }
    }

    @Test(
        "EK14: a malformed percent-encoded path is an error and does not trap",
        arguments: [
            "%", "/a%", "/a%2", "/%zz", "/a b", "/é", "/a\\b", "/\"", "/a?b=%", "/a?b= c", "/\u{0}", "/[x]", "%%32%65",
        ])
    func malformed(path: String) {
        let error = #expect(throws: InvalidRequestError.self) { try target("https://h", path: path, encoded: true) }
        #expect(error?.reason == .invalidURL)
    }

    @Test(
        "NET14: no path changes the base host",
        arguments: [
            "@evil.com/x", "\\\\evil.com", "/\\evil.com", ".evil.com", ":80@evil.com",
            "?@evil.com",
            "#@evil.com", "/@evil.com", "%2f%2fevil.com", ":@evil.com", "\t//evil.com", " //evil.com", "https:evil.com",
            "\u{FF0F}\u{FF0F}evil.com",
        ], ["https://api.example.com", "https://api.example.com/", "https://api.example.com/v1"])
    func sameHost(path: String, base: String) throws {
        let target = try target(base, path: path)
        #expect(target.hasPrefix("/") && !target.hasPrefix("//"))
        let whole = try #require(URLComponents(string: "https://api.example.com" + target))
        #expect(whole.host == "api.example.com" && whole.port == nil && whole.user == nil)
    }

    @Test(
        "A path that begins with two slashes would name another host in a URL, and is refused",
        arguments: ["//evil.com", "//evil.com/x", "///evil.com", "//?@evil.com/x/"], [false, true])
    func authority(path: String, encoded: Bool) throws {
        guard path != "//?@evil.com/x/" else {
            #expect(try target("https://h", path: path, encoded: encoded) == "/?@evil.com/x/")
            return
        }
        let error = try #require(throws: InvalidRequestError.self) {
            try target("https://h", path: path, encoded: encoded)
        }
        #expect(error.reason == .invalidURL && error.message.contains("//") && !error.message.contains("evil"))
    }

    @Test(
        "An absolute URL in place of a path is refused",
        arguments: ["https://evil.com/x", "HTTP://evil.com", "a+b-c.1://x"])
    func completeURL(path: String) throws {
        let error = try #require(throws: InvalidRequestError.self) { try target("https://h", path: path) }
        #expect(error.reason == .invalidURL && error.message.contains("complete URL"))
    }

    @Test(
        "The base's query comes first, then the path's, then the items",
        arguments: [
            ("https://h?k=1", "/a?b=2", "/a?k=1&b=2&c=3"), ("https://h?k=1", "/a", "/a?k=1&c=3"),
            ("https://h", "/a?b=2", "/a?b=2&c=3"),
            ("https://h", "/a?", "/a?c=3"), ("https://h/v1", "?b=2", "/v1?b=2&c=3"),
            ("https://h", "a?b=x y&c=%20+%", "/a?b=x%20y&c=%20+%25&c=3"),
            ("https://h", "a?b?c#d", "/a?b?c%23d&c=3"),
        ])
    func queries(base: String, path: String, expected: String) throws {
        #expect(try target(base, path: path, query: [QueryItem(name: "c", value: "3")]) == expected)
    }

    @Test("SIM2: without a query there is no question mark")
    func noQuery() throws {
        #expect(try target("https://h", path: "/a?") == "/a")
        #expect(try target("https://h", path: "/a", query: []) == "/a")
    }

    @Test(
        "SIM3: a query value is escaped",
        arguments: [("special&chars", "special%26chars"), ("1", "1"), ("a=b+c d", "a%3Db%2Bc%20d")])
    func escapedValue(value: String, expected: String) throws {
        #expect(
            try target("https://h", path: "/a", query: [QueryItem(name: "filter", value: value)])
                == "/a?filter=\(expected)")
    }
}
