// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// Secrets that are not under a plain name: with a wrong media type, in nested URLs, under escaped names.
@Suite("Redaction in unusual places", .timeLimit(.minutes(10)))
struct SecretPlacesTests {
    @Test(
        "JSON declared as a form is treated as JSON, and a form as a form",
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

    @Test("A secret of JSON declared as a form is hidden where a response repeats it")
    func sentAsForm() {
        let head = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        let body = RequestBody.text(#"{"password":"hunter22"}"#, contentType: "application/x-www-form-urlencoded")
        let redactor = Redactor(.standard, request: TransportRequest(head: head, body: body))
        #expect(redactor.text("you are hunter22") == "you are [hidden]")
    }

    @Test(
        "A custom name outside ASCII is found in every JSON escape",
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
        "A name with a truncated escape does not match a custom name",
        arguments: [#"a\ud83d"#, #"a\ud83d\u0041"#, #"a\u00f"#])
    func halfEscapes(key: String) {
        var rules = RedactionRules()
        rules.names = ["añ"]
        let text = "{\"\(key)\":\"feather\"}"
        #expect(Redactor(rules).text(text) == text)
    }

    @Test(
        "A nested URL is hidden completely if it holds a secret, and shown otherwise",
        arguments: [
            ("next=/cb?access_token=s3cret123", "next=[hidden]"),
            ("url=https%3A%2F%2Fb.test%2F%3Fsig%3Ds3cret123&page=2", "url=[hidden]&page=2"),
            ("next=https://u:pw@b.test/", "next=[hidden]"), ("next=%2F%2Fu:pw@b.test", "next=[hidden]"),
            ("filter=%7B%22token%22:%22abc%22%7D", "filter=[hidden]"), ("next=/x?customer=4711", "next=[hidden]"),
            ("next=https%3A%2F%2Fb.test%2F%3Fpage%3D2", "next=https%3A%2F%2Fb.test%2F%3Fpage%3D2"),
            ("to=joe@a.test&cc=mailto:joe@a.test&at=10:30", "to=joe@a.test&cc=mailto:joe@a.test&at=10:30"),
            ("next=%2Flogin%3Fnext%3D%252Fcb%253Fpage%253D2", "next=%2Flogin%3Fnext%3D%252Fcb%253Fpage%253D2"),
            ("a=1=2&b=%zz&c=%", "a=1=2&b=%zz&c=%"), ("https://u:pw@b.test/", "[hidden]"),
            ("page=2&https://u:pw@b.test/?page=2", "page=2&[hidden]"), ("%2F%2Fu:pw@b.test&=", "[hidden]&="),
            ("https://b.test/?sig=s3cret123", "[hidden]"), ("https%3A%2F%2Fb.test%2F%3Fsig=s3cret123", "[hidden]"),
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
        "A secret of a nested URL or form is hidden where a response repeats it alone",
        arguments: [
            "url=https%3A%2F%2Fb.test%2F%3Fsig%3Ds3cret123", "next=https://u:s3cret123@b.test/",
            "https://u:s3cret123@b.test/",
            "//u:s3cret123@b.test/?page=2", "https%3A%2F%2Fb.test%2F%3Fsig=s3cret123", "where[password:eq]=s3cret123",
            "filter=%7B%22pin%22:%22s3cret123%22%7D", "filter=+%0A%7B%22pin%22:%22s3cret123%22%7D",
        ])
    func repeated(query: String) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/?\(query)")
        #expect(
            Redactor(.standard, request: TransportRequest(head: head)).text("you are s3cret123") == "you are [hidden]")
        let form = RequestBody.text(query, contentType: "application/x-www-form-urlencoded")
        let plain = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        let sent = TransportRequest(head: plain, body: form)
        #expect(Redactor(.standard, request: sent).text("you are s3cret123") == "you are [hidden]")
    }

    @Test("A URL that already contains masks stays unchanged")
    func masked() {
        let url = "https://a.test/?x=a[hidden]&token=[hidden]&[hidden]"
        #expect(Redactor(.standard, url: url).url(url) == url)
    }

    @Test(
        "User info of a URL in the path of a reference is omitted, and hidden where it is repeated",
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
        "A reference whose path is a URL without user info stays unchanged",
        arguments: ["//o.test/https://b.test/@x", "//o.test:80/:a@b"])
    func plainReferences(url: String) { #expect(RedactedURL.withoutCredentials(url) == url) }

    @Test(
        "The content of a sensitive XML element is hidden, whatever surrounds it and is in its tag",
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
        #expect(TextRedactor.shown(text, by: .standard) == shown)
        #expect(TextRedactor.shown(shown, by: .standard) == shown)
        #expect(Redactor(.standard).text(text) == shown)
        #expect(Redactor(.standard).text(shown) == shown)
    }

    @Test("Many short cookies do not displace the session cookie set with them")
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

    @Test("A path parameter with one of the listener's custom names is hidden in every event")
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
            AttemptEvent(attempt: 1, request: request, result: .failure(error), callID: id, showing: rules).url,
            BodyEndEvent(
                attempt: 1, request: request, connection: nil, timings: ExchangeTimings(), error: nil, callID: id,
                showing: rules
            ).url,
            CacheEvent(CacheReport(), request: request, callID: id, showing: rules).url,
            RetryDecision(delay: nil, because: "", callID: id, request: request, attempts: 1, showing: rules).url,
            WebSocketReport(url: url, .connecting, showing: rules).url, redirection.from, redirection.to,
        ]
        for shown in urls { #expect(shown == "https://a.test/x;customer=[hidden]/y?…") }
    }

    @Test("A credential repeated in another field or the path is hidden in every event")
    func repeatedElsewhere() {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/of/s3cret-token/x?a=1")
        head.headerFields = [.authorization: "Bearer s3cret-token", .userAgent: "for s3cret-token"]
        let request = TransportRequest(head: head)
        let id = CallContext.ID.next()
        let response = HTTPResponse(
            status: .ok, headerFields: [.setCookie: "sid=5e55i0n-1; Path=/", .server: "for 5e55i0n-1 and s3cret-token"])
        let begun = RequestContext(request, id: id, showing: .standard)
        let answer = TransportResponse(head: response, body: ResponseBody(Data()))
        let attempt = AttemptEvent(attempt: 1, request: request, result: .success(answer), callID: id)
        for (url, fields) in [(begun.url, begun.headers), (attempt.url, attempt.requestHeaders)] {
            #expect(url == "https://a.test/of/[hidden]/x?…")
            #expect(fields[.userAgent] == "for [hidden]")
            #expect(fields[.authorization] == "Bearer [hidden]")
        }
        let error = TransportError(.networkConnectionLost, phase: .head, message: "lost")
        let urls = [
            AttemptEvent(attempt: 1, request: request, result: .failure(error), callID: id).url,
            BodyEndEvent(
                attempt: 1, request: request, connection: nil, timings: ExchangeTimings(), error: nil, callID: id
            ).url,
            CacheEvent(CacheReport(), request: request, callID: id).url,
            RetryDecision(delay: nil, because: "", callID: id, request: request, attempts: 1).url,
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
