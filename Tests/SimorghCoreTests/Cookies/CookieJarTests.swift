// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// The cookie jar as tables; dates and single fields have their own suites.
@Suite(.timeLimit(.minutes(10)))
struct CookieJarTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func check(_ cookie: CookieCase) throws {
        var jar = CookieJar()
        for (index, set) in cookie.sets.enumerated() {
            try jar.receive(set.field, from: set.url, at: Self.now.addingTimeInterval(Double(index)))
        }
        let sent = try jar.header(for: cookie.url, at: Self.now.addingTimeInterval(100))
        #expect(sent == cookie.sent, "\(cookie)")
    }

    private static let page = "https://www.example.com/dir/page"
    private static let site = "https://www.example.com/"

    @Test(
        "The examples of RFC 6265, section 3.1, hold",
        arguments: [
            CookieCase("SID=31d4d96e407aad42", to: "https://www.example.com/dir/x", "SID=31d4d96e407aad42"),
            CookieCase("SID=31d4; Path=/; Domain=example.com", to: "https://other.example.com/", "SID=31d4"),
            CookieCase(
                [("SID=31d4; Path=/; Secure; HttpOnly", site), ("lang=en-US; Path=/; Domain=example.com", site)],
                to: site,
                "SID=31d4; lang=en-US"),
            CookieCase("lang=en-US; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/", to: site, "lang=en-US"),
            CookieCase(
                [("lang=en-US; Path=/", site), ("lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Path=/", site)],
                to: site, nil),
        ])
    func examples(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "A cookie is sent to its host, or to all hosts of its Domain",
        arguments: [
            CookieCase("a=b; Path=/", to: "https://www.example.com/", "a=b"),
            CookieCase("a=b; Path=/", to: "https://WWW.EXAMPLE.COM:8443/", "a=b"),
            CookieCase("a=b; Path=/", to: "https://example.com/", nil),
            CookieCase("a=b; Path=/", to: "https://x.www.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=www.example.com", to: "https://x.www.example.com/", "a=b"),
            CookieCase("a=b; Path=/; Domain=example.com", to: "https://example.com/", "a=b"),
            CookieCase("a=b; Path=/; Domain=.example.com", to: "https://x.y.example.com/", "a=b"),
            CookieCase("a=b; Path=/; Domain=EXAMPLE.com", to: "https://x.example.com/", "a=b"),
            CookieCase("a=b; Path=/; Domain=example.com", to: "https://badexample.com/", nil),
            CookieCase("a=b; Path=/; Domain=example.com", to: "https://example.com.evil.test/", nil),
            CookieCase("a=b; Path=/; Domain=x.www.example.com", to: "https://x.www.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=other.example.com", to: "https://other.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=ample.com", to: "https://www.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=.com", to: "https://www.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=com", to: "https://example.com/", nil),
            CookieCase("a=b; Path=/; Domain=", to: "https://www.example.com/", "a=b"),
            CookieCase("a=b; Path=/; Domain=", to: "https://x.www.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=.", to: "https://www.example.com/", "a=b"),
            CookieCase("a=b; Path=/; Domain=..example.com", to: "https://www.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=example.com.", to: "https://www.example.com/", nil),
            CookieCase("a=b; Path=/; Domain=evil.test; Domain=example.com", to: "https://example.com/", "a=b"),
            CookieCase("a=b; Path=/; Domain=example.com; Domain=evil.test", to: "https://example.com/", nil),
            CookieCase(
                "a=b; Path=/; Domain=bücher.test", from: "https://xn--bcher-kva.test/",
                to: "https://xn--bcher-kva.test/", "a=b"),
            CookieCase(
                "a=b; Path=/; Domain=.Bücher.test", from: "https://x.xn--bcher-kva.test/",
                to: "https://bücher.test/", "a=b"),
            CookieCase(
                "a=b; Path=/; Domain=bücher.test", from: "https://other.test/", to: "https://bücher.test/", nil),
            CookieCase(
                "a=b; Path=/; Domain=bücher\u{2044}.test", from: "https://bücher.test/",
                to: "https://bücher.test/", nil),
            CookieCase(
                "a=b; Path=/; Domain=XN--BCHER-KVA.test", from: "https://x.xn--bcher-kva.test/",
                to: "https://xn--bcher-kva.test/", "a=b"),
        ])
    func domains(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "A Domain that is a public suffix shares no cookies between its hosts",
        arguments: [
            CookieCase("a=b; Domain=co.uk", from: "https://shop.co.uk/", to: "https://other.co.uk/", nil),
            CookieCase("a=b; Domain=co.uk", from: "https://shop.co.uk/", to: "https://shop.co.uk/", nil),
            CookieCase("a=b; Domain=com.", from: "https://evil.com./", to: "https://bank.com./", nil),
            CookieCase("a=b; Domain=com", from: "https://evil.com./", to: "https://bank.com./", nil),
            CookieCase("a=b; Domain=co.uk.", from: "https://evil.co.uk./", to: "https://bank.co.uk./", nil),
            CookieCase("a=b; Domain=evil.com", from: "https://evil.com./", to: "https://x.evil.com/", "a=b"),
            CookieCase("a=b; Domain=github.io", from: "https://me.github.io/", to: "https://you.github.io/", nil),
            CookieCase("a=b; Domain=github.io", from: "https://github.io/", to: "https://github.io/", "a=b"),
            CookieCase("a=b; Domain=github.io", from: "https://github.io/", to: "https://you.github.io/", nil),
            CookieCase("a=b; Domain=me.github.io", from: "https://x.me.github.io/", to: "https://me.github.io/", "a=b"),
            CookieCase("a=b; Domain=x.ck", from: "https://a.x.ck/", to: "https://b.x.ck/", nil),
            CookieCase("a=b; Domain=www.ck", from: "https://a.www.ck/", to: "https://b.www.ck/", "a=b"),
            CookieCase("a=b; Domain=city.kobe.jp", from: "https://a.city.kobe.jp/", to: "https://city.kobe.jp/", "a=b"),
            CookieCase(
                "a=b; Domain=other.kobe.jp", from: "https://a.other.kobe.jp/", to: "https://other.kobe.jp/", nil),
            CookieCase("a=b; Domain=localhost", from: "https://localhost/", to: "https://localhost/", "a=b"),
            CookieCase("a=b; Domain=localhost", from: "https://x.localhost/", to: "https://y.localhost/", nil),
            CookieCase("a=b; Domain=unlisted", from: "https://a.unlisted/", to: "https://b.unlisted/", nil),
            CookieCase("a=b; Domain=xn--p1ai", from: "https://a.xn--p1ai/", to: "https://b.xn--p1ai/", nil),
        ])
    func publicSuffixes(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "An IP address is a host but not a Domain",
        arguments: [
            CookieCase("a=b", from: "https://10.0.0.1/", to: "https://10.0.0.1/", "a=b"),
            CookieCase("a=b; Domain=10.0.0.1", from: "https://10.0.0.1/", to: "https://10.0.0.1/", "a=b"),
            CookieCase("a=b; Domain=0.0.1", from: "https://10.0.0.1/", to: "https://10.0.0.1/", nil),
            CookieCase("a=b; Domain=.0.0.1", from: "https://10.0.0.1/", to: "https://20.0.0.1/", nil),
            CookieCase("a=b; Domain=1", from: "https://10.0.0.1/", to: "https://10.0.0.1/", nil),
            CookieCase("a=b", from: "https://[::1]/", to: "https://[::1]:8443/", "a=b"),
            CookieCase("a=b; Domain=::1", from: "https://[::1]/", to: "https://[::1]/", "a=b"),
            CookieCase("a=b; Domain=[::1]", from: "https://[::1]/", to: "https://[::1]/", nil),
        ])
    func addresses(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "A cookie is sent to its Path and the paths below it",
        arguments: [
            CookieCase("a=b", to: "https://www.example.com/dir", "a=b"),
            CookieCase("a=b", to: "https://www.example.com/dir/", "a=b"),
            CookieCase("a=b", to: "https://www.example.com/dir/x/y", "a=b"),
            CookieCase("a=b", to: "https://www.example.com/directory", nil),
            CookieCase("a=b", to: "https://www.example.com/", nil),
            CookieCase("a=b", to: "https://www.example.com/DIR/", nil),
            CookieCase("a=b", to: "https://www.example.com/dir?x=/", "a=b"),
            CookieCase("a=b", to: "https://www.example.com/x?y=/dir/", nil),
            CookieCase("a=b", from: "https://www.example.com", to: "https://www.example.com/x", "a=b"),
            CookieCase("a=b", from: "https://www.example.com/x", to: "https://www.example.com/y", "a=b"),
            CookieCase("a=b", from: "https://www.example.com/x/?y=/z/", to: "https://www.example.com/x/z", "a=b"),
            CookieCase("a=b", from: "https://www.example.com/x/y/", to: "https://www.example.com/x/", nil),
            CookieCase("a=b; Path=/foo", to: "https://www.example.com/foo", "a=b"),
            CookieCase("a=b; Path=/foo", to: "https://www.example.com/foo/", "a=b"),
            CookieCase("a=b; Path=/foo/", to: "https://www.example.com/foo", nil),
            CookieCase("a=b; Path=/foo/", to: "https://www.example.com/foo/x", "a=b"),
            CookieCase("a=b; Path=/foo", to: "https://www.example.com/foobar", nil),
            CookieCase("a=b; Path=/foo", to: "https://www.example.com/foo?bar", "a=b"),
            CookieCase("a=b; Path=foo", to: "https://www.example.com/dir/", "a=b"),
            CookieCase("a=b; Path=foo", to: "https://www.example.com/foo", nil),
            CookieCase("a=b; Path", to: "https://www.example.com/dir/", "a=b"),
            CookieCase("a=b; Path=", to: "https://www.example.com/", nil),
            CookieCase("a=b; Path=/x; Path=", to: "https://www.example.com/dir/x", "a=b"),
            CookieCase("a=b; Path=/foo%20bar", to: "https://www.example.com/foo%20bar", "a=b"),
            CookieCase("a=b; Path=/foo%20bar", to: "https://www.example.com/foo+bar", nil),
            CookieCase("a=b; Path=\"/\"", to: "https://www.example.com/dir/", "a=b"),
            CookieCase("a=b; Path=/other/place", to: "https://www.example.com/other/place/x", "a=b"),
        ])
    func paths(cookie: CookieCase) throws { try check(cookie) }

    private static let open = "http://www.example.com/"

    @Test(
        "Secure cookies are neither accepted from nor sent to plain HTTP",
        arguments: [
            CookieCase("a=b; Secure", from: site, to: site, "a=b"),
            CookieCase("a=b; Secure", from: site, to: open, nil),
            CookieCase("a=b; Secure", from: open, to: site, nil), CookieCase("a=b", from: open, to: site, "a=b"),
            CookieCase("a=b", from: site, to: open, "a=b"),
            CookieCase([("a=1; Secure", site), ("a=2", open)], to: site, "a=1"),
            CookieCase([("a=1; Secure", site), ("a=2", open)], to: open, nil),
            CookieCase([("a=1; Secure", site), ("a=2", site)], to: open, "a=2"),
            CookieCase([("a=1; Secure", site), ("a=; Max-Age=0", open)], to: site, "a=1"),
            CookieCase([("a=1; Secure", site), ("b=2", open)], to: site, "a=1; b=2"),
            CookieCase([("a=1; Secure; Domain=example.com", site), ("a=2", open)], to: site, "a=1"),
            CookieCase([("a=1; Secure", site), ("a=2; Domain=example.com", open)], to: site, "a=1"),
            CookieCase(
                [("a=1; Secure; Path=/x", site), ("a=2; Path=/x/y", open)], to: "https://www.example.com/x/y", "a=1"),
            CookieCase(
                [("a=1; Secure; Path=/x", site), ("a=2; Path=/", open)], to: "https://www.example.com/x", "a=1; a=2"),
            CookieCase([("a=1; Secure", "https://other.example.com/"), ("a=2", open)], to: open, "a=2"),
            CookieCase([("a=1; Secure", site), ("A=2", open)], to: site, "a=1; A=2"),
            CookieCase("a=b; SameSite=None", from: site, to: site, nil),
            CookieCase("a=b; SameSite=None; Secure", from: site, to: site, "a=b"),
            CookieCase("a=b; SameSite=Other", from: site, to: site, "a=b"),
            CookieCase("a=b; HttpOnly", from: open, to: open, "a=b"),
            CookieCase("a=b; Secure", from: site, to: "wss://www.example.com/", "a=b"),
            CookieCase("a=b; Secure", from: site, to: "ws://www.example.com/", nil),
        ])
    func secure(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "The loopback interface counts as trustworthy for Secure cookies, as with curl and browsers",
        arguments: [
            "http://localhost/", "http://localhost.:8080/", "http://127.0.0.1:8080/", "http://127.8.9.10/",
            "http://[::1]:8080/", "ws://localhost/",
        ])
    func loopback(url: String) throws {
        try check(CookieCase("a=b; Secure", from: url, to: url, "a=b"))
        try check(CookieCase([("a=1; Secure", url), ("a=2", url)], to: url, "a=2"))
    }

    @Test(
        "Hosts that only resemble the loopback interface are not trustworthy",
        arguments: [
            "http://localhost.evil.test/", "http://notlocalhost/", "http://127.evil.test/", "http://a.localhost/",
            "http://127.0.0.1.evil.test/",
            "http://[::2]/", "http://[::ffff:127.0.0.1]/", "http+unix://%2Frun%2Flocalhost/",
        ])
    func noLoopback(url: String) throws { try check(CookieCase("a=b; Secure", from: url, to: url, nil)) }

    private struct Way: Sendable {
        var url = "http://localhost:8080/"
        var proxy: String?
        var bypass = ""
        var addresses: [String: [String]] = [:]
        let isTrustworthy: Bool

        var request: TransportRequest {
            get throws {
                let base = try BaseURL.absolute(url).base
                let authority = base.host.contains(":") ? "[\(base.host)]" : base.host
                var request = TransportRequest(
                    head: HTTPRequest(
                        method: .get, scheme: base.scheme, authority: "\(authority):\(base.port)", path: "/"))
                if let proxy { request.options.route.proxy = .url(proxy, bypass: bypass) }
                request.options.route.addresses = addresses
                return request
            }
        }
    }

    private static let ways = [
        Way(isTrustworthy: true),
        Way(proxy: "http://proxy.test:3128", isTrustworthy: false),
        Way(proxy: "http://proxy.test:3128", bypass: "localhost", isTrustworthy: true),
        Way(addresses: ["localhost:8080": ["192.0.2.1"]], isTrustworthy: false),
        Way(addresses: ["*:8080": ["192.0.2.1"]], isTrustworthy: false),
        Way(addresses: ["localhost:8080": ["::1", "127.0.0.1"]], isTrustworthy: true),
        Way(addresses: ["localhost:8080": ["127.0.0.1", "192.0.2.1"]], isTrustworthy: false),
        Way(addresses: ["localhost:81": ["192.0.2.1"]], isTrustworthy: true),
        Way(url: "http://[::1]:8080/", addresses: ["[::1]:8080": ["192.0.2.1"]], isTrustworthy: false),
        Way(url: "https://localhost:8080/", proxy: "http://proxy.test:3128", isTrustworthy: true),
        Way(url: "http://a.test:8080/", addresses: ["a.test:8080": ["127.0.0.1"]], isTrustworthy: false),
    ]

    @Test("The loopback interface is not trustworthy if the request is routed elsewhere", arguments: ways.indices)
    func rerouted(index: Int) throws {
        let way = Self.ways[index]
        #expect(try CookieOrigin(way.request).isTrustworthy == way.isTrustworthy)
    }

    @Test("A cookie with bytes that are not UTF-8 is sent back byte for byte, and replaced by the bytes of its name")
    func rawBytes() throws {
        var jar = CookieJar()
        let origin = try CookieOrigin(Self.site)
        var now = Self.now
        func set(_ name: [UInt8], _ value: [UInt8]) -> Bool {
            now += 1
            return jar.receive(name + Array("=".utf8) + value, from: origin, at: now)
        }
        #expect(set(Array("a".utf8), Array("caf".utf8) + [0xE9]) && set([0xE9], [0x31]) && set([0xEA], [0x32]))
        let first: [UInt8] = [0xE9, 0x3B, 0x20, 0xE9, 0x3D, 0x31, 0x3B, 0x20, 0xEA, 0x3D, 0x32]
        #expect(jar.header(for: origin, at: Self.now) == Array("a=caf".utf8) + first)
        #expect(set([0xE9], [0x33]) && set(Array("a".utf8), [0x34]))
        let second: [UInt8] = [0xE9, 0x3D, 0x33, 0x3B, 0x20, 0xEA, 0x3D, 0x32]
        #expect(jar.header(for: origin, at: Self.now) == Array("a=4; ".utf8) + second)
        #expect(try jar.header(for: Self.site) == "a=4; \u{FFFD}=3; \u{FFFD}=2")
    }

    @Test("A cookie whose value is not UTF-8 is deleted by its name", arguments: ["a=; Max-Age=0", "a=1; Max-Age=-1"])
    func deletesRawBytes(field: String) throws {
        var jar = CookieJar()
        let origin = try CookieOrigin(Self.site)
        let isKept = jar.receive(Array("a=caf".utf8) + [0xE9], from: origin, at: Self.now)
        #expect(isKept)
        let isTaken = jar.receive(field.utf8, from: origin, at: Self.now)
        #expect(isTaken)
        let header = jar.header(for: origin, at: Self.now)
        #expect(header == nil)
    }

    @Test(
        "The __Secure- and __Host- prefixes are enforced",
        arguments: [
            CookieCase("__Secure-a=b; Secure", from: site, to: site, "__Secure-a=b"),
            CookieCase("__Secure-a=b", from: site, to: site, nil),
            CookieCase("__secure-a=b", from: site, to: site, nil),
            CookieCase("__SECURE-a=b; Secure; Domain=example.com", from: site, to: site, "__SECURE-a=b"),
            CookieCase("__Secure-a=b; Secure", from: open, to: site, nil),
            CookieCase("__Host-a=b; Secure; Path=/", from: site, to: site, "__Host-a=b"),
            CookieCase("__Host-a=b; Secure; Path=/", to: site, "__Host-a=b"),
            CookieCase("__Host-a=b; Path=/", from: site, to: site, nil),
            CookieCase("__host-a=b; Path=/", from: site, to: site, nil),
            CookieCase("__Host-a=b; Secure", from: site, to: site, nil),
            CookieCase("__Host-a=b; Secure; Path=", from: site, to: site, nil),
            CookieCase("__Host-a=b; Secure; Path=x", from: site, to: site, nil),
            CookieCase("__Host-a=b; Secure; Path=/; Path=x", from: site, to: site, nil),
            CookieCase("__Host-a=b; Secure; Path=/dir", to: page, nil),
            CookieCase("__Host-a=b; Secure; Path=/; Domain=example.com", from: site, to: site, nil),
            CookieCase("__HoSt-a=b; Secure; Path=/; Domain=www.example.com", from: site, to: site, nil),
            CookieCase("__Host-a=b; Secure; Path=/; Domain=", from: site, to: site, "__Host-a=b"),
            CookieCase("=__Host-a=b", from: site, to: site, nil),
            CookieCase("=__secure-a=b; Secure", from: site, to: site, nil),
            CookieCase("__Host-a", from: site, to: site, nil),
            CookieCase("__Hosta=b", from: site, to: site, "__Hosta=b"),
            CookieCase("x__Host-a=b", from: site, to: site, "x__Host-a=b"),
        ])
    func prefixes(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "A cookie expires as it declares; Max-Age overrides Expires",
        arguments: [
            CookieCase("a=b; Max-Age=101", from: site, to: site, "a=b"),
            CookieCase("a=b; Max-Age=100", from: site, to: site, nil),
            CookieCase("a=b; Max-Age=0", from: site, to: site, nil),
            CookieCase("a=b; Max-Age=-1", from: site, to: site, nil),
            CookieCase("a=b; Max-Age=", from: site, to: site, "a=b"),
            CookieCase("a=b; Max-Age=x", from: site, to: site, "a=b"),
            CookieCase("a=b; Max-Age=99999999999999999999999", from: site, to: site, "a=b"),
            CookieCase("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT", from: site, to: site, nil),
            CookieCase("a=b; Expires=Sun, 06 Nov 2094 08:49:37 GMT", from: site, to: site, "a=b"),
            CookieCase("a=b; Expires=nonsense", from: site, to: site, "a=b"),
            CookieCase("a=b; Max-Age=1000; Expires=Sun, 06 Nov 1994 08:49:37 GMT", from: site, to: site, "a=b"),
            CookieCase("a=b; Expires=Sun, 06 Nov 2094 08:49:37 GMT; Max-Age=0", from: site, to: site, nil),
            CookieCase("a=b; Max-Age=0; Max-Age=1000", from: site, to: site, "a=b"),
            CookieCase("a=b; Max-Age=1000; Max-Age=x", from: site, to: site, "a=b"),
            CookieCase([("a=1", site), ("a=2; Max-Age=0", site)], to: site, nil),
            CookieCase([("a=1; Path=/dir", page), ("a=; Max-Age=0; Path=/", page)], to: page, "a=1"),
            CookieCase([("a=1; Domain=example.com", site), ("a=; Max-Age=0", site)], to: site, "a=1"),
            CookieCase([("a=1; Max-Age=0", site), ("a=2", site)], to: site, "a=2"),
        ])
    func ends(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "Longer paths are sent first, then older cookies; a new cookie replaces one of the same name, domain and path",
        arguments: [
            CookieCase([("a=1; Path=/", page), ("b=2; Path=/dir", page)], to: page, "b=2; a=1"),
            CookieCase([("a=1; Path=/dir", page), ("b=2; Path=/dir", page)], to: page, "a=1; b=2"),
            CookieCase([("a=1", site), ("b=2", site), ("a=3", site)], to: site, "a=3; b=2"),
            CookieCase([("a=1", site), ("b=2", site), ("a=; Max-Age=0", site), ("a=4", site)], to: site, "b=2; a=4"),
            CookieCase([("a=1; Path=/", page), ("a=2; Path=/dir", page)], to: page, "a=2; a=1"),
            CookieCase([("a=1; Path=/", page), ("a=2; Path=/dir", page)], to: site, "a=1"),
            CookieCase([("a=1", site), ("a=2; Domain=www.example.com", site)], to: site, "a=1; a=2"),
            CookieCase([("a=1; Domain=example.com", site), ("a=2; Domain=EXAMPLE.COM", site)], to: site, "a=2"),
            CookieCase([("a=1; Path=/dir/", page), ("b=2; Path=/dir", page)], to: page, "a=1; b=2"),
            CookieCase([("a=1", site), ("=2", site)], to: site, "a=1; 2"),
            CookieCase([("=1", site), ("2", site)], to: site, "2"),
            CookieCase([("a=", site), ("b=", site)], to: site, "a=; b="),
            CookieCase("a=b=\"c\" d", from: site, to: site, "a=b=\"c\" d"),
        ])
    func order(cookie: CookieCase) throws { try check(cookie) }

    @Test(
        "A cookie expires after 400 days at most",
        arguments: ["Max-Age=99999999", "Expires=Fri, 31 Dec 9999 23:59:59 GMT"])
    func longest(attribute: String) throws {
        var jar = CookieJar()
        try jar.receive("a=b; \(attribute)", from: Self.site, at: Self.now)
        #expect(jar.cookies.first?.expires == Self.now.addingTimeInterval(400 * 24 * 60 * 60))
    }

    @Test(
        "SameSite decides which cookies a cross-site request sends",
        arguments: [
            ("SameSite=Strict", false, true, true), ("SameSite=Strict", true, true, false),
            ("SameSite=Lax", true, true, true),
            ("SameSite=Lax", true, false, false), ("", true, true, true), ("", true, false, false),
            ("", false, false, true),
            ("SameSite=None", true, false, true), ("SameSite=None", true, true, true),
        ])
    func sameSite(attribute: String, isCrossSite: Bool, isSafe: Bool, isSent: Bool) throws {
        var jar = CookieJar()
        let origin = try CookieOrigin(Self.site)
        let isTaken = jar.receive("a=b; Secure; \(attribute)".utf8, from: origin, at: Self.now)
        let sent = jar.header(for: origin, isSafe: isSafe, isCrossSite: isCrossSite, at: Self.now)
        #expect(isTaken)
        #expect((sent != nil) == isSent)
    }

    @Test(
        "A URL that is not an HTTP URL is refused",
        arguments: ["", "file:///x", "www.example.com/", "https://u:p@h.test/"])
    func invalidURL(url: String) {
        var jar = CookieJar()
        #expect(throws: InvalidRequestError.self) { try jar.receive("a=b", from: url) }
        #expect(throws: InvalidRequestError.self) { try jar.header(for: url) }
    }
}
