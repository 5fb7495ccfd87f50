// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import SimorghSupport
import Testing

@Suite("IDNA", .timeLimit(.minutes(5)))
struct InternationalNameTests {
    @Test(
        "A host outside ASCII is converted to punycode, like in curl and browsers",
        arguments: [
            ("b\u{FC}cher.test", "xn--bcher-kva.test"), ("B\u{FC}cher.TEST", "xn--bcher-kva.test"),
            ("fa\u{DF}.de", "xn--fa-hia.de"), ("\u{3B2}\u{3CC}\u{3BB}\u{3BF}\u{3C2}.com", "xn--nxasmm1c.com"),
            ("\u{4F8B}\u{5B50}.\u{6D4B}\u{8BD5}", "xn--fsqu00a.xn--0zwm56d"),
            ("\u{645}\u{62B}\u{627}\u{644}.\u{625}\u{62E}\u{62A}\u{628}\u{627}\u{631}", "xn--mgbh0fb.xn--kgbechtv"),
            (
                "\u{909}\u{926}\u{93E}\u{939}\u{930}\u{923}.\u{92A}\u{930}\u{940}\u{915}\u{94D}\u{937}\u{93E}",
                "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"
            ),
            ("\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.xn--p1ai.", "xn--e1afmkfd.xn--p1ai."),
            ("a_b.\u{FC}-x", "a_b.xn---x-wka"), ("b%C3%BCcher.test", "xn--bcher-kva.test"),
            ("ASCII.test", "ascii.test"),
            // RFC 5892, section 2.6.
            ("col\u{B7}laboraci\u{F3}.cat", "xn--collaboraci-7sa20f.cat"),
            ("\u{30A6}\u{30A3}\u{30AD}\u{30FB}\u{30DA}\u{30C7}\u{30A3}\u{30A2}.jp", "xn--cckbak0byl6e7k.jp"),
            ("\u{3007}.jp", "xn--w6j.jp"), ("\u{5D0}\u{5F3}.il", "xn--4db4e.il"),
            ("\u{5E6}\u{5F4}\u{5DC}.il", "xn--hebt6b.il"), ("\u{375}\u{3B1}.gr", "xn--wva4j.gr"),
            ("\u{6FD}\u{628}.test", "xn--ngb93b.test"), ("\u{F0B}\u{F40}.test", "xn--nbd0i.test"),
        ])
    func converted(text: String, name: String) { #expect(HostSyntax.normalized(text) == name) }

    // RFC 3492, section 7.1: the lower-case samples.
    @Test(
        "The samples of RFC 3492 are encoded as in the RFC",
        arguments: [
            (
                "\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}",
                "xn--ihqwcrb4cv8a8dqg056pqjye"
            ),
            ("pro\u{10D}prost\u{11B}nemluv\u{ED}\u{10D}esky", "xn--proprostnemluvesky-uyb24dma41a"),
            (
                "\u{306A}\u{305C}\u{307F}\u{3093}\u{306A}\u{65E5}\u{672C}\u{8A9E}\u{3092}\u{8A71}\u{3057}\u{3066}\u{304F}\u{308C}\u{306A}\u{3044}\u{306E}\u{304B}",
                "xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"
            ),
            ("3\u{5E74}b\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}", "xn--3b-ww4c5e180e575a65lsy2b"),
            ("\u{305D}\u{306E}\u{30B9}\u{30D4}\u{30FC}\u{30C9}\u{3067}", "xn--d9juau41awczczp"),
        ])
    func samples(text: String, name: String) { #expect(HostSyntax.normalized(text) == name) }

    @Test(
        "A name that UTS #46 would change, or that IDNA does not allow, is refused",
        arguments: [
            "B\u{DC}CHER.test", "bu\u{308}cher.test", "\u{FF41}bc.test", "a\u{AD}b.test", "a\u{200D}b.test",
            "a\u{200C}b.test", "\u{308}a.test", "xn--b\u{FC}cher.test", "\u{FC}\u{3002}test", "i\u{2764}.test",
            "\u{1F4A9}.test", "a\u{2044}b.test", "a\u{2215}b.test", "\u{FC} x.test", "\u{FC}..test", ".\u{FC}",
            "\u{FC}/x",
            "\u{FC}@x", "\u{FC}%2e.test", "\u{FC}%", "b%FCcher.test", "a%2eb", "%C3%BC%00.test",
            "a\u{B7}b.test", "l\u{B7}.test", "\u{B7}l.test", "l\u{B7}\u{B7}l.test", "\u{30FB}a.test",
            "\u{5F3}\u{5D0}.test", "\u{375}a.test", "\u{3B1}\u{375}.test", "\u{645}\u{640}.test", "\u{303B}.test",
            "xn--\u{301}a.test",
            "\u{E000}.test", "1.2.3.\u{664}\u{FF11}", "[\u{FC}]",
        ])
    func refused(text: String) { #expect(HostSyntax.normalized(text) == nil) }

    @Test("A label has at most 63 ASCII characters, and a long name is rejected quickly")
    func bounds() {
        let label = String(repeating: "\u{FC}", count: 30)
        #expect(HostSyntax.normalized(label)?.utf8.count ?? 0 <= 63)
        #expect(HostSyntax.normalized(String(repeating: "\u{FC}", count: 60)) == nil)
        #expect(HostSyntax.normalized(String(repeating: "a", count: 58) + "\u{FC}") == nil)
        #expect(HostSyntax.normalized(String(repeating: "\u{FC}.", count: 100)) == nil)
        #expect(HostSyntax.normalized(String(repeating: "\u{10FFFF}", count: 1_000_000)) == nil)
    }

    @Test("Patterns, cookies, downloads, WebSockets and origins all accept internationalized host names")
    func places() throws {
        let ascii = "xn--bcher-kva.test"
        #expect(HostPattern("*.b\u{FC}cher.test")?.matches("www." + ascii) == true)
        #expect(StoredCookie(name: "a", value: "b", domain: ".b\u{FC}cher.test").domain == ascii)
        #expect(try CookieOrigin("https://b\u{FC}cher.test/").host == ascii)
        #expect(DownloadHost.name(of: "https://b%C3%BCcher.test:443/x") == ascii)
        #expect(DownloadHost.origin(of: "http://b\u{FC}cher.test:81/x") == "http://\(ascii):81")
        #expect(WebOrigin("https://b\u{FC}cher.test/")?.description == "https://\(ascii)")
        #expect(try BaseURL.absolute("wss://b\u{FC}cher.test/x", schemes: BaseURL.webSocketSchemes).base.host == ascii)
    }
}
