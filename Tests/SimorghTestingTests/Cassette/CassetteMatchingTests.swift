// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

/// The matching of requests to recorded exchanges, and the order of the exchanges in the file.
@Suite(.timeLimit(.minutes(5)))
struct CassetteMatchingTests {
    private static let url = "https://api.example.com/files"

    /// Returns a form with one file of these bytes, as a client sends it.
    private static func form(_ bytes: [UInt8], boundary: String = "xx") -> (body: RequestBody, fields: HTTPFields) {
        let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.bin\"\r\n\r\n"
        let body = Data(head.utf8) + Data(bytes) + Data("\r\n--\(boundary)--\r\n".utf8)
        return (.bytes(body), [.contentType: "multipart/form-data; boundary=\(boundary)"])
    }

    private func texts(_ cassette: Cassette, _ urls: [String]) async throws -> [String] {
        var texts: [String] = []
        for url in urls { texts.append(try await cassette.ask(.get, url).text) }
        return texts
    }

    private func log(_ file: String) throws -> JSON { try JSON(parsing: Data(contentsOf: URL(filePath: file))).log }

    // MARK: Bytes

    @Test("Two multipart files that are not UTF-8, FF FE and 80 81, each keep their own response (vcrpy#882)")
    func binaryParts() async throws {
        try await withCassetteFile { file in
            let transport = StubServer(inOrder: [.text("fffe"), .text("8081")])
            try await Cassette.with(file, mode: .record, over: transport) { cassette in
                for bytes: [UInt8] in [[0xFF, 0xFE], [0x80, 0x81]] {
                    let (body, fields) = Self.form(bytes)
                    _ = try await cassette.ask(.post, Self.url, body: body, fields: fields)
                }
            }
            try await Cassette.with(file, mode: .replay) { cassette in
                for (bytes, answer) in [([0x80, 0x81] as [UInt8], "8081"), ([0xFF, 0xFE], "fffe")] {
                    // The boundary differs in every request.
                    let (body, fields) = Self.form(bytes, boundary: "another")
                    let told = try await cassette.ask(.post, Self.url, body: body, fields: fields)
                    #expect(told.text == answer)
                }
            }
        }
    }

    @Test("A recorded multipart file FF D8 does not match FE C0 (vcrpy#882)")
    func otherBinaryPart() async throws {
        try await withCassetteFile { file in
            let (body, fields) = Self.form([0xFF, 0xD8])
            try await Cassette.with(file, mode: .record, over: StubServer { _ in .text("x") }) { cassette in
                _ = try await cassette.ask(.post, Self.url, body: body, fields: fields)
            }
            let cassette = try Cassette(file, mode: .replay)
            let (other, _) = Self.form([0xFE, 0xC0])
            let error = await wireFailure {
                try await cassette.ask(.post, Self.url, body: other, fields: fields)
            }
            #expect(error?.message.contains("the body differs") == true)
        }
    }

