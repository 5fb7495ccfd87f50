// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// HAR files and cassettes hide secrets in URLs inside URLs, and in text whose names and delimiters are escaped.
@Suite("NestedSecretFinder: URLs", .timeLimit(.minutes(10)))
struct DeepPlacesTests {
    @Test(
        "A nested URL is hidden completely if it holds a secret, and shown otherwise",
        arguments: [
            ("next=/cb?access_token=s3cret123", "next=[hidden]"),
            ("url=https%3A%2F%2Fb.test%2F%3Fsig%3Ds3cret123&page=2", "url=[hidden]&page=2"),
            ("next=https://u:pw@b.test/", "next=[hidden]"), ("next=%2F%2Fu:pw@b.test", "next=[hidden]"),
            ("filter=%7B%22token%22:%22abc%22%7D", "filter=[hidden]"), ("next=/x?customer=4711", "next=[hidden]"),
            ("next=https%3A%2F%2Fb.test%2F%3Fpage%3D2", "next=https%3A%2F%2Fb.test%2F%3Fpage%3D2"),
            ("to=joe@a.test&cc=mailto:joe@a.test&at=10:30", "to=joe@a.test&cc=mailto:joe@a.test&at=10:30"),
            ("next=%2Flogin%3Fnext%3D%252Fcb%253Faccess_token%253Ds3cret123", "next=[hidden]"),
            ("next=%2Flogin%3Fnext%3D%252Fcb%253Fpage%253D2", "next=%2Flogin%3Fnext%3D%252Fcb%253Fpage%253D2"),
            ("a=1=2&b=%zz&c=%", "a=1=2&b=%zz&c=%"), ("https://u:pw@b.test/", "[hidden]"),
            ("page=2&https://u:pw@b.test/?page=2", "page=2&[hidden]"), ("%2F%2Fu:pw@b.test&=", "[hidden]&="),
            ("https://b.test/?sig=s3cret123", "[hidden]"), ("https%3A%2F%2Fb.test%2F%3Fsig=s3cret123", "[hidden]"),
            ("https%253A%252F%252Fb.test%252F%253Fsig=s3cret123", "[hidden]"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "[hidden]"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig=", "[hidden]"),
            ("https://b.test/?page=2", "https://b.test/?page=2"),
            ("https://b.test/&joe@a.test", "https://b.test/&joe@a.test"),
            (#"page=2&filter={"pin":1234}"#, "page=2&filter=[hidden]"), ("x=Bearer+abcdef123456", "x=[hidden]"),
            ("page=1,2&ids=1,eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "page=1,2&ids=[hidden]"),
            ("<pwd>s3cret123</pwd>", "[hidden]"), ("where[password:eq]=s3cret123", "[hidden]"),
            ("q=a+b+<c>&note=for+bearer", "q=a+b+<c>&note=for+bearer"),
        ])
    func urlsInURLs(query: String, shown: String) {
        var rules = RedactionRules()
        rules.names = ["customer"]
        #expect(
            rules.shown(url: "https://a.test/?\(query)", finder: NestedSecretFinder()) == "https://a.test/?\(shown)")
        #expect(rules.shown(form: query[...], finder: NestedSecretFinder()) == shown)
        #expect(rules.shown(form: shown[...], finder: NestedSecretFinder()) == shown)
        #expect(RedactionRules.none.shown(form: query[...]) == query)
    }

    @Test(
        "A secret of a nested URL or form is hidden where a response repeats it alone",
        arguments: [
            "url=https%3A%2F%2Fb.test%2F%3Fsig%3Ds3cret123", "next=https://u:s3cret123@b.test/",
            "next=%2Flogin%3Fnext%3D%252Fcb%253Faccess_token%253Ds3cret123", "https://u:s3cret123@b.test/",
            "//u:s3cret123@b.test/?page=2", "https%3A%2F%2Fb.test%2F%3Fsig=s3cret123", "where[password:eq]=s3cret123",
            "filter=%7B%22pin%22:%22s3cret123%22%7D", "filter=+%0A%7B%22pin%22:%22s3cret123%22%7D",
        ])
    func repeated(query: String) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/?\(query)")
        #expect(
            Redactor(.standard, request: TransportRequest(head: head), finder: NestedSecretFinder()).text(
                "you are s3cret123")
                == "you are [hidden]")
        let form = RequestBody.text(query, contentType: "application/x-www-form-urlencoded")
        let plain = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        let sent = TransportRequest(head: plain, body: form)
        #expect(
            Redactor(.standard, request: sent, finder: NestedSecretFinder()).text("you are s3cret123")
                == "you are [hidden]")
    }

    @Test(
        "A secret of an escaped URL in a text is hidden, however often it was escaped",
        arguments: [
            (
                "go=https%3A%2F%2Fb.test%2F%3Ftoken%3Dabc123%26n%3D1",
                "go=https%3A%2F%2Fb.test%2F%3Ftoken%3D[hidden]%26n%3D1"
            ),
            ("%253Fpassword%253Da%252526c%2526n%253D1&m=1", "%253Fpassword%253D[hidden]%2526n%253D1&m=1"),
            (
                #"{"go":"https://a.test/?to=%2Fb%3Fpassword%3Da%2520b%3B%23x"}"#,
                #"{"go":"https://a.test/?to=%2Fb%3Fpassword%3D[hidden]%23x"}"#
            ),
            ("%3fsig%3dabc123%26n%3d1", "%3fsig%3d[hidden]%26n%3d1"), ("a%3Fsig=abc123&n=1", "a%3Fsig=[hidden]&n=1"),
            ("see https%3A%2F%2Fzal:s3cret@b.test%2F", "see https%3A%2F%2Fb.test%2F"),
            ("see https%3A%2F%2Fzal%3As3cret%40b.test%3Fn%40x", "see https%3A%2F%2Fb.test%3Fn%40x"),
            ("see https%253A%252F%252Fzal%253As3cret%2540b.test", "see https%253A%252F%252Fb.test"),
            ("see https%3A%2F%2Fb.test%2F%40x and a@b", "see https%3A%2F%2Fb.test%2F%40x and a@b"),
            (
                #"{"next":"https:\/\/zal:s3cret@b.test\/?token=abc&n=1"}"#,
                #"{"next":"https:\/\/b.test\/?token=[hidden]&n=1"}"#
            ),
            ("%7B%22token%22%3A%22a%2520b%22%2C%22n%22%3A1%7D", "%7B%22token%22%3A%22[hidden]%22%2C%22n%22%3A1%7D"),
            ("%7B%22token%22%3A%7B%22a%22%3A1%7D%7D&n=1", "%7B%22token%22%3A[hidden]&n=1"),
            ("say Bearer%20abcdefgh1 to it", "say Bearer%20[hidden] to it"),
            ("authorization%3DBearer%20abcdefgh1&n=1", "authorization%3D[hidden]&n=1"),
            ("token%3A %20x", "token%3A %20x"), ("100% token%2", "100% token%2"),
            ("token%20count%3D3", "token%20count%3D3"),
            ("%access_key=abc123", "%access_key=[hidden]"), ("%Bearer abcdefgh1", "%Bearer [hidden]"),
            ("%25cardnumber: 4111", "%25cardnumber: [hidden]"),
        ])
    func escapedURLs(text: String, shown: String) {
        #expect(NestedSecretFinder().shown(text, by: .standard, afterJSON: false) == shown)
        #expect(NestedSecretFinder().shown(shown, by: .standard, afterJSON: false) == shown)
        #expect(Redactor(.standard, finder: NestedSecretFinder()).text(text) == shown)
    }

    @Test(
        "A string of escaped JSON is hidden up to its closing quote, whatever precedes it or is in it",
        arguments: [
            (
                "%7B%22token%22%3A%20%22s3cret%22%2C%22n%22%3A1%7D",
                "%7B%22token%22%3A%20%22[hidden]%22%2C%22n%22%3A1%7D"
            ),
            ("v=%7B%22token%22%3A+%22s3cret%22%7D", "v=%7B%22token%22%3A+%22[hidden]%22%7D"),
            ("%7B%22token%22%3A%22a%5C%22it's%27(b),c%22%7D", "%7B%22token%22%3A%22[hidden]%22%7D"),
            (
                "%7B%5C%22token%5C%22%3A%5C%22a%5C%5C%5C%22b%5C%22%7D",
                "%7B%5C%22token%5C%22%3A%5C%22[hidden]%5C%22%7D"
            ),
            ("%22token%22%3A%22a%26b%5C%5C%22%2C%22n%22%3A1", "%22token%22%3A%22[hidden]%22%2C%22n%22%3A1"),
            ("%22token%22%3A%22%22%2C%22n%22%3A1", "%22token%22%3A%22%22%2C%22n%22%3A1"),
            ("password%3D%5Cabc%26n%3D1", "password%3D[hidden]%26n%3D1"), ("token%3D%22", "token%3D%22"),
            ("token%3D%20%5C", "token%3D%20[hidden]"), ("token%3D%22abc", "token%3D%22[hidden]"),
        ])
    func escapedStrings(text: String, shown: String) {
        #expect(NestedSecretFinder().shown(text, by: .standard, afterJSON: false) == shown)
        #expect(NestedSecretFinder().shown(shown, by: .standard, afterJSON: false) == shown)
        #expect(Redactor(.standard, finder: NestedSecretFinder()).text(text) == shown)
    }

    @Test(
        "A credential after an escaped space is hidden, and ordinary words are not",
        arguments: [
            ("q=basic%20income%20for%20all", "q=basic%20income%20for%20all"),
            ("q=basic%20r%C3%A9sum%C3%A9s&n=2024", "q=basic%20r%C3%A9sum%C3%A9s&n=2024"),
            ("digest%2520of%2520the%2520week", "digest%2520of%2520the%2520week"),
            ("a%20Bearer%20abcdefgh1%20and%20more", "a%20Bearer%20[hidden]%20and%20more"),
            ("q=Basic%20dXNlcjpw%2Bzz%3D%3D&n=1", "q=Basic%20[hidden]&n=1"),
        ])
    func escapedSchemes(text: String, shown: String) {
        #expect(NestedSecretFinder().shown(text, by: .standard, afterJSON: false) == shown)
        #expect(NestedSecretFinder().shown(shown, by: .standard, afterJSON: false) == shown)
    }
}
