// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RouteTests {
    @Test(
        "NO_PROXY is interpreted like in curl",
        arguments: [
            ("*", "example.com", true), (" * ", "::1", true), ("", "example.com", false),
            ("example.com", "example.com", true), ("example.com", "www.example.com", true),
            (".example.com", "example.com", true), (".example.com", "www.example.com", true),
            ("example.com", "notexample.com", false), ("a.example,example.com", "example.com", true),
            ("a.example example.com", "example.com", true), ("EXAMPLE.com.", "example.com", true),
            ("example.com", "example.com.", true), ("www.example.com", "example.com", false),
            ("192.168.0.0/16", "192.168.7.7", true), ("192.168.0.0/16", "192.169.7.7", false),
            ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.10", false), ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "::1", false), ("*.birds.test", "a.birds.test", false),
            ("birds.test:80", "birds.test", false),
            ("10.0.0.0/33", "10.0.0.1", false), ("10.0.0.0/x", "10.0.0.1", false),
            ("[::1]", "::1", true), ("2001:db8::/32", "2001:db8:1::9", true), ("2001:db8::/32", "2001:db9::1", false),
            (",,,", "example.com", false), ("/", "example.com", false), ("a,//, /8", "::1", false),
        ])
    func bypass(list: String, host: String, isPassedBy: Bool) {
        #expect(ProxyBypass(list).contains(host) == isPassedBy)
    }

    @Test("The system's proxy is the default, and differs from no proxy; both choose no proxy by themselves")
    func system() throws {
        #expect(RouteOptions().proxy == .system)
        var options = RouteOptions()
        options.proxy = .none
        #expect(options != RouteOptions())
        #expect(try options.route(to: "a.example", port: 80, isSecure: false) == nil)
        options.proxy = .system
        #expect(options == RouteOptions())
        #expect(try ProxyOptions.system.proxy(for: "a.example", isSecure: true) == nil)
        #expect("\(ProxyOptions.system)" == "system")
    }

    @Test("The environment variables for proxies are interpreted like in curl")
    func environment() throws {
        let options = ProxyOptions.environment([
            "HTTP_PROXY": "http://upper:1", "HTTPS_PROXY": "http://secure:2", "ALL_PROXY": "socks5h://all:3",
            "NO_PROXY": "direct.example",
        ])
        // HTTP_PROXY in upper case may come from a field of a CGI request (Proxy), so it is ignored.
        #expect(try options.proxy(for: "a.example", isSecure: false)?.description == "socks5h://all:3")
        #expect(try options.proxy(for: "a.example", isSecure: true)?.description == "http://secure:2")
        #expect(try options.proxy(for: "x.direct.example", isSecure: true) == nil)
        let lower = ProxyOptions.environment(["http_proxy": "plain:8080", "https_proxy": "", "no_proxy": "*"])
        #expect(try lower.proxy(for: "a.example", isSecure: false) == nil)
        let plain = ProxyOptions.environment(["http_proxy": "plain:8080", "https_proxy": ""])
        #expect(try plain.proxy(for: "a.example", isSecure: false)?.description == "http://plain:8080")
        #expect(try plain.proxy(for: "a.example", isSecure: true) == nil)
        #expect(ProxyOptions.environment([:]) == .none)
    }

    @Test(
        "Lower-case variables override upper-case ones, and an empty variable counts as unset",
        arguments: [
            (["https_proxy": "http://lower:1", "HTTPS_PROXY": "http://upper:2"], "http://lower:1"),
            (["https_proxy": "", "HTTPS_PROXY": "http://upper:2"], "http://upper:2"),
            (["https_proxy": "", "HTTPS_PROXY": "", "ALL_PROXY": "http://all:3"], "http://all:3"),
            (["all_proxy": "", "ALL_PROXY": "http://all:3"], "http://all:3"),
            (["HTTPS_PROXY": "http://upper:2", "no_proxy": "", "NO_PROXY": "*"], nil),
            (["HTTPS_PROXY": "http://upper:2", "no_proxy": "b.example", "NO_PROXY": "*"], "http://upper:2"),
        ] as [([String: String], String?)])
    func spellings(variables: [String: String], proxy: String?) throws {
        let options = ProxyOptions.environment(variables)
        #expect(try options.proxy(for: "a.example", isSecure: true)?.description == proxy)
    }

    @Test(
        "Proxy URLs are parsed",
        arguments: [
            ("proxy", "http://proxy:1080", nil, ""), ("http://PROXY:3128/", "http://proxy:3128", nil, ""),
            ("https://proxy", "https://proxy:443", nil, ""), ("socks5://[::1]:9", "socks5://[::1]:9", nil, ""),
            ("socks5h://u:p@proxy", "socks5h://proxy:1080", "u", "p"),
            ("http://u%40x:p%3Aq@proxy:1", "http://proxy:1", "u@x", "p:q"),
            ("http://u:a:b@proxy:1", "http://proxy:1", "u", "a:b"),
            ("http://zal:qwerty%254b!@127.0.0.1:1", "http://127.0.0.1:1", "zal", "qwerty%4b!"),
            ("http://u:a%2541b@proxy:1", "http://proxy:1", "u", "a%41b"),
            ("http://u:100%@proxy:1", "http://proxy:1", "u", "100%"),
            ("http://b\u{FC}cher.test:1", "http://xn--bcher-kva.test:1", nil, ""),
        ] as [(String, String, String?, String)])
    func proxy(url: String, shown: String, user: String?, password: String) throws {
        let proxy = try Proxy(url)
        #expect(proxy.description == shown)
        #expect(proxy.user.map { String(decoding: $0, as: UTF8.self) } == user)
        #expect(String(decoding: proxy.password, as: UTF8.self) == password)
        #expect(!String(reflecting: proxy).contains("p:q"))
    }

    @Test("A byte of a proxy's password that is not UTF-8 (zal:%E9) is sent unchanged")
    func rawPassword() throws {
        let proxy = try Proxy("http://zal:%E9@proxy:1")
        #expect(proxy.password == [0xE9])
        #expect(proxy.authorization == "Basic " + Data(Array("zal:".utf8) + [0xE9]).base64EncodedString())
    }

    @Test(
        "A control character in a proxy's credentials is refused, and the password is not shown",
        arguments: [
            "http://zal:a%0D%0Ab@proxy", "http://zal%00:s3cret@proxy", "socks5://zal:s3cret%7F@proxy:1",
            "socks5h://z%1Bal:s3cret@proxy:1",
        ])
    func controlCharacters(url: String) {
        let error = #expect(throws: InvalidRouteError.self) { try Proxy(url) }
        #expect(error?.message.contains("control character") == true)
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test("Internationalized names in NO_PROXY and in route addresses match the punycode host of the URL")
    func internationalNames() throws {
        #expect(ProxyBypass("b\u{FC}cher.test").contains("www.xn--bcher-kva.test"))
        var options = RouteOptions()
        options.addresses = ["b\u{FC}cher.test:80": ["127.0.0.1"]]
        #expect(try options.route(to: "xn--bcher-kva.test", port: 80, isSecure: false)?.addresses == ["127.0.0.1"])
    }

    @Test(
        "An invalid proxy URL is an error that shows no password",
        arguments: [
            "", "ftp://proxy:1", "http://", "http://u:secret@:1", "http://u:secret@a b:1", "proxy:0", "proxy:x",
            "proxy:99999", "http://[::1:8",
        ])
    func noProxy(url: String) {
        let error = #expect(throws: InvalidRouteError.self) { try Proxy(url) }
        #expect(error?.message.contains("secret") == false)
    }

    @Test("A direct route is nil, and a Unix socket takes precedence over a proxy")
    func routes() throws {
        var options = RouteOptions()
        #expect(try options.route(to: "a.example", port: 80, isSecure: false) == nil)
        options.addresses = ["a.example:80": ["127.0.0.1"], "[::1]:80": ["127.0.0.2"]]
        #expect(try options.route(to: "a.example", port: 443, isSecure: true) == nil)
        #expect(try options.route(to: "a.example", port: 80, isSecure: false)?.addresses == ["127.0.0.1"])
        #expect(try options.route(to: "::1", port: 80, isSecure: false)?.addresses == ["127.0.0.2"])
        options.addresses["*:80"] = ["127.0.0.3"]
        #expect(try options.route(to: "a.example", port: 80, isSecure: false)?.addresses == ["127.0.0.1"])
        #expect(try options.route(to: "b.example", port: 80, isSecure: false)?.addresses == ["127.0.0.3"])
        #expect(try options.route(to: "b.example", port: 443, isSecure: true) == nil)
        options.proxy = .url("http://proxy:1")
        options.unixSocket = "/run/a.sock"
        let route = try options.route(to: "a.example", port: 80, isSecure: false)
        #expect(route?.proxy == nil)
        #expect(route?.unixSocket == "/run/a.sock")
        options.unixSocket = String(repeating: "a", count: 200)
        #expect(throws: InvalidRouteError.self) { try options.route(to: "a.example", port: 80, isSecure: false) }
        var other = RouteOptions()
        other.localAddress = "127.0.0.1"
        other.localAddress = nil
        #expect(other == RouteOptions())
    }
}
