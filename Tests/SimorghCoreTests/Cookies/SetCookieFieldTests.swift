// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SetCookieFieldTests {
    @Test(
        "The name and the value are parsed as in RFC 6265bis",
        arguments: [
            ("a=b", "a", "b"), (" a = b ", "a", "b"), ("\ta\t=\tb\t;x", "a", "b"), ("a=b=c", "a", "b=c"),
            ("a=", "a", ""),
            ("=b", "", "b"), ("b", "", "b"), ("a==", "a", "="), ("a=\"b c\"", "a", "\"b c\""),
            ("a=\"b;c\"", "a", "\"b"),
            ("a=b;", "a", "b"), ("a=b;;;", "a", "b"), ("a=b; c=d", "a", "b"), ("a b=c d", "a b", "c d"),
            ("a,b=c,d", "a,b", "c,d"),
            ("é=ü", "é", "ü"), ("A=b", "A", "b"), ("a=b\t", "a", "b"), ("a=%3B", "a", "%3B"),
            ("$Version=1", "$Version", "1"),
        ])
    func pairs(text: String, name: String, value: String) throws {
        let field = try #require(SetCookieField(text.utf8))
        #expect(field.name == name)
        #expect(field.value == value)
    }

    @Test(
        "An empty field, or one with control characters, is ignored",
        arguments: [
            "", "=", ";", " ", "= ; Path=/", ";a=b", "a=b\u{0}", "a=b\r\nx", "a\u{7F}=b", "a=b; Path=/\u{1}",
            "\u{1B}=1",
        ])
    func ignored(text: String) { #expect(SetCookieField(text.utf8) == nil) }

    @Test("Bytes that are not UTF-8 (a=caf\\xe9) are kept beside the decoded text")
    func invalidText() throws {
        let field = try #require(SetCookieField(Array("a=caf".utf8) + [0xE9] + Array("; path=/".utf8)))
        #expect(field.rawPair?.name == Array("a".utf8) && field.rawPair?.value == Array("caf".utf8) + [0xE9])
        #expect(field.name == "a" && field.value == "caf\u{FFFD}" && field.path == "/")
        #expect(try #require(SetCookieField("a=caf\u{E9}".utf8)).rawPair == nil)
    }

    @Test(
        "A name and value of 4,096 bytes together are accepted; one byte more is not",
        arguments: [(4096, true), (4097, false)])
    func size(count: Int, isTaken: Bool) {
        #expect((SetCookieField("n=\(String(repeating: "x", count: count - 1))".utf8) != nil) == isTaken)
        #expect((SetCookieField("\(String(repeating: "x", count: count))=".utf8) != nil) == isTaken)
        #expect((SetCookieField(String(repeating: "x", count: count).utf8) != nil) == isTaken)
    }

    @Test("An attribute of more than 1,024 bytes is ignored")
    func attributeSize() throws {
        let long = "/" + String(repeating: "x", count: 1024)
        #expect(try #require(SetCookieField("a=b; Path=\(long)".utf8)).path == nil)
        #expect(try #require(SetCookieField("a=b; Path=\(long.dropLast())".utf8)).path?.utf8.count == 1024)
        #expect(try #require(SetCookieField("a=b; Path=/x; Path=\(long)".utf8)).path == "/x")
    }

    @Test(
        "The last of several attributes applies, in any case",
        arguments: [
            ("a=b; Domain=x.test; DOMAIN=y.test", "y.test", nil as String?), ("a=b; domain=.X.Test", "x.test", nil),
            ("a=b; domain=..x.test", ".x.test", nil), ("a=b; domain=", "", nil), ("a=b; domain", "", nil),
            ("a=b; path=/x; Path=/y", nil, "/y"), ("a=b; path", nil, ""), ("a=b;PATH = /x ", nil, "/x"),
            ("a=b; pathx=/x", nil, nil),
        ])
    func attributes(text: String, domain: String?, path: String?) throws {
        let field = try #require(SetCookieField(text.utf8))
        #expect(field.domain == domain)
        #expect(field.path == path)
    }

    @Test(
        "A flag attribute (Secure, HttpOnly) needs no value and ignores any",
        arguments: [
            ("a=b; Secure; HttpOnly", true, true), ("a=b; secure=false; httponly=0", true, true),
            ("a=b;SECURE", true, false),
            ("a=b; Secured", false, false), ("a=b; =Secure", false, false), ("Secure; HttpOnly", false, true),
        ])
    func flags(text: String, secure: Bool, httpOnly: Bool) throws {
        let field = try #require(SetCookieField(text.utf8))
        #expect(field.isSecure == secure)
        #expect(field.isHTTPOnly == httpOnly)
    }

    @Test(
        "SameSite is Strict, Lax or None; anything else counts as absent",
        arguments: [
            ("Strict", StoredCookie.SameSite.strict), ("lax", .lax), ("NONE", .unrestricted), ("other", nil), ("", nil),
        ])
    func sameSite(text: String, value: StoredCookie.SameSite?) throws {
        #expect(try #require(SetCookieField("a=b; SameSite=\(text)".utf8)).sameSite == value)
    }

    @Test(
        "Max-Age consists of digits with an optional minus",
        arguments: [
            ("10", 10 as Int64?), ("0", 0), ("-1", -1), ("007", 7), ("", nil), ("-", nil), ("+1", nil), ("1.5", nil),
            ("1e3", nil),
            ("10s", nil), ("ten", nil), ("99999999999999999999999", 1_000_000_000_000),
            ("-99999999999999999999999", -1_000_000_000_000),
        ])
    func maxAge(text: String, seconds: Int64?) throws {
        #expect(try #require(SetCookieField("a=b; Max-Age=\(text)".utf8)).maxAge == seconds)
    }

    @Test("The last Expires that is a date applies")
    func expires() throws {
        let field = try #require(
            SetCookieField("a=b; Expires=Sun, 06 Nov 1994 08:49:37 GMT; expires=never; EXPIRES".utf8))
        #expect(field.expires == Date(timeIntervalSince1970: 784_111_777))
    }
}
