// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CassetteTests {
    private static let url = "https://api.example.com/users"
    private static let token = "tok-5f2c91aa77"

    /// Runs a function with a new file path, and deletes the file afterwards.
    private func withFile(_ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path())
    }

    private func server(_ answer: String = #"{"id": 7, "name": "Zal", "tags": ["a"], "nick": null}"#)
        -> StubServer
    {
        let transport = StubServer(precedence: .first)
        transport.on(.get, path: "/users/{id}", response: .json(answer).header(.contentEncoding, value: "gzip"))
        transport.on(.post, path: "/users") { .json($0.text, status: .created) }
        transport.on(
            .get, path: "/picture", response: .bytes(Data([0xFF, 0xD8, 0x00, 0xFE]), contentType: "image/jpeg"))
        return transport
    }

    private func record(_ file: String, over transport: StubServer) async throws {
        try await Cassette.with(file, mode: .record, over: transport) { cassette in
            _ = try await cassette.ask(.get, Self.url + "/7?page=1&sort=name")
            _ = try await cassette.ask(.post, Self.url, body: .text(#"{"name": "Rudabeh"}"#))
            _ = try await cassette.ask(.get, "https://api.example.com/picture") { $0.delivery = .streamed }
        }
    }

    @Test("Recorded responses are replayed without a server: status, header fields, text and bytes")
    func replay() async throws {
        try await withFile { file in
            try await record(file, over: server())
            try await Cassette.with(file, mode: .replay) { cassette in
                #expect(cassette.count == 3)
                let user = try await cassette.ask(.get, Self.url + "/7?sort=name&page=1")
                #expect(user.text.contains("Zal"))
                #expect(user.field("Content-Type") == "application/json")
                #expect(user.field("Content-Encoding") == nil)
                // JSON is compared by value.
                let created = try await cassette.ask(.post, Self.url, body: .text(#"{ "name" : "Rudabeh" }"#))
                #expect(created.status == 201)
                let picture = try await cassette.ask(.get, "https://api.example.com/picture")
                #expect(picture.response.body.collectedBytes == Data([0xFF, 0xD8, 0x00, 0xFE]))
            }
        }
    }

    @Test(
        "Recording and checking send the same request bodies as without a cassette",
        arguments: [Cassette.Mode.record, .check])
    func faithful(mode: Cassette.Mode) async throws {
        try await withFile { file in
            try await Cassette.with(file, mode: .record, over: BodyRecorder()) { _ in }
            let keeper = BodyRecorder()
            let cassette = try Cassette(file, mode: mode, over: keeper)
            for body in try BodyRecorder.samples() { _ = try await cassette.ask(.post, Self.url, body: body) }
            #expect(keeper.hasSamples())
        }
    }

    @Test("The file is a HAR archive with the members that its format requires")
    func archive() async throws {
        try await withFile { file in
            try await record(file, over: server())
            let log = try JSON(parsing: Data(contentsOf: URL(filePath: file))).log
            #expect(log.version == "1.2")
            #expect(log.creator.name == "Simorgh")
            let entry = log.entries[1]
            #expect(entry.startedDateTime.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            for member in ["time", "request", "response", "cache", "timings"] { #expect(!entry[member].isNull) }
            for member in [
                "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
            ] {
                #expect(!entry.request[member].isNull, "\(member)")
            }
            for member in ["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL"] {
                #expect(!entry.response[member].isNull, "\(member)")
            }
            #expect(entry.request.postData.text == #"{"name": "Rudabeh"}"#)
            #expect(log.entries[2].response.content.encoding == "base64")
        }
    }

    /// A file written by an earlier release.
    private static let earlier = #"""
        {"log": {"version": "1.2", "creator": {"name": "Simorgh", "version": "0.1.0"}, "entries": [{
            "startedDateTime": "2026-07-01T10:00:00Z", "time": 12.5, "cache": {},
            "timings": {"send": 0, "wait": 12.5, "receive": 0},
            "request": {
                "method": "POST", "url": "https://api.example.com/users?cvv=123", "httpVersion": "HTTP/1.1",
                "cookies": [], "headers": [{"name": "Content-Type", "value": "image/png"}], "queryString": [],
                "headersSize": -1, "bodySize": 2, "postData": {"mimeType": "image/png", "text": "/wA=", "_encoding": "base64"}
            },
            "response": {
                "status": 201, "statusText": "Created", "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [{"name": "Content-Type", "value": "text/plain"}], "redirectURL": "", "headersSize": -1,
                "bodySize": 4, "content": {"size": 4, "mimeType": "text/plain", "text": "kept"}
            }
        }], "comment": "credentials are hidden"}}
        """#

    @Test("A file of an earlier release is still read: a binary body, and a value that was not yet redacted")
    func earlierFile() async throws {
        try await withFile { file in
            try Data(Self.earlier.utf8).write(to: URL(filePath: file))
            try await Cassette.with(file, mode: .replay) { cassette in
                let answer = try await cassette.ask(.post, Self.url + "?cvv=123", body: .bytes(Data([0xFF, 0x00])))
                #expect(answer.status == 201)
                #expect(answer.text == "kept")
            }
        }
    }

    @Test("The file contains no secret, in any part of the exchange, and a request with another secret matches")
    func secrets() async throws {
        try await withFile { file in
            let transport = StubServer { request in
                .json(#"{"echo": "you sent \#(Self.token) for QUERY-SECRET", "refresh_token": "r-secret-1", "id": 7}"#)
                    .header(.setCookie, value: "sid=cookie-secret; Path=/").header(
                        .location, value: "https://a.test/?code=code-secret")
            }
            let fields: HTTPFields = [.authorization: "Bearer \(Self.token)", .cookie: "a=cookie-secret-2"]
            func ask(_ cassette: Cassette, _ secret: String, _ fields: HTTPFields) async throws -> Answer {
                try await cassette.ask(
                    .post, Self.url + "?api_key=\(secret)&page=1&next=%2Fcb%3Faccess_token%3D\(secret.uppercased())",
                    body: .text(#"{"user": "zal", "password": "\#(secret)", "pin": {"token": "\#(secret)"}}"#),
                    fields: fields)
            }
            try await Cassette.with(file, mode: .record, over: transport) { cassette in
                let answer = try await ask(cassette, "query-secret", fields)
                #expect(answer.text.contains(Self.token), "the caller receives the server's response")
            }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            for secret in ["secret", "SECRET", Self.token] { #expect(!text.contains(secret), "\(secret)") }
            #expect(text.contains("page=1"))
            #expect(text.contains("zal"))
            try await Cassette.with(file, mode: .replay) { cassette in
                let answer = try await ask(cassette, "another", [.authorization: "Bearer another-token-1"])
                #expect(answer.text.contains("[hidden]"))
            }
        }
    }

    private static let parts = """
        --xx\r
        Content-Disposition: form-data; name="password"\r
        \r
        abc\r
        --xx\r
        Content-Disposition: form-data; name="more"\r
        Content-Type: application/json\r
        \r
        {"token": "abc"}\r
        --xx--\r

        """

    @Test(
        "The file contains no secret of a body, in any format, and the same request matches",
        arguments: [
            ("application/json", #"{"access_token": {"value": "abc"}, "credentials": [{"user": "abc"}]}"#),
            ("application/json", #"{"next": "https://a.test/?access_token=abc", "text": "password=abc"}"#),
            ("application/x-ndjson", "{\"token\": \"abc\"}\n{\"id\": 1, \"pin\": \"abc\"}\n"),
            ("text/event-stream", "event: in\r\ndata: {\"otp\": \"abc\"}\r\n\r\ndata: token: abc\n\n"),
            ("application/xml", "<x:login><x:password>abc</x:password>\n<Secret>abc</Secret></x:login>"),
            ("text/plain", "password: abc and https://zal:abc@a.test/?token=abc&sig=abc"),
            ("", #"42["login", {"pin": "abc"}]"#),
            ("application/x-www-form-urlencoded", "user=zal&password=abc"),
            ("application/x-www-form-urlencoded", "[a][password]=abc"),
            ("application/x-www-form-urlencoded", "next=%2Fcb%3Faccess_token%3Dabc&page=2"),
            ("application/x-www-form-urlencoded", "next=%2Flogin%3Fnext%3D%252Fcb%253Faccess_token%253Dabc"),
            ("application/x-www-form-urlencoded", #"page=2&payload={"p\u0069n":"abc"}"#),
            ("application/x-www-form-urlencoded", "next=%2F%2Fzal:abc@a.test&https://zal:abc@b.test/"),
            ("application/x-www-form-urlencoded", #"{"user": "zal", "password": "abc"}"#),
            ("multipart/form-data; boundary=xx", parts),
        ])
    func bodies(type: String, text: String) async throws {
        let secret = "pl4nted-s3cret"
        let fields: HTTPFields = type.isEmpty ? [:] : [.contentType: type]
        func body(_ secret: String) -> RequestBody {
            .bytes(Data(text.replacing("abc", with: secret).utf8), contentType: type.isEmpty ? nil : type)
        }
        let answer = Data(text.replacing("abc", with: secret).utf8)
        try await withFile { file in
            let transport = StubServer { _ in .bytes(answer, contentType: type.isEmpty ? "text/plain" : type) }
            try await Cassette.with(file, mode: .record, over: transport) { cassette in
                _ = try await cassette.ask(.post, Self.url, body: body(secret), fields: fields)
            }
            let kept = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!kept.contains(secret))
            #expect(kept.contains("[hidden]"))
            try await Cassette.with(file, mode: .replay) { cassette in
                let again = try await cassette.ask(.post, Self.url, body: body("0ther-s3cret"), fields: fields)
                #expect(again.text.contains("[hidden]"))
            }
        }
    }

    @Test("Names that only resemble a secret's name are not redacted")
    func harmlessWords() async throws {
        let answer = #"{"spotPrice":12.5,"rootPath":"/a","carbonFootprint":3,"sessionCount":4,"prompt_tokens":7}"#
        try await withFile { file in
            try await Cassette.with(file, mode: .record, over: StubServer { _ in .json(answer) }) { cassette in
                _ = try await cassette.ask(.get, Self.url)
            }
            try await Cassette.with(file, mode: .replay) { cassette in
                let replayed = try await cassette.ask(.get, Self.url).text
                #expect(replayed == answer)
            }
        }
    }

    @Test(
        "The file contains no credential that a response repeats, or that a response issued and a later request sends"
    )
    func repeatedCredentials() async throws {
        let (password, minted) = ("s3cret-of-zal", "m1nted+token/==")
        let basic = Data("zal:\(password)".utf8).base64EncodedString()
        let basicEcho = "\(basic) \(password)"
        let bearer = "b3arer-credential=="
        try await withFile { file in
            let transport = StubServer { request in
                guard request.method == .post else { return .text("this is \(minted)") }
                let isBasic = request.header(.authorization)?.hasPrefix("Basic") == true
                return .json(#"{"token": "\#(minted)", "you": "\#(isBasic ? basicEcho : bearer)"}"#)
            }
            func ask(_ cassette: Cassette, _ token: String, _ escaped: String) async throws {
                let fields: HTTPFields = [.authorization: "Basic \(basic)"]
                _ = try await cassette.ask(.post, Self.url, fields: fields)
                _ = try await cassette.ask(.post, Self.url, fields: [.authorization: "Bearer \(bearer)"])
                let url = "\(Self.url)/\(escaped)/things?page=\(escaped)"
                let answer = try await cassette.ask(.put, url, body: .text("it is \(token)"))
                #expect(answer.text.contains("this is"))
            }
            try await Cassette.with(file, mode: .record, over: transport) { cassette in
                try await ask(cassette, minted, "m1nted%2Btoken%2F%3D%3D")
            }
            let kept = try String(contentsOfFile: file, encoding: .utf8)
            for secret in [password, basic, bearer, minted, "m1nted"] { #expect(!kept.contains(secret), "\(secret)") }
            try await Cassette.with(file, mode: .replay) { cassette in
                try await ask(cassette, "[hidden]", "%5Bhidden%5D")
            }
        }
    }

    @Test("The file contains no escaped copy of a secret, and JSON with a redacted number stays valid JSON")
    func escapedCopies() async throws {
        let answer = #"{"a": "s3\/cret\u002Dtoken", "b": "s3%2Fcret-token", "n": 12345678, "m": 7}"#
        try await withFile { file in
            try await Cassette.with(file, mode: .record, over: StubServer { _ in .json(answer) }) { cassette in
                _ = try await cassette.ask(
                    .get, Self.url + "?otp=12345678", fields: [.authorization: "Bearer s3/cret-token"])
            }
            let kept = try String(contentsOfFile: file, encoding: .utf8)
            for part in ["cret", "12345678"] { #expect(!kept.contains(part), "\(part)") }
            try await Cassette.with(file, mode: .replay) { cassette in
                let text = try await cassette.ask(.get, Self.url + "?otp=87654321").text
                let shown: JSON = ["a": "[hidden]", "b": "[hidden]", "n": 0, "m": 7]
                #expect(try JSON(parsing: Data(text.utf8)) == shown)
            }
        }
    }

    @Test("Ordinary values are kept: log keywords for secrets, and objects under such names")
    func keptWords() async throws {
        try await withFile { file in
            let answer = #"{"key": "SIM-1", "tokens": ["t-secret-1"], "session": {"title": "Zal"}, "cvv": 123}"#
            let transport = StubServer { request in .json(request.url.contains("closed") ? "[]" : answer) }
            try await Cassette.with(file, mode: .record, over: transport) { cassette in
                for state in ["open", "closed"] { _ = try await cassette.ask(.get, Self.url + "?state=\(state)") }
            }
            try await Cassette.with(file, mode: .replay) { cassette in
                #expect(try await cassette.ask(.get, Self.url + "?state=closed").text == "[]")
                let text = try await cassette.ask(.get, Self.url + "?state=open").text
                let shown: JSON = [
                    "key": "SIM-1", "tokens": ["[hidden]"], "session": ["title": "Zal"], "cvv": 0,
                ]
                #expect(try JSON(parsing: Data(text.utf8)) == shown)
            }
        }
    }

    @Test("An unmatched request fails and reports the nearest recording and the differences")
    func unmatched() async throws {
        try await withFile { file in
            try await record(file, over: server())
            let cassette = try Cassette(file, mode: .replay)
            for (method, url, hint) in [
                (
                    HTTPRequest.Method.get, Self.url + "/8?page=1&sort=name",
                    "the URL is \(Self.url)/8, not \(Self.url)/7"
                ),
                (.get, Self.url + "/7?page=2&sort=name", "the query is page=2&sort=name, not page=1&sort=name"),
                (.delete, Self.url + "/7?page=1&sort=name", "the method is DELETE, not GET"),
                (.post, Self.url, "the body differs"),
            ] {
                let error = await wireFailure { try await cassette.ask(method, url) }
                #expect(error?.underlying is CassetteMismatchError)
                #expect(error?.message.contains(hint) == true, "\(String(describing: error))")
            }
            let error = #expect(throws: CassetteMismatchError.self) { try cassette.finish() }
            #expect(error?.differences.count == 7)
        }
    }

    @Test("A response is replayed once unless repeatsAnswers is set, and unused recordings fail finish()")
    func onceOnly() async throws {
        try await withFile { file in
            try await record(file, over: server())
            let once = try Cassette(file, mode: .replay)
            _ = try await once.ask(.get, Self.url + "/7?page=1&sort=name")
            let error = await wireFailure { try await once.ask(.get, Self.url + "/7?page=1&sort=name") }
            #expect(error?.message.contains("which was already used") == true)
            #expect(once.unused.count == 2)
            #expect(throws: CassetteMismatchError.self) { try once.finish() }
            var rules = Cassette.Rules()
            rules.repeatsAnswers = true
            rules.ignoredQueryItems = ["page"]
            rules.comparesOrigin = false
            let again = try Cassette(file, mode: .replay, rules: rules)
            for page in 1...3 { _ = try await again.ask(.get, "http://staging.test/users/7?page=\(page)&sort=name") }
        }
    }

    @Test("isOrdered: only the next response is replayed")
    func ordered() async throws {
        try await withFile { file in
            try await record(file, over: server())
            var rules = Cassette.Rules()
            rules.isOrdered = true
            let cassette = try Cassette(file, mode: .replay, rules: rules)
            let early = await wireFailure { try await cassette.ask(.get, "https://api.example.com/picture") }
            #expect(early?.message.contains("the nearest is GET \(Self.url)/7") == true)
            #expect(try await cassette.ask(.get, Self.url + "/7?page=1&sort=name").status == 200)
        }
    }

    @Test(
        "A check calls the server and fails if the shape of a response changed, but not if only values changed",
        arguments: [
            (#"{"id": 9, "name": "Sam", "tags": [], "nick": "S"}"#, nil),
            (#"{"id": "9", "name": "Sam", "tags": ["b"], "nick": null}"#, "id was number and is string"),
            (#"{"id": 9, "tags": ["b"], "nick": null}"#, "name is gone"),
            (#"{"id": 9, "name": "Sam", "tags": [1], "nick": null}"#, "tags[] was string and is number"),
            (#"{"id": 9, "name": "Sam", "tags": [], "nick": null, "new": 1}"#, "new is new"),
        ])
    func drift(answer: String, difference: String?) async throws {
        try await withFile { file in
            try await record(file, over: server())
            let check = try Cassette(file, mode: .check, over: server(answer))
            #expect(try await check.ask(.get, Self.url + "/7?page=1&sort=name").text == answer)
            _ = try await check.ask(.post, Self.url, body: .text(#"{"name": "Rudabeh"}"#))
            _ = try await check.ask(.get, "https://api.example.com/picture")
            guard let difference else { return try check.finish() }
            let error = #expect(throws: CassetteMismatchError.self) { try check.finish() }
            #expect(error?.differences == ["GET \(Self.url)/7?page=1&sort=name: \(difference)"])
        }
    }

    @Test("A missing or invalid file fails with a hint")
    func unreadable() async throws {
        try await withFile { file in
            let missing = #expect(throws: Cassette.UnreadableError.self) { try Cassette(file, mode: .replay) }
            #expect(missing?.description.contains("record it first") == true)
            try Data("{}".utf8).write(to: URL(filePath: file))
            #expect(throws: Cassette.UnreadableError.self) { try Cassette(file, mode: .replay) }
            #expect(throws: Cassette.UnreadableError.self) { try Cassette(file, mode: .record) }
        }
    }
}