    @Test(
        "Equivalent Unicode and invalid UTF-8 are distinguished: in the query, in JSON and in its keys",
        arguments: [
            ("?q=%C3%A9", "?q=e%CC%81", "", ""), ("?q=%FF", "?q=%FE", "", ""), ("?a%3Db=c", "?a=b%3Dc", "", ""),
            ("", "", #"{"q": "é"}"#, "{\"q\": \"e\u{301}\"}"), ("", "", #"{"é": 1}"#, "{\"e\u{301}\": 1}"),
            ("", "", #"[["é"]]"#, "[[\"e\u{301}\"]]"),
        ])
    func exactBytes(query: String, otherQuery: String, body: String, otherBody: String) async throws {
        try await withCassetteFile { file in
            try await Cassette.with(file, mode: .record, over: StubServer { _ in .text("x") }) { cassette in
                _ = try await cassette.ask(.post, Self.url + query, body: .text(body))
            }
            let cassette = try Cassette(file, mode: .replay)
            let error = await wireFailure {
                try await cassette.ask(.post, Self.url + otherQuery, body: .text(otherBody))
            }
            #expect(error?.underlying is CassetteMismatchError)
            #expect(try await cassette.ask(.post, Self.url + query, body: .text(body)).text == "x")
            if query == "?q=%C3%A9" {
                #expect(error?.message.contains("the query is q=e%CC%81, not q=%C3%A9") == true)
            }
        }
    }

    @Test("Header fields that must match are compared as bytes")
    func exactFields() async throws {
        let name = try #require(HTTPField.Name("X-Bird"))
        var rules = Cassette.Rules()
        rules.headers = ["x-bird"]
        try await withCassetteFile { file in
            try await Cassette.with(file, mode: .record, over: StubServer { _ in .text("x") }, rules: rules) {
                _ = try await $0.ask(.get, Self.url, fields: [name: "é"])
            }
            let cassette = try Cassette(file, mode: .replay, rules: rules)
            let error = await wireFailure { try await cassette.ask(.get, Self.url, fields: [name: "e\u{301}"]) }
            #expect(error?.underlying is CassetteMismatchError)
            #expect(try await cassette.ask(.get, Self.url, fields: [name: "é"]).text == "x")
        }
    }

    // MARK: Order

    /// Records a slow exchange, and one that starts 100 ms later and ends before it.
    private func recordTwo(_ file: String, _ slow: String, _ fast: String) async throws {
        let clock = TestClock()
        let gate = Gate()
        // The response is chosen by the request's number: with `inOrder` the second request could be answered first.
        let transport = StubServer { $0.index == 0 ? .text("pending").held(by: gate) : .text("done") }
        let cassette = try Cassette(file, mode: .record, over: transport, time: clock.timeSource)
        async let first = cassette.ask(.get, slow)
        _ = try await transport.request(at: 0)
        clock.advance(by: .milliseconds(100))
        #expect(try await cassette.ask(.get, fast).text == "done")
        gate.open()
        let late = try await first
        #expect(late.text == "pending")
        try cassette.finish()
    }

    @Test("A URL requested twice, with a slower first response, is replayed in request order (mitmproxy#3060)")
    func byStart() async throws {
        try await withCassetteFile { file in
            try await recordTwo(file, Self.url, Self.url)
            let started = try #require(try log(file).entries.array).compactMap { $0.startedDateTime.string }
            #expect(started.count == 2 && started == started.sorted() && started[0] != started[1])
            #expect(started.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil })
            try await Cassette.with(file, mode: .replay) { cassette in
                let answers = try await texts(cassette, [Self.url, Self.url])
                #expect(answers == ["pending", "done"])
            }
        }
    }

    @Test("isOrdered: a slow and then a fast request replay their own responses, and a check accepts both")
    func orderedByStart() async throws {
        var rules = Cassette.Rules()
        rules.isOrdered = true
        try await withCassetteFile { file in
            try await recordTwo(file, Self.url + "/slow", Self.url + "/fast")
            try await Cassette.with(file, mode: .replay, rules: rules) { cassette in
                let answers = try await texts(cassette, [Self.url + "/slow", Self.url + "/fast"])
                #expect(answers == ["pending", "done"])
            }
            let gate = Gate()
            let transport = StubServer(inOrder: [.text("pending").held(by: gate), .text("done")])
            let check = try Cassette(file, mode: .check, over: transport, rules: rules)
            async let slow = check.ask(.get, Self.url + "/slow")
            _ = try await transport.request(at: 0)
            #expect(try await check.ask(.get, Self.url + "/fast").text == "done")
            gate.open()
            _ = try await slow
            try check.finish()
        }
    }

    @Test("isOrdered: a request that fails during a check and is retried counts as the same exchange")
    func checkedAgain() async throws {
        var rules = Cassette.Rules()
        rules.isOrdered = true
        try await withCassetteFile { file in
            try await recordTwo(file, Self.url + "/slow", Self.url + "/fast")
            let lost = TransportError(.networkConnectionLost, phase: .head, message: "lost")
            let transport = StubServer(inOrder: [.failure(lost), .text("pending"), .text("done")])
            let check = try Cassette(file, mode: .check, over: transport, rules: rules)
            let error = await wireFailure { try await check.ask(.get, Self.url + "/slow") }
            #expect(error?.code == .networkConnectionLost)
            for path in ["/slow", "/fast"] { _ = try await check.ask(.get, Self.url + path) }
            try check.finish()
        }
    }

    /// Returns a file with the entries of two requests, in this order.
    private static func earlier(_ entries: [(path: String, started: String)]) -> String {
        let entries = entries.map { path, started in
            """
            {"startedDateTime": "\(started)", "time": 1, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0},
             "request": {"method": "GET", "url": "\(url)", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
             "queryString": [], "headersSize": -1, "bodySize": 0},
             "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
             "redirectURL": "", "headersSize": -1, "bodySize": 4,
             "content": {"size": 4, "mimeType": "text/plain", "text": "\(path)"}}}
            """
        }
        return """
            {"log": {"version": "1.2", "creator": {"name": "a", "version": "1"},
            "entries": [\(entries.joined(separator: ","))]}}
            """
    }

    @Test(
        "Files of earlier releases and of other tools are replayed in order of startedDateTime, if each entry has one",
        arguments: [
            // Whole seconds, in the order in which the exchanges ended.
            (["2026-07-01T10:00:02Z", "2026-07-01T10:00:01Z"], ["b", "a"]),
            (["2026-07-01T10:00:01Z", "2026-07-01T10:00:01Z"], ["a", "b"]),
            (["2026-07-01T10:00:01.200Z", "2026-07-01T10:00:01.100Z"], ["b", "a"]),
            // With and without fractional seconds, and with another time zone.
            (["2026-07-01T10:00:01.001Z", "2026-07-01T10:00:01Z"], ["b", "a"]),
            (["2026-07-01T12:00:01.500+02:00", "2026-07-01T10:00:01.400Z"], ["b", "a"]),
            (["2026-07-01T10:00:02Z", "yesterday"], ["a", "b"]), (["", ""], ["a", "b"]),
        ])
    func earlierFiles(started: [String], order: [String]) async throws {
        try await withCassetteFile { file in
            let text = Self.earlier([("a", started[0]), ("b", started[1])])
            try Data(text.utf8).write(to: URL(filePath: file))
            try await Cassette.with(file, mode: .replay) { cassette in
                let answers = try await texts(cassette, order.map { _ in Self.url })
                #expect(answers == order)
            }
        }
    }

    // MARK: Heads

    @Test("A response to HEAD keeps Content-Length and Content-Encoding (mitmproxy#6547); a response to GET does not")
    func head() async throws {
        try await withCassetteFile { file in
            let transport = StubServer { request in
                request.method == .head
                    ? .status(.ok).header(.contentLength, value: "12345").header(.contentEncoding, value: "br")
                    : .text("abc").header(.contentEncoding, value: "gzip")
            }
            try await Cassette.with(file, mode: .record, over: transport) { cassette in
                for method in [HTTPRequest.Method.head, .get] { _ = try await cassette.ask(method, Self.url) }
            }
            try await Cassette.with(file, mode: .replay) { cassette in
                let head = try await cassette.ask(.head, Self.url)
                #expect(head.field("Content-Length") == "12345" && head.field("Content-Encoding") == "br")
                #expect(head.response.body.collectedBytes == Data())
                let answer = try await cassette.ask(.get, Self.url)
                #expect(answer.field("Content-Encoding") == nil && answer.text == "abc")
            }
        }
    }

    @Test("A 304 keeps its Content-Length and streams no body")
    func notModified() async throws {
        try await withCassetteFile { file in
            let transport = StubServer { _ in .status(.notModified).header(.contentLength, value: "12345") }
            try await Cassette.with(file, mode: .record, over: transport) { _ = try await $0.ask(.get, Self.url) }
            try await Cassette.with(file, mode: .replay) { cassette in
                let answer = try await cassette.ask(.get, Self.url) { $0.delivery = .streamed }
                #expect(answer.status == 304 && answer.field("Content-Length") == "12345")
                #expect(try await answer.response.body.collect(upTo: 10).isEmpty)
            }
        }
    }

    @Test("Cookies are recorded by name, in both directions, with redacted values")
    func cookies() async throws {
        try await withCassetteFile { file in
            let transport = StubServer { _ in
                var answer = StubResponse.text("x").header(.setCookie, value: "sid=s3cret-1; Path=/")
                answer.headerFields.append(HTTPField(name: .setCookie, value: "b3arer-token=; Secure"))
                return answer
            }
            let fields: HTTPFields = [.cookie: "a=s3cret-2; c=s3cret=3", .authorization: "Bearer b3arer-token"]
            try await Cassette.with(file, mode: .record, over: transport) { cassette in
                _ = try await cassette.ask(.get, Self.url, fields: fields)
            }
            let entry = try log(file).entries[0]
            let sent = entry.request.cookies.array?.map { "\($0.name.string ?? "")=\($0.value.string ?? "")" }
            let set = entry.response.cookies.array?.map { "\($0.name.string ?? "")=\($0.value.string ?? "")" }
            #expect(sent == ["a=[hidden]", "c=[hidden]"])
            #expect(set == ["sid=[hidden]", "[hidden]=[hidden]"])
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains("s3cret") && !text.contains("b3arer"))
            try await Cassette.with(file, mode: .replay) { cassette in
                let answer = try await cassette.ask(.get, Self.url)
                #expect(answer.text == "x", "cookies are not compared")
            }
        }
    }
}

/// Runs a function with a new cassette file path, and deletes the file afterwards.
func withCassetteFile(_ body: (String) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file.path())
}
