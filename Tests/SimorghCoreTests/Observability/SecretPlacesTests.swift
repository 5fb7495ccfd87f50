// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// Secrets where a name alone does not tell: under another type, in a URL in a URL, under escaped names.
@Suite("Secrets in other places", .timeLimit(.minutes(10)))
struct SecretPlacesTests {
    @Test(
        "JSON that is called a form is JSON, and a form is a form",
        arguments: [
            (#"{"user":"zal","password":"hunter22"}"#, #"{"user":"zal","password":"[hidden]"}"#),
            ("\n\t [{\"pin\":1234}]", "\n\t [{\"pin\":\"[hidden]\"}]"),
            ("user=zal&pin=1234&code={}", "user=zal&pin=[hidden]&code=[hidden]"),
            ("[a][password]=s3cret123", "[a][password]=[hidden]"),
        ])
    func forms(text: String, shown: String) {
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        let body = Redactor(.standard).body(Data(text.utf8), type: type, upTo: 1000)
        #expect(body.text == shown)
    }

    @Test("What JSON that is called a form holds is looked for where an answer repeats it")
    func sentAsForm() {
        let head = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        let body = RequestBody.text(#"{"password":"hunter22"}"#, contentType: "application/x-www-form-urlencoded")
        let redactor = Redactor(.standard, TransportRequest(head: head, body: body))
        #expect(redactor.text("you are hunter22") == "you are [hidden]")
    }

    @Test(
        "A name of the user's own that is not of ASCII is found however JSON escapes it",
        arguments: [
            ("contraseña", "contraseña"), ("contraseña", #"contrase\u00f1a"#), ("contraseña", #"CONTRASE\u00D1A"#),
            ("contraseña", #"contrasen\u0303a"#), ("пароль", #"\u043f\u0430\u0440\u043e\u043b\u044c"#),
            ("key🔑", #"key\ud83d\uDD11"#), ("taxNumber", #"tax\u005fnumber"#),
        ])
    func ownNames(name: String, key: String) {
        var rules = RedactionRules()
        rules.names = [name]
        #expect(Redactor(rules).text("{\"\(key)\":\"hunter22\"}") == "{\"\(key)\":\"[hidden]\"}")
    }

    @Test(
        "A name with half an escape is none of the user's own", arguments: [#"a\ud83d"#, #"a\ud83d\u0041"#, #"a\u00f"#])
    func halfEscapes(key: String) {
        var rules = RedactionRules()
        rules.names = ["añ"]
        let text = "{\"\(key)\":\"feather\"}"
        #expect(Redactor(rules).text(text) == text)
    }

    @Test(
        "A URL in a URL is hidden as a whole where it holds a secret, and shown where it holds none",
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
        #expect(rules.shown(url: "https://a.test/?\(query)") == "https://a.test/?\(shown)")
        #expect(rules.shown(form: query[...]) == shown)
        #expect(rules.shown(form: shown[...]) == shown)
        #expect(RedactionRules.none.shown(form: query[...]) == query)
    }

    @Test(
        "What a URL in a URL or in a form holds is hidden where an answer repeats it alone",
        arguments: [
            "url=https%3A%2F%2Fb.test%2F%3Fsig%3Ds3cret123", "next=https://u:s3cret123@b.test/",
            "next=%2Flogin%3Fnext%3D%252Fcb%253Faccess_token%253Ds3cret123", "https://u:s3cret123@b.test/",
            "//u:s3cret123@b.test/?page=2", "https%3A%2F%2Fb.test%2F%3Fsig=s3cret123", "where[password:eq]=s3cret123",
            "filter=%7B%22pin%22:%22s3cret123%22%7D", "filter=+%0A%7B%22pin%22:%22s3cret123%22%7D",
        ])
    func repeated(query: String) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/?\(query)")
        #expect(Redactor(.standard, TransportRequest(head: head)).text("you are s3cret123") == "you are [hidden]")
        let form = RequestBody.text(query, contentType: "application/x-www-form-urlencoded")
        let plain = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        let sent = TransportRequest(head: plain, body: form)
        #expect(Redactor(.standard, sent).text("you are s3cret123") == "you are [hidden]")
    }

    @Test("What holds a mask is shown as it is by what is made for it")
    func masked() {
        let url = "https://a.test/?x=a[hidden]&token=[hidden]&[hidden]"
        #expect(Redactor(.standard, url: url).url(url) == url)
    }

    @Test(
        "The user of a URL that is the path of a reference is left out, and hidden where it turns up again",
        arguments: [
            ("//o.test/https://zal:s3cretpw@b.test/x", "//o.test/https://b.test/x"),
            ("//o.test:80/https://zal:s3cretpw@b.test/x", "//o.test:80/https://b.test/x"),
            ("//zal:s3cretpw@o.test/x", "//o.test/x"),
        ])
    func references(url: String, shown: String) {
        #expect(RedactionRules.standard.shown(url: url) == shown)
        #expect(Redactor(.standard, url: url).text("you are s3cretpw") == "you are [hidden]")
        let redactor = Redactor(.standard).adding(HTTPResponse(status: .found, headerFields: [.location: url]))
        #expect(redactor.text("you are s3cretpw") == "you are [hidden]")
    }

    @Test(
        "A reference whose path is a URL of no user stays",
        arguments: ["//o.test/https://b.test/@x", "//o.test:80/:a@b"])
    func plainReferences(url: String) { #expect(ShownURL.withoutCredentials(url) == url) }

    @Test(
        "What a URL that is escaped within a text holds is hidden, however often it was escaped",
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
        #expect(SecretText.shown(text, .standard) == shown)
        #expect(SecretText.shown(shown, .standard) == shown)
        #expect(Redactor(.standard).text(text) == shown)
    }

    @Test(
        "What a string of escaped JSON holds is hidden up to its last quote, whatever stands before and in it",
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
        #expect(SecretText.shown(text, .standard) == shown)
        #expect(SecretText.shown(shown, .standard) == shown)
        #expect(Redactor(.standard).text(text) == shown)
    }

    @Test(
        "What follows an escaped blank is hidden where it is a credential, and no words that follow each other",
        arguments: [
            ("q=basic%20income%20for%20all", "q=basic%20income%20for%20all"),
            ("q=basic%20r%C3%A9sum%C3%A9s&n=2024", "q=basic%20r%C3%A9sum%C3%A9s&n=2024"),
            ("digest%2520of%2520the%2520week", "digest%2520of%2520the%2520week"),
            ("a%20Bearer%20abcdefgh1%20and%20more", "a%20Bearer%20[hidden]%20and%20more"),
            ("q=Basic%20dXNlcjpw%2Bzz%3D%3D&n=1", "q=Basic%20[hidden]&n=1"),
        ])
    func escapedSchemes(text: String, shown: String) {
        #expect(SecretText.shown(text, .standard) == shown)
        #expect(SecretText.shown(shown, .standard) == shown)
    }

    @Test(
        "What an XML element holds is hidden, whatever stands around it and in its tag",
        arguments: [
            (
                "<n>19\" rack</n><password Type=\"x\">hunter22</password>",
                "<n>19\" rack</n><password Type=\"x\">[hidden]</password>"
            ),
            ("<a>5\" <password>hun\"ter22</password>", "<a>5\" <password>[hidden]</password>"),
            ("<password\n>hunter22</password>", "<password\n>[hidden]</password>"),
            ("<password \t\r\n>hunter22</password>", "<password \t\r\n>[hidden]</password>"),
            ("<password\n/>feather<b>", "<password\n/>feather<b>"),
            (
                "<password><![CDATA[abc123]]]]><![CDATA[>def456]]></password>",
                "<password><![CDATA[[hidden]]]><![CDATA[[hidden]]]></password>"
            ),
            ("<password><![CDATA[abc123]]>def456</password>", "<password><![CDATA[[hidden]]]>[hidden]</password>"),
            ("<password>\n<!-- x -->\nhunter22</password>", "<password>\n<!--[hidden]-->[hidden]</password>"),
            (
                "<password a=\"1\">hunter<!-- x -->22</password>",
                "<password a=\"1\">[hidden]<!--[hidden]-->[hidden]</password>"
            ),
            ("<password><!-- hunter22", "<password><!--[hidden]"), ("<password><![CDATA[", "<password><![CDATA["),
            ("<password><!---->\n<b>feather</b>", "<password><!---->\n<b>feather</b>"),
        ])
    func elements(text: String, shown: String) {
        #expect(SecretText.shown(text, .standard) == shown)
        #expect(SecretText.shown(shown, .standard) == shown)
        #expect(Redactor(.standard).text(text) == shown)
        #expect(Redactor(.standard).text(shown) == shown)
    }

    @Test("Many short cookies leave room for the session that a server sets with them")
    func manyCookies() {
        let session = String(repeating: "5e55i0n-", count: 5)
        var response = HTTPResponse(status: .ok)
        for number in 10..<27 {
            response.headerFields.append(HTTPField(name: .setCookie, value: "a\(number)=abcd\(number)"))
        }
        response.headerFields.append(HTTPField(name: .setCookie, value: "sid=\(session)"))
        let redactor = Redactor(.standard).adding(response)
        #expect(redactor.text("you are \(session)") == "you are [hidden]")
        #expect(redactor.text("you are abcd26") == "you are [hidden]")
    }

    @Test("A parameter of a path is hidden in every event by the listener's own names")
    func pathParameters() {
        var rules = RedactionRules()
        rules.names = ["customer"]
        let path = "/x;customer=4711-0815/y?a=1"
        let url = "https://a.test\(path)"
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: path))
        let id = CallContext.ID.next()
        let error = TransportError(.networkConnectionLost, phase: .head, message: "lost")
        let redirection = RedirectEvent(
            Redirection(statusCode: 302, from: url, to: url), of: request, callID: id, showing: rules
        ).redirection
        let urls = [
            RequestContext(request, id: id, showing: rules).url,
            RequestContext(method: "GET", url: url, id: id, showing: rules).url,
            AttemptEvent(1, request, .failure(error), callID: id, showing: rules).url,
            BodyEndEvent(1, request, nil, ExchangeTimings(), nil, callID: id, showing: rules).url,
            CacheEvent(CacheReport(), request, callID: id, showing: rules).url,
            RetryDecision(.giveUp, because: "", callID: id, request: request, attempts: 1, showing: rules).url,
            WebSocketReport(url: url, .connecting, showing: rules).url, redirection.from, redirection.to,
        ]
        for shown in urls { #expect(shown == "https://a.test/x;customer=[hidden]/y?…") }
    }

    @Test("A credential that another field or the path repeats is hidden in each event")
    func repeatedElsewhere() {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/of/s3cret-token/x?a=1")
        head.headerFields = [.authorization: "Bearer s3cret-token", .userAgent: "for s3cret-token"]
        let request = TransportRequest(head: head)
        let id = CallContext.ID.next()
        let response = HTTPResponse(
            status: .ok, headerFields: [.setCookie: "sid=5e55i0n-1; Path=/", .server: "for 5e55i0n-1 and s3cret-token"])
        let begun = RequestContext(request, id: id, showing: .standard)
        let answer = TransportResponse(head: response, body: ResponseBody(Data()))
        let attempt = AttemptEvent(1, request, .success(answer), callID: id)
        for (url, fields) in [(begun.url, begun.headers), (attempt.url, attempt.requestHeaders)] {
            #expect(url == "https://a.test/of/[hidden]/x?…")
            #expect(fields[.userAgent] == "for [hidden]")
            #expect(fields[.authorization] == "Bearer [hidden]")
        }
        let error = TransportError(.networkConnectionLost, phase: .head, message: "lost")
        let urls = [
            AttemptEvent(1, request, .failure(error), callID: id).url,
            BodyEndEvent(1, request, nil, ExchangeTimings(), nil, callID: id).url,
            CacheEvent(CacheReport(), request, callID: id).url,
            RetryDecision(.giveUp, because: "", callID: id, request: request, attempts: 1).url,
        ]
        for url in urls { #expect(url == "https://a.test/of/[hidden]/x?…") }
        let move = Redirection(statusCode: 302, from: request.urlString, to: "https://b.test/s3cret-token?page=2")
        let redirection = RedirectEvent(move, of: request, callID: id).redirection
        #expect(redirection.from == "https://a.test/of/[hidden]/x?…")
        #expect(redirection.to == "https://b.test/[hidden]?…")
        let url = "https://a.test/of/s3cret-token/x?token=s3cret-token"
        #expect(WebSocketReport(url: url, .connecting).url == "https://a.test/of/[hidden]/x?…")
        let early = InterimEvent(response, to: request, callID: id)
        for fields in [attempt.responseHeaders, early.response.headerFields] {
            #expect(fields[.server] == "for [hidden] and [hidden]")
        }
        #expect(RequestContext(request, id: id, showing: .none).headers == head.headerFields)
        #expect(RequestContext(request, id: id, showing: .none).url == "https://a.test/of/s3cret-token/x?a=1")
    }
}
