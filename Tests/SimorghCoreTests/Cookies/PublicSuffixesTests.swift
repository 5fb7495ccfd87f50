// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PublicSuffixesTests {
    @Test(
        "The examples of publicsuffix.org have the expected registrable name",
        arguments: [
            ("com", "com"), ("example.com", "example.com"), ("b.example.com", "example.com"),
            ("a.b.example.com", "example.com"), ("b.domain.biz", "domain.biz"), ("uk.com", "uk.com"),
            ("example.uk.com", "example.uk.com"), ("a.b.example.uk.com", "example.uk.com"), ("test.ac", "test.ac"),
            ("mm", "mm"), ("c.mm", "c.mm"), ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"), ("jp", "jp"),
            ("www.test.jp", "test.jp"), ("ac.jp", "ac.jp"), ("www.test.ac.jp", "test.ac.jp"), ("kyoto.jp", "kyoto.jp"),
            ("test.kyoto.jp", "test.kyoto.jp"), ("ide.kyoto.jp", "ide.kyoto.jp"),
            ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"),
            ("c.kobe.jp", "c.kobe.jp"), ("a.b.c.kobe.jp", "b.c.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"),
            ("www.city.kobe.jp", "city.kobe.jp"), ("ck", "ck"), ("test.ck", "test.ck"), ("b.test.ck", "b.test.ck"),
            ("a.b.test.ck", "b.test.ck"), ("www.ck", "www.ck"), ("www.www.ck", "www.ck"), ("us", "us"),
            ("www.test.ak.us", "test.ak.us"), ("k12.ak.us", "k12.ak.us"), ("www.test.k12.ak.us", "test.k12.ak.us"),
            ("xn--85x722f.com.cn", "xn--85x722f.com.cn"),
            ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
            ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"), ("www.shishi.xn--fiqs8s", "shishi.xn--fiqs8s"),
            ("xn--fiqs8s", "xn--fiqs8s"), ("me.github.io", "me.github.io"), ("a.me.github.io", "me.github.io"),
            ("localhost", "localhost"), ("a.b.unlisted", "b.unlisted"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"),
        ])
    func registrable(host: String, name: String) { #expect(PublicSuffixes.registrableName(of: host) == name) }

    @Test(
        "Public suffixes are distinguished from registrable names",
        arguments: [
            ("com", true), ("co.uk", true), ("github.io", true), ("example.com", false), ("ck", true), ("x.ck", true),
            ("www.ck", false), ("localhost", true), ("aaa", true), ("zw", true), ("zuerich", true), ("unlisted", true),
            ("unlisted.unlisted", false), ("city.kobe.jp", false), ("other.kobe.jp", true), ("xn--p1ai", true),
            ("", true),
        ])
    func suffixes(host: String, isOne: Bool) { #expect(PublicSuffixes.contains(host) == isOne) }

    @Test("Each rule of the public suffix list matches its own name")
    func all() throws {
        #expect(PublicSuffixes.version.hasPrefix("20"))
        var count = 0
        for rule in PublicSuffixes.rules {
            count += 1
            let (name, isSuffix) =
                rule.hasPrefix("!") ? (String(rule.dropFirst()), false) : (rule.replacing("*", with: "any"), true)
            #expect(PublicSuffixes.contains(name) == isSuffix, "\(rule)")
        }
        #expect(count > 9000)
    }
}
