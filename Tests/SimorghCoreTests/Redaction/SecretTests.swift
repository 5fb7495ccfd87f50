// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import TestSupport
import Testing

/// The hidden and shown parts of names, JSON, text, URLs and bodies.
@Suite("Redactor", .timeLimit(.minutes(10)))
struct SecretTests {
    @Test(
        "A sensitive name is recognized in any style",
        arguments: [
            "password", "newPassword", "user_password", "API-Key", "apiKey", "api_key", "accessToken", "access_token",
            "refreshTokens", "client_secret", "X-Amz-Signature", "AWSAccessKeyId", "sessionID", "authorization",
            "set-cookie", "idToken", "card.number", "pin", "otp", "CVV", "sid", "auth", "sig", "$password", "token[]",
            "api:key", "authTokens", "sessionTokens", "device_tokens", "passphrase", "pass-code", "userPwd",
            "private_key", "AuthKey", "securityCode", "passwd", "token\u{301}", "\u{301}secret\u{301}", "xtokex-token",
        ])
    func telling(name: String) { #expect(RedactionRules.standard.isSecret(name.utf8)) }

    @Test(
        "A name that only resembles a sensitive one is not sensitive",
        arguments: [
            "id", "name", "page", "code", "status_code", "message", "author", "keyboard", "monkey", "shipping", "spin",
            "prompt_tokens", "max_tokens", "completionTokens", "total_tokens", "cacheReadInputTokens",
            "prompt_tokens_details", "state", "sessions", "rootPath", "",
        ])
    func harmless(name: String) { #expect(!RedactionRules.standard.isSecret(name.utf8)) }

    @Test(
        "In stored files more names are sensitive, except names that often have another meaning",
        arguments: [
            ("otpCode", false, true), ("userSession", false, true), ("X-OTP", false, true), ("smsOTPCode", false, true),
            ("prompt_tokens", false, false), ("spotPrice", false, false), ("rootPath", false, false),
            ("carbonFootprint", false, false), ("sessionCount", false, false), ("sessions", false, false),
            ("cvv", false, true), ("cnonce", true, true), ("code", true, true), ("code", false, false),
            ("key", true, true), ("key", false, false), ("state", true, false), ("name", true, false),
            ("dpopProof", false, true),
        ])
    func kept(name: String, inQuery: Bool, tells: Bool) {
        #expect(SensitiveNames.isSensitiveInRecording(name.utf8, inQuery: inQuery) == tells)
    }

    @Test("Custom names are hidden in any style, in JSON, forms and URLs")
    func own() throws {
        var rules = RedactionRules()
        rules.names = ["taxNumber"]
        rules.headerFields = ["X-Internal-User"]
        let redactor = Redactor(rules)
        #expect(redactor.json(Array(#"{"tax_number":"47110815"}"#.utf8)) == #"{"tax_number":"[hidden]"}"#)
        #expect(redactor.url("https://a.test/?TAX-NUMBER=47110815&b=1") == "https://a.test/?TAX-NUMBER=[hidden]&b=1")
        #expect(redactor.text("taxNumber: 47110815") == "taxNumber: [hidden]")
        let name = try #require(HTTPField.Name("x-internal-user"))
        #expect(redactor.field(HTTPField(name: name, value: "zal")) == "[hidden]")
    }

    @Test(
        "JSON values of sensitive names are hidden, whatever their type",
        arguments: [
            (#"{"token":"abc","n":1}"#, #"{"token":"[hidden]","n":1}"#),
            (#"{ "token" : "a\"b,}" , "n" : 1 }"#, #"{ "token" : "[hidden]" , "n" : 1 }"#),
            (#"{"tokens":["a","b]"],"n":1}"#, #"{"tokens":"[hidden]","n":1}"#),
            (#"{"authTokens":["abc123","def456"],"n":1}"#, #"{"authTokens":"[hidden]","n":1}"#),
            (#"{"max_tokens":100,"usage":{"prompt_tokens":7}}"#, #"{"max_tokens":100,"usage":{"prompt_tokens":7}}"#),
            (#"{"credentials":{"user":"a","x":{"y":"}"}},"n":1}"#, #"{"credentials":"[hidden]","n":1}"#),
            (#"{"pin":1234,"n":1}"#, #"{"pin":"[hidden]","n":1}"#),
            (#"{"otp":1234}"#, #"{"otp":"[hidden]"}"#),
            (#"{"password":null,"token":false}"#, #"{"password":null,"token":false}"#),
            (#"{"to\u006ben":"abc"}"#, #"{"to\u006ben":"[hidden]"}"#),
            (#"[{"a":{"secret":"abc"}},"token","abc"]"#, #"[{"a":{"secret":"[hidden]"}},"token","abc"]"#),
            (#"{"a":"token","b":":x"}"#, #"{"a":"token","b":":x"}"#),
            (#"{"token":"abc"#, #"{"token":"[hidden]""#),
            (#"{"token":{"a":"abc"#, #"{"token":"[hidden]""#),
            (#"data: {"token":"abc"}"#, #"data: {"token":"[hidden]"}"#),
            ("", ""), ("{", "{"), (#"{"token":"#, #"{"token":"#),
        ])
    func json(text: String, shown: String) {
        var whole = JSONRedactor(.standard)
        #expect(String(decoding: whole.mask(text.utf8), as: UTF8.self) == shown)
        // In chunks of any size.
        for size in 1...7 {
            var scan = JSONRedactor(.standard)
            var result: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                result += scan.mask(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(String(decoding: result, as: UTF8.self) == shown, "in chunks of \(size)")
        }
    }

    @Test(
        "In text, a value after a sensitive word is hidden",
        arguments: [
            ("password=s3cret and more", "password=[hidden] and more"),
            ("api_key: s3cret", "api_key: [hidden]"),
            ("token = 's3 cret', x", "token = '[hidden]', x"),
            ("<password>s3 cret</password>", "<password>[hidden]</password>"),
            (
                "<wsse:Password Type=\"a#PasswordText\">hunter22</wsse:Password>",
                "<wsse:Password Type=\"a#PasswordText\">[hidden]</wsse:Password>"
            ),
            ("<secret a=\"x>y\"\n b='/'>hunter22</secret>", "<secret a=\"x>y\"\n b='/'>[hidden]</secret>"),
            ("<secret token=\"abc\">hunter22<", "<secret token=\"[hidden]\">[hidden]<"),
            ("<password><![CDATA[a<b]]></password>", "<password><![CDATA[[hidden]]]></password>"),
            ("<secret a='1'>\n <![CDATA[a]b]]></secret>", "<secret a='1'>\n <![CDATA[[hidden]]]></secret>"),
            ("<secret>a<![CDATA[b", "<secret>[hidden]<![CDATA[[hidden]"), ("<token a='1'/>abc", "<token a='1'/>abc"),
            ("use <token from it> and more", "use <token from it> and more"), ("<token = abc>", "<token = [hidden]>"),
            ("Authorization: Bearer abc.def\nHost: a", "Authorization: [hidden]\nHost: a"),
            ("Cookie: a=1; b=2", "Cookie: [hidden]"),
            ("sent Bearer abcdefgh1 to", "sent Bearer [hidden] to"),
            ("Basic dXNlcjpwYXNz", "Basic [hidden]"),
            ("basic knowledge of it", "basic knowledge of it"),
            ("https://user:pass@host.test/x", "https://host.test/x"),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "[hidden]"),
            (#"{\"token\":\"s3cret\"}"#, #"{\"token\":\"[hidden]\"}"#),
            ("the token is missing", "the token is missing"),
            ("no secret here, only words: none", "no secret here, only words: none"),
            ("token=[hidden]&a=1", "token=[hidden]&a=1"),
            ("token", "token"), ("token=", "token="), ("token: ", "token: "), ("", ""), ("://", "://"),
        ])
    func text(text: String, shown: String) { #expect(TextRedactor.shown(text, by: .standard) == shown) }

    @Test(
        "JSON stays valid, and secrets in its strings and in the surrounding text are hidden",
        arguments: [
            (#"{"password":null,"max_tokens":100}"#, #"{"password":null,"max_tokens":100}"#),
            (#"{"token":false,"secret":true,"n":1}"#, #"{"token":false,"secret":true,"n":1}"#),
            (#"{"label":"Password:","x":1}"#, #"{"label":"Password:","x":1}"#),
            (#"{"a":"password=abc\"","b":"c"}"#, #"{"a":"password=[hidden]\"","b":"c"}"#),
            (#"{"a":"password=abc\"d","b":"c"}"#, #"{"a":"password=[hidden]\"d","b":"c"}"#),
            (#"{"a":"it is token='abc","b":"c"}"#, #"{"a":"it is token='[hidden]","b":"c"}"#),
            (#"{"a":"<secret>abc","b":"c"}"#, #"{"a":"<secret>[hidden]","b":"c"}"#),
            (#"{"a":"<secret d=\"1\">abc</secret>","b":"c"}"#, #"{"a":"<secret d=\"1\">[hidden]</secret>","b":"c"}"#),
            (#"{"a":"<secret><![CDATA[abc","b":"c"}"#, #"{"a":"<secret><![CDATA[[hidden]","b":"c"}"#),
            (#"{"a":"{\"token\":\"s3cret\"}","b":"c"}"#, #"{"a":"{\"token\":\"[hidden]\"}","b":"c"}"#),
            (#"{"a":"Bearer abcdefgh1","b":"https://u:p@a.test"}"#, #"{"a":"Bearer [hidden]","b":"https://a.test"}"#),
            (#"{"q":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig"}"#, #"{"q":"[hidden]"}"#),
            (#"data: password="hunter2""#, #"data: password="[hidden]""#),
            (#""access_token" = "abc";"#, #""access_token" = "[hidden]";"#),
            (#"0{"sid":"abc","upgrades":[]}"#, #"0{"sid":"[hidden]","upgrades":[]}"#),
            (#"42["login",{"pin":"1234"}]"#, #"42["login",{"pin":"[hidden]"}]"#),
            ("\n\t {\"pin\":1234}", "\n\t {\"pin\":\"[hidden]\"}"),
            ("\u{FEFF}{\"pin\":1234}", "\u{FEFF}{\"pin\":\"[hidden]\"}"),
            ("a 5\" disk\n{\"pin\":1234}", "a 5\" disk\n{\"pin\":\"[hidden]\"}"),
            ("token: abc, said \"he\"", "token: [hidden], said \"he\""),
        ])
    func mixed(text: String, shown: String) {
        let redactor = Redactor(.standard)
        #expect(redactor.text(text) == shown)
        #expect(redactor.text(shown) == shown)
        for type in ["application/json", "text/plain", nil] {
            #expect(redactor.body(Data(text.utf8), type: type, upTo: 1000).text == shown)
        }
    }

    @Test("A long string is searched once, however many sensitive words it contains")
    func longString() {
        let words = String(repeating: "token ", count: 20_000)
        #expect(Redactor(.standard).text("\"\(words)\"").count == words.count + 2)
    }

    @Test(
        "A value that the server already masked is skipped, and the rest is searched in linear time",
        arguments: ["cookie:[hidden]", "<token a=' ", "<token><![CDATA[[hidden]"])
    func hiddenBeforehand(piece: String) {
        let text = String(repeating: piece, count: 50_000)
        #expect(TextRedactor.shown(text, by: .standard) == text)
    }

    @Test(
        "A header field with a sensitive name is hidden, and in others values that look like secrets",
        arguments: [
            ("X-Authorization", "Bearer s3cret", "Bearer [hidden]"), ("api_key", "s3cret", "[hidden]"),
            ("DPoP", "s3cret", "[hidden]"), ("X-Session-Info", "s3cret", "[hidden]"),
            ("X-JWT-Assertion", "s3cret", "[hidden]"), ("Cf-Access-Jwt-Assertion", "s3cret", "[hidden]"),
            ("X-GitHub-OTP", "123456", "[hidden]"), ("X-Access-Key", "s3cret", "[hidden]"),
            ("X-Functions-Key", "s3cret", "[hidden]"), ("X-PIN", "1234", "[hidden]"),
            ("X-Authorization-Hint", "none", "none"), ("Idempotency-Key", "8e03-978e", "8e03-978e"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZQ==", "dGhlIHNhbXBsZQ=="), ("X-Request-ID", "42-ab", "42-ab"),
            ("traceparent", "00-0af7651916cd43dd-b7ad6b71-01", "00-0af7651916cd43dd-b7ad6b71-01"),
            ("Content-Type", "multipart/form-data; boundary=x", "multipart/form-data; boundary=x"),
            ("ETag", "\"33a64df5\"", "\"33a64df5\""), ("Cache-Control", "no-cache, max-age=0", "no-cache, max-age=0"),
            ("Vary", "Cookie, Authorization", "Cookie, Authorization"),
            ("Permissions-Policy", "identity-credentials-get=(self)", "identity-credentials-get=(self)"),
            ("Access-Control-Allow-Headers", "X-Token, Cookie", "X-Token, Cookie"),
            (
                "Link", "<https://a.test/?access_token=new&page=2>; rel=\"next\"",
                "<https://a.test/?access_token=[hidden]&page=2>; rel=\"next\""
            ),
            ("Refresh", "0;url=https://a.test/?page=1&sig=new", "0;url=https://a.test/?page=1&sig=[hidden]"),
            ("Location", "https://u:p@a.test/b?code=new&page=2", "https://a.test/b?code=[hidden]&page=2"),
            ("Location", "//zal:s3cretpw@o.test/x?page=2", "//o.test/x?page=2"),
            ("X-Note", "sent with Bearer abcdefgh1", "sent with Bearer [hidden]"),
            ("Sec-WebSocket-Protocol", "graphql-transport-ws, graphql-ws", "graphql-transport-ws, graphql-ws"),
            ("Sec-WebSocket-Protocol", "v10.stomp, access_token, abc", "v10.stomp, access_token, [hidden]"),
            ("Sec-WebSocket-Protocol", "mqtt, 5f2c91aa77d04b1e83c2", "mqtt, [hidden]"),
            ("Sec-WebSocket-Protocol", "aws-event-ws, header-eyJob3N0IjoiYSJ9", "aws-event-ws, [hidden]"),
        ])
    func field(name: String, value: String, shown: String) throws {
        let field = HTTPField(name: try #require(HTTPField.Name(name)), value: value)
        #expect(RedactionRules.standard.shown(field) == shown)
        #expect(RedactionRules.none.shown(field) == value)
        // A response that repeats the hidden value does not reveal it.
        let redactor = Redactor(.standard, request: Self.request([field.name: value]))
        guard let secret = Self.secret(of: value, shownAs: shown), value.utf8.count >= 6 else { return }
        #expect(value.contains(secret) && !redactor.text("you said \(value)").contains(secret))
    }

    /// Returns the last hidden part of a value: it follows the same character as its mask.
    private static func secret(of value: String, shownAs shown: String) -> String? {
        guard let mask = shown.range(of: "[hidden]", options: .backwards) else { return nil }
        let rest = value.dropLast(shown[mask.upperBound...].count)
        guard let before = shown[..<mask.lowerBound].last else { return String(rest) }
        return rest.split(separator: before).last.map(String.init)
    }

    @Test("Masked text stays unchanged when it is masked again", arguments: 0..<200)
    func idempotence(seed: Int) {
        var numbers = SeededNumbers(UInt64(seed))
        let pieces = [
            "token", "password", "=", ":", "\"", "'", "\\", " ", "\n", "abc", "[hidden]", "]", "<", ">", "://",
            "eyJ", "Bearer", "a.b", "{", "}", ",", ";", "é",
        ]
        let text = (0..<20).map { _ in pieces[Int(numbers.next() % UInt64(pieces.count))] }.joined()
        let once = TextRedactor.shown(text, by: .standard)
        #expect(TextRedactor.shown(once, by: .standard) == once)
    }

    @Test(
        "A URL is shown with each query item masked separately",
        arguments: [
            ("https://u:p@a.test/x?page=2&api_key=s3cret#top", "https://a.test/x?page=2&api_key=[hidden]#…"),
            ("https://a.test/x?code=4711&language=en", "https://a.test/x?code=[hidden]&language=en"),
            ("https://a.test/x?%61pi_key=s3cret", "https://a.test/x?%61pi_key=[hidden]"),
            ("https://a.test/x?flag&a=&token=", "https://a.test/x?flag&a=&token=[hidden]"),
            ("https://a.test/x?q=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "https://a.test/x?q=[hidden]"),
            ("https://a.test/cart;jsessionid=abc;v=1?a=1", "https://a.test/cart;jsessionid=[hidden];v=1?a=1"),
            ("https://a.test/in/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig/x", "https://a.test/in/[hidden]/x"),
            ("https://a.test/a;b=c;d", "https://a.test/a;b=c;d"),
            ("//zal:s3cretpw@o.test/x", "//o.test/x"), ("//ghp_abc@o.test/x?a=1", "//o.test/x?a=1"),
            ("//a@b@o.test?x@y", "//o.test?x@y"), ("//o.test/@x", "//o.test/@x"), ("//o.test", "//o.test"),
            ("https://a.test/x", "https://a.test/x"), ("", ""), ("?", "?"), ("https://a.test/?", "https://a.test/?"),
        ])
    func url(url: String, shown: String) {
        #expect(RedactionRules.standard.shown(url: url) == shown)
        #expect(RedactionRules.none.shown(url: url) == url)
    }

    @Test("A secret in a path is hidden where the query is an ellipsis, and where a response repeats it")
    func path() {
        let url = "https://a.test/cart;jsessionid=4711-0815/x?a=1"
        #expect(RedactedURL.withoutQuery(url) == "https://a.test/cart;jsessionid=[hidden]/x?…")
        #expect(Redaction.shown(url: url) == "https://a.test/cart;jsessionid=[hidden]/x?…")
        #expect(RedactedURL.withoutQuery("https://a.test/x#y") == "https://a.test/x#…")
        let redactor = Redactor(.standard, request: Self.request(path: "/cart;jsessionid=4711-0815/x"))
        #expect(redactor.text("you are 4711-0815") == "you are [hidden]")
    }

    @Test(
        "User info of a Location is omitted, and its password or token is hidden where it is repeated",
        arguments: [
            ("//zal:s3cretpw@o.test/x", "s3cretpw"), ("https://zal:s3cretpw@o.test/x", "s3cretpw"),
            ("//ghp_0123456789abcdef@o.test/x", "ghp_0123456789abcdef"),
            ("https://ghp_0123456789abcdef:@o.test", "ghp_0123456789abcdef"),
        ])
    func user(place: String, secret: String) {
        let redactor = Redactor(.standard).adding(HTTPResponse(status: .found, headerFields: [.location: place]))
        #expect(!redactor.url(place).contains(secret) && !Redaction.shown(url: place).contains(secret))
        #expect(redactor.text("you are \(secret)") == "you are [hidden]")
        let named = Redactor(.standard).adding(
            HTTPResponse(status: .found, headerFields: [.location: "https://carmelo@o.test/"]))
        #expect(named.text("you are carmelo") == "you are carmelo")
    }

    private static func request(_ headers: HTTPFields = [:], path: String = "/") -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: path, headerFields: headers))
    }

    @Test("The secrets of a request are hidden wherever they are repeated")
    func echoes() {
        let fields: HTTPFields = [
            .authorization: "Basic \(Data("zal:simurgh-feather".utf8).base64EncodedString())",
            .cookie: "theme=dark-blue; id=4711-0815",
        ]
        let redactor = Redactor(.standard, request: Self.request(fields, path: "/?api_key=s3%2Fcret"))
        let echo = #"{"h":"simurgh-feather","c":"4711-0815","q":"s3/cret","u":"s3%2Fcret","n":"dark"}"#
        #expect(
            redactor.json(Array(echo.utf8))
                == #"{"h":"[hidden]","c":"[hidden]","q":"[hidden]","u":"[hidden]","n":"dark"}"#)
        var set = HTTPFields()
        set[.setCookie] = "sid=fresh-cookie; Path=/somewhere"
        let later = redactor.adding(HTTPResponse(status: .ok, headerFields: set))
        #expect(later.text("fresh-cookie at /somewhere") == "[hidden] at /somewhere")
    }

    @Test("A body is truncated at its limit, and no secret is cut in two")
    func cut() {
        let redactor = Redactor(.standard, request: Self.request([.authorization: "Bearer 0123456789"]))
        let body = Data("aaaa 0123456789 bbbb".utf8)
        #expect(redactor.body(body, type: "text/plain", upTo: 9).text == "aaaa [hid… and 11 bytes more")
        #expect(redactor.body(body, type: "text/plain", upTo: 20).text == "aaaa [hidden] bbbb")
        #expect(redactor.body(Data(), type: nil, upTo: 20).text.isEmpty)
    }

    @Test(
        "A body that is not text is shown as its type and size",
        arguments: [
            ("image/png", Data([0x89, 0x50, 0x4E, 0x47]), "[image/png, 4 bytes]"),
            ("text/plain", Data([0x41, 0x00]), "[text/plain, 2 bytes]"),
            ("application/octet-stream", Data("text".utf8), "[application/octet-stream, 4 bytes]"),
            ("multipart/form-data; boundary=x", Data("--x".utf8), "[multipart/form-data; boundary=x, 3 bytes]"),
        ])
    func binary(type: String, body: Data, shown: String) {
        #expect(Redactor(.standard).body(body, type: type, upTo: 100).text == shown)
    }

    @Test("The lines of a stream are shown complete, also with a name on one line and its value on the next")
    func lines() {
        var lines = StreamLines(Redactor(.standard), upTo: 30)
        #expect(lines.take("data: {\"to".utf8).isEmpty)
        #expect(lines.take("ken\":\"s3cret\"}\r\n\n".utf8).map(\.text) == [#"data: {"token":"[hidden]"}"#])
        #expect(lines.take("{\"secret\":\n  \"s3cret\"}\n".utf8).map(\.text) == [#"{"secret":"#, #"  "[hidden]"}"#])
        #expect(lines.take([0x00, 0x01, 0x0A]).map(\.text) == ["[2 bytes]"])
        #expect(lines.take(String(repeating: "x", count: 40).utf8).isEmpty)
        #expect(lines.end()?.text == "\(String(repeating: "x", count: 30))… and 10 bytes more")
        #expect(lines.end() == nil)
    }

    @Test(
        "A value after an unbalanced quote is hidden, and so is a word that only begins like a literal",
        arguments: [
            #"a 12" tube, password: "hunter2""#, #"{"token": hunter2}"#, #"{"token": nhunter2}"#,
            #"{"token": trhunter2, "n": 1}"#, #"{"token":"hunter2"}"#, "a 12\" tube, password\n= hunter2",
        ])
    func astray(text: String) { #expect(!Redactor(.standard).text(text).contains("hunter2")) }

    @Test("Overlapping secrets are hidden as one, and adjacent ones as two")
    func overlapping() {
        #expect(SecretSearch(["abcdefgh", "ghijkl"]).hidden(in: "xabcdefghijkly") == "x[hidden]y")
        #expect(SecretSearch(["abcdef", "ghijkl"]).hidden(in: "abcdefghijkl") == "[hidden][hidden]")
        #expect(SecretSearch(["abcdef"]).hidden(in: "no such") == "no such")
    }

    @Test("A server cannot increase the number of searched secrets, nor displace those of the request")
    func flood() {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"))
        request.head.headerFields[.authorization] = "Bearer mine-0123456789"
        var response = HTTPResponse(status: .ok)
        response.headerFields[.setCookie] = "a=theirs-0123456789"
        let many = (0..<5000).map { "token=\(100_000 + $0)" }.joined(separator: ";")
        response.headerFields[.server] = many
        let redactor = Redactor(.standard, request: request).adding(response)
        let body = String(repeating: "mine-0123456789 100000 ", count: 10_000)
        #expect(!redactor.text(body).contains("mine-0123456789"))
    }

    @Test("The shortest secrets that a server sets are searched, up to a limit; all their fields are hidden")
    func longCookies() {
        let long = (100..<132).map { "\($0)" + String(repeating: "x", count: 1000) }
        var response = HTTPResponse(status: .ok)
        for value in long + ["short-0123456789"] {
            response.headerFields.append(HTTPField(name: .setCookie, value: "c=\(value)"))
        }
        let redactor = Redactor(.standard).adding(response)
        #expect(redactor.text("you are short-0123456789") == "you are [hidden]")
        #expect(long.filter { !redactor.text("you are \($0)").contains($0) }.count == 4)
        #expect(redactor.shown(response.headerFields).allSatisfy { $0.value == "[hidden]" })
    }

    @Test("JSONIndent formats JSON line by line, and leaves other text unchanged")
    func indent() {
        #expect(
            JSONIndent.lines(of: #"{"a":[1,{"b":"x: {,"}],"c":{},"d":[ ]}"#) == [
                "{", #"  "a" : ["#, "    1,", "    {", #"      "b" : "x: {,""#, "    }", "  ],", #"  "c" : {},"#,
                #"  "d" : []"#, "}",
            ])
        #expect(JSONIndent.lines(of: "{\"a\":1}\n{\"a\":2}\n") == ["{", "  \"a\" : 1", "}", "{", "  \"a\" : 2", "}"])
        #expect(JSONIndent.lines(of: "plain\ntext") == ["plain", "text"])
        #expect(JSONIndent.lines(of: "{{{").count == 3)
        #expect(JSONIndent.lines(of: "]]]{").isEmpty == false)
    }
}
