// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BaseURLTests {
    @Test(
        "A base URL is split into its parts",
        arguments: [
            ("https://api.example.com", "https", "api.example.com", 443, "", nil),
            ("HTTPS://API.Example.COM/", "https", "api.example.com", 443, "", nil),
            ("https://api.example.com:443/v1/", "https", "api.example.com", 443, "/v1", nil),
            ("http://api.example.com:443/v1", "http", "api.example.com:443", 443, "/v1", nil),
            ("http://h:/a%2Fb?key=1&x=%20#part", "http", "h", 80, "/a%2Fb", "key=1&x=%20"),
            ("http://h?#", "http", "h", 80, "", nil),
            ("http://127.0.0.1:8080/a//b//", "http", "127.0.0.1:8080", 8080, "/a//b", nil),
            ("http://[::1]:8080", "http", "[::1]:8080", 8080, "", nil),
            ("http://[2001:DB8::A]/", "http", "[2001:db8::a]", 80, "", nil),
            ("http://xn--bcher-kva.example./", "http", "xn--bcher-kva.example.", 80, "", nil),
            ("https://b\u{FC}cher.example:8443/x", "https", "xn--bcher-kva.example:8443", 8443, "/x", nil),
        ] as [(String, String, String, Int, String, String?)])
    func parts(
        text: String, scheme: String, authority: String, port: Int, prefix: String, query: String?
    ) throws {
        let base = try BaseURL(text)
        #expect(base.scheme == scheme)
        #expect(base.authority == authority)
        #expect(base.port == port)
        #expect(base.pathPrefix == prefix)
        #expect(base.query == query)
    }

    @Test("An IPv6 host has no brackets in `host`")
    func bareIPv6() throws {
        #expect(try BaseURL("http://[::1]:8080").host == "::1")
    }

    @Test(
        "An unusable base URL is refused",
        arguments: [
            "", "/", "api.example.com", "//api.example.com", "https:/api.example.com", "https:api.example.com",
            "https://", "https:///path", "https://:443", "https://?a=b", "1https://h", "ht tp://h", "ftp://h",
            "https://h:0", "https://h:65536", "https://h:99999999999999999999", "https://h:8o", "https://h:+80",
            "https://h:-1", "https://h h/", "https://h\\evil.com/", "https://h/a\\b", "https://h/a b", "https://h/é",
            "https://b\u{DC}cher.example", "https://h/\u{0}", "https://h\r\n/", "https://h/%", "https://h/%2",
            "https://h/%zz",
            "https://h/?a=%g0", "https://h/?a=\"", "https://h/..", "https://h/a/../b", "https://h/./",
            "https://h/%2e%2E/",
            "https://h/%252e%252e", "https://h/a%2f..%2fb", "https://h/%5c..", "https://.evil.com", "https://a..b",
            "https://a%2eb/", "https://[::1", "https://[::1]x", "https://[]", "https://[fe80::1%25eth0]/",
            "https://[1.2.3.4]", "https://::1", "https://256.1.1.1", "https://1.2.3", "https://127.1", "https://0x7f.1",
            "https://2130706433", "https://01.2.3.4", " https://h", "https://h ",
        ])
    func refused(text: String) {
        let error = #expect(throws: InvalidRequestError.self) { try BaseURL(text) }
        #expect(error?.reason == .invalidURL)
    }

    @Test("A host name too long for DNS is refused")
    func longHost() {
        #expect(throws: InvalidRequestError.self) {
            try BaseURL("https://\(String(repeating: "a", count: 64)).example")
        }
        #expect(throws: InvalidRequestError.self) {
            try BaseURL("https://\(String(repeating: "a.", count: 130))example")
        }
    }

    @Test(
        "A URL with credentials is refused, and the error does not repeat them",
        arguments: ["https://ada:s3cret@h/", "https://s3cret@h", "https://@h", "https://ada:s3cret@h:0/%zz"])
    func credentials(text: String) throws {
        let error = try #require(throws: InvalidRequestError.self) { try BaseURL(text) }
        #expect(!error.message.contains("s3cret") && !error.message.contains("ada"))
        #expect(error.message.contains("Authorization header"))
    }

    @Test(
        "An error for a refused URL does not repeat the URL",
        arguments: ["s3cret:x@h", "https:/s3cret@h", "https://h:s3cret", "https://h/%s3cret"])
    func silent(text: String) throws {
        let error = try #require(throws: InvalidRequestError.self) { try BaseURL(text) }
        #expect(!error.message.contains("s3cret"))
    }

    @Test("A host outside ASCII without a punycode form is refused with advice")
    func punycode() throws {
        let error = try #require(throws: InvalidRequestError.self) { try BaseURL("https://B\u{DC}CHER.example") }
        #expect(error.message.contains("punycode") && error.message.contains("U+00DC"))
    }

    @Test("The accepted schemes can be chosen")
    func schemes() throws {
        let base = try BaseURL("WSS://h/live", schemes: BaseURL.webSocketSchemes)
        #expect(base.scheme == "wss" && base.port == 443 && base.authority == "h" && base.isSecure)
        #expect(throws: InvalidRequestError.self) { try BaseURL("https://h", schemes: BaseURL.webSocketSchemes) }
        #expect(throws: InvalidRequestError.self) { try BaseURL("ws://h") }
    }

    @Test("The description omits the query, which may hold a key")
    func described() throws {
        #expect("\(try BaseURL("https://H:8443/v1/?key=s3cret"))" == "https://h:8443/v1/")
    }
}
