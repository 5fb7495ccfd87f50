// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// The table of SECURITY.md: what logs, events, errors and cURL commands hide of each kind of value, and what they
/// show.
@Suite("Redaction by structure", .timeLimit(.minutes(10)))
struct RedactionTableTests {
    private static let redactor: Redactor = {
        var head = HTTPRequest(
            method: .post, scheme: "https", authority: "a.test", path: "/x?api_key=k3y/of+mine&page=2")
        head.headerFields = [
            .authorization: "Bearer t0k+en/of-mine", .cookie: "theme=dark; sid=c00kie-of-mine",
        ]
        return Redactor(
            .standard,
            request: TransportRequest(
                head: head, body: .text(#"{"pin":"p1n-of-mine"}"#, contentType: "application/json")))
    }()

    @Test(
        "A header field with a sensitive name shows at most its scheme; others show their value without secrets",
        arguments: [
            ("Authorization", "Bearer s3cret", "Bearer [hidden]"), ("Cookie", "theme=dark; sid=s3cret", "[hidden]"),
            ("Set-Cookie", "sid=s3cret; Path=/", "[hidden]"), ("X-API-Key", "s3cret", "[hidden]"),
            ("Proxy-Authorization", "Basic czNjcmV0", "Basic [hidden]"), ("X-My-Token", "s3cret", "[hidden]"),
            ("Location", "https://u:s3cret@b.test/?code=s3cret&page=2", "https://b.test/?code=[hidden]&page=2"),
            ("Link", "<https://b.test/?token=s3cret>; rel=next", "<https://b.test/?token=[hidden]>; rel=next"),
            ("X-Next", "/in?next=https%3A%2F%2Fu%3As3cret%40b.test", "[hidden]"),
            ("X-Next", "/a%20b?page=2", "/a%20b?page=2"),
            ("Server", "nginx/1.27", "nginx/1.27"),
            ("Date", "Thu, 26 Nov 2026 15:00:00 GMT", "Thu, 26 Nov 2026 15:00:00 GMT"),
        ])
    func field(name: String, value: String, shown: String) throws {
        #expect(Self.redactor.field(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) == shown)
    }

    @Test(
        "A URL is shown without its user info, the values of sensitive query items, and its fragment",
        arguments: [
            ("https://zal:s3cret@b.test/x", "https://b.test/x"), ("https://t0ken@b.test/x", "https://b.test/x"),
            ("https://b.test/x?access_token=s3cret&page=2", "https://b.test/x?access_token=[hidden]&page=2"),
            ("https://b.test/x?acc%65ss_token=s3cret", "https://b.test/x?acc%65ss_token=[hidden]"),
            ("https://b.test/x?next=https%3A%2F%2Fc.test%2F%3Fsig%3Ds3cret", "https://b.test/x?next=[hidden]"),
            ("https://b.test/x;jsessionid=s3cret/y", "https://b.test/x;jsessionid=[hidden]/y"),
            ("https://b.test/x#s3cret", "https://b.test/x#…"),
        ])
    func url(url: String, shown: String) { #expect(Self.redactor.url(url) == shown) }

    @Test(
        "A body is shown with its structure, but without values of sensitive names",
        arguments: [
            ("application/json", #"{"user":"zal","password":"s3cret"}"#, #"{"user":"zal","password":"[hidden]"}"#),
            ("application/json", #"{"p\u0061ssword" : ["s3cret"]}"#, #"{"p\u0061ssword" : "[hidden]"}"#),
            ("application/json", #"{"at":"https:\/\/u:s3cret@b.test\/"}"#, #"{"at":"https:\/\/b.test\/"}"#),
            ("application/x-www-form-urlencoded", "user=zal&p%61ss=s3cret", "user=zal&p%61ss=[hidden]"),
            (
                "text/xml", "<a><x:password t='1'>s3cret</x:password></a>",
                "<a><x:password t='1'>[hidden]</x:password></a>"
            ),
            ("text/xml", "<token><![CDATA[s3cret]]></token>", "<token><![CDATA[[hidden]]]></token>"),
            ("text/xml", "<user token=\"s3cret\">zal</user>", "<user token=\"[hidden]\">zal</user>"),
            ("text/plain", "password: s3cret, user: zal", "password: [hidden], user: zal"),
            ("image/png", "s3cret", "[image/png, 6 bytes]"),
        ])
    func body(type: String, body: String, shown: String) {
        #expect(Self.redactor.body(Data(body.utf8), type: type, upTo: 1000).text == shown)
    }

    @Test(
        "A credential of the request is hidden in every text, also escaped once",
        arguments: [
            ("bad token t0k+en/of-mine", "bad token [hidden]"), ("bad token t0k%2Ben%2Fof-mine", "bad token [hidden]"),
            ("bad token t0k%2ben%2fof-mine", "bad token [hidden]"),
            (#"bad token t0k\u002Ben\/of-mine"#, "bad token [hidden]"),
            ("sid c00kie-of-mine", "sid [hidden]"), ("key k3y/of+mine", "key [hidden]"),
            ("key k3y%2Fof%2Bmine", "key [hidden]"),
            ("pin p1n-of-mine", "pin [hidden]"), ("dark c00kie", "dark c00kie"),
        ])
    func copies(text: String, shown: String) {
        #expect(Self.redactor.text(text) == shown)
        #expect(Self.redactor.body(Data(text.utf8), type: "text/html", upTo: 1000).text == shown)
        #expect("\(Self.redactor.shown(TransportError(.unknown, phase: .head, message: text)).message)" == shown)
    }

    @Test(
        "Secrets behind a second level of encoding are shown, except in HAR files and cassettes",
        arguments: [
            #"{"a":"{\"pin\":1234567}"}"#, #"{"a":"{\"b\":\"{\\\"c\\\":{\\\"token\\\":1234567}}\"}"}"#,
            "go to https%3A%2F%2Fb.test%2F%3Ftoken%3D1234567",
            "https://b.test/?a=https%253A%252F%252Fc.test%253Ftoken%253D1234567",
        ])
    func secondLevel(text: String) {
        #expect(Redactor(.standard).text(text).contains("1234567"))
        // In JSON inside a JSON string, names such as `pin` are not sensitive in any output.
        let isShown = text.contains("pin")
        #expect(Redactor(.standard, finder: NestedSecretFinder()).text(text).contains("1234567") == isShown)
    }

    // MARK: Hostile input

    @Test(
        "Text that ends inside an escape, a string or a tag shows nothing of the secret before it",
        arguments: [
            #"{"token":"s3cret-value\"#, #"{"token":"s3cret-value\u00"#, #"{"token":"s3cret-value\ud83d"#,
            #"{"token":"s3cret-value"#,
            #"{"token":{"a":"s3cret-value"#, #"{"tok\u0065n":"s3cret-value"#, "<token>s3cret-value",
            "<token>s3cret-value<",
            "<token><![CDATA[s3cret-value]]", "token='s3cret-value", "token=s3cret-value%",
            "token: s3cret-value%2",
            "https://u:s3cret-value@", "https://u:s3cret-value@b.test", "Bearer s3cret-value\\", "?code=s3cret-value&",
            "[hidden]token=s3cret-value",
        ])
    func unterminated(text: String) {
        for type in ["application/json", "text/xml", "text/plain", nil] {
            let shown = Redactor(.standard).body(Data(text.utf8), type: type, upTo: 1000).text
            #expect(!shown.contains("s3cret-value"), "\(shown)")
        }
    }

    @Test("A form that ends in an escape hides items with sensitive names", arguments: ["%", "%2", "%zz", "+", "="])
    func form(rest: String) {
        for item in ["token=s3cret-value\(rest)", "t%6Fken=s3cret-value\(rest)", "a=1&token=\(rest)s3cret-value"] {
            #expect(!Redactor(.standard).form(item).contains("s3cret-value"))
        }
    }

    @Test("Invalid UTF-8 beside a secret is shown as U+FFFD, and the secret is hidden")
    func invalidUTF8() {
        for type in ["application/json", "application/x-www-form-urlencoded", "text/xml", "text/plain"] {
            let texts = ["{\"token\":\"s3cret-value", "token=s3cret-value", "<token>s3cret-value"]
            let text = type.hasSuffix("json") ? texts[0] : type.hasSuffix("xml") ? texts[2] : texts[1]
            for bytes: [UInt8] in [[0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0x80]] {
                for body in [Data(bytes) + Data(text.utf8), Data(text.utf8) + Data(bytes)] {
                    let shown = Redactor(.standard).body(body, type: type, upTo: 1000).text
                    #expect(!shown.contains("s3cret-value"), "\(shown)")
                }
            }
        }
    }

    @Test(
        "A secret that begins before the limit of a huge body is hidden completely",
        arguments: [0, 1, 5, 12, 13, 14, 100])
    func cutAtLimit(distance: Int) {
        let limit = 64 * 1024
        let secret = String(repeating: "s3cret-", count: 1000)
        for text in ["{\"a\":\"%\",\"token\":\"\(secret)\"}", "<a>%</a><token>\(secret)</token>", "%, token=\(secret)"]
        {
            let head = text[..<(text.range(of: secret)?.lowerBound ?? text.endIndex)].utf8.count
            let body = text.replacing("%", with: String(repeating: "x", count: limit - head - distance + 1))
            let type = text.hasPrefix("<") ? "text/xml" : text.hasPrefix("{") ? "application/json" : "text/plain"
            let bytes = Data(body.utf8) + Data(count: 0)
            let shown = Redactor(.standard).body(bytes, type: type, size: 1 << 40, upTo: limit).text
            #expect(!shown.contains("s3cret") && !shown.contains("s3c"))
            #expect(shown.utf8.count <= limit + 100)
        }
    }

    @Test("A sensitive name that is split across two chunks of a stream is recognized")
    func splitName() {
        let text = "data: {\"access_t\\u006fken\":\"s3cret-value\",\"n\":1}\n"
        for cut in 1..<text.utf8.count {
            var lines = StreamLines(Redactor(.standard), upTo: 1000)
            let shown = lines.take(text.utf8.prefix(cut)) + lines.take(text.utf8.dropFirst(cut))
            #expect(shown.map(\.text) == ["data: {\"access_t\\u006fken\":\"[hidden]\",\"n\":1}"])
        }
    }

    @Test(
        "Adversarial text is processed in linear time",
        arguments: [
            "token=", "token='", "<token ", "<token a='", "<token><!--", "\"token\":", "https://", "?a=", "eyJ.",
            "\\\"token\\\":\\\"", "Bearer ", "\\",
        ])
    func flood(piece: String) {
        let text = String(repeating: piece, count: 40_000)
        #expect(!Redactor(.standard).text(text).isEmpty)
    }
}
