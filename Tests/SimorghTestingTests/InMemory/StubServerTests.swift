// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StubServerTests {
    private let stubs = StubServer(baseURL: "https://api.example.com/v1")

    @Test("SMA17: only matching requests are stubbed, and removing, cancelling or releasing a token removes its stub")
    func tokens() async throws {
        let url = "https://api.example.com/v1/a"
        let kept = stubs.add(condition: .pathEndsWith("/a"), statusCode: 201, body: .text("kept"))
        do {
            let scoped = stubs.add(condition: .pathEndsWith("/a"), statusCode: 503)
            #expect(try await stubs.ask(.get, url).status == 503)
            _ = scoped
        }
        #expect(try await stubs.ask(.get, url).status == 201)
        #expect(await wireFailure { try await stubs.ask(.get, "https://api.example.com/v1/b") } != nil)
        kept.cancel()
        #expect(await wireFailure { try await stubs.ask(.get, url) } != nil)
        stubs.add(condition: .any, body: .text("for good")).keep()
        #expect(try await stubs.client().call(.get, "a").data() == Data("for good".utf8))
    }

    @Test("SMA17: a delay runs on the server's clock, before a response and before an error")
    func delays() async throws {
        let clock = TestClock()
        let stubs = StubServer(time: clock.timeSource)
        let client = stubs.client { $0.baseURL = "https://api.test" }
        let token = stubs.add(condition: .isPath("/slow"), body: .text("late"), delayInSeconds: 2)
        let failing = stubs.add(
            condition: .isPath("/fails"), error: TransportError(.notConnectedToInternet, phase: .connect, message: "x"),
            delayInSeconds: 3)
        async let answer = client.call(.get, "slow").data()
        try await clock.sleeping()
        #expect(clock.waits == [.seconds(2)])
        clock.advance(by: .seconds(2))
        #expect(try await answer == Data("late".utf8))
        let failure = Task { try await client.call(.get, "fails").data() }
        try await clock.sleeping()
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: NetworkError.self) { try await failure.value }
        guard case .urlError(let cause) = error else { throw try #require(error) }
        #expect(cause.code == .notConnectedToInternet)
        _ = (token, failing)
    }

    @Test(
        "A slow stub fails with the request's timeouts, on the server's clock",
        arguments: [
            ("late", .head, 1), ("silent", .head, 1), ("stuck", .body, 2), ("slow", .total, 3), ("long", .total, 3),
        ] as [(String, TransportError.Phase, Int)])
    func timeouts(path: String, phase: TransportError.Phase, seconds: Int) async throws {
        let clock = TestClock()
        let stubs = StubServer(time: clock.timeSource)
        stubs.add(condition: .isPath("/late"), body: .text("late"), delayInSeconds: 5).keep()
        stubs.add(.isPath("/silent"), response: StubResponse.text("never").fault(.stall)).keep()
        stubs.add(.isPath("/stuck"), response: StubResponse.text("abcdef").fault(.stall, at: .responseBody)).keep()
        stubs.add(condition: .isPath("/slow"), body: .text("late"), delayInSeconds: 4).keep()
        stubs.add(.isPath("/long"), response: StubResponse.text("abcdef").fault(.stall, at: .responseBody)).keep()
        let call = Task {
            await wireFailure {
                try await stubs.ask(.get, "https://a.test/\(path)") { options in
                    options.timeouts.head = path == "slow" ? nil : .seconds(1)
                    options.timeouts.idle = path == "long" ? nil : .seconds(2)
                    options.timeouts.total = .seconds(3)
                }
            }
        }
        try await clock.sleeping()
        #expect(clock.waits == [.seconds(seconds)])
        clock.advance(by: .seconds(seconds))
        let error = await call.value
        #expect(error?.code == .timedOut && error?.phase == phase && error?.limit == .seconds(seconds))
        #expect(stubs.leftovers.isEmpty)
    }

    @Test("SMA17: a response has the stubbed status, header fields and body")
    func bodies() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        try Data(#"{"file": true}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let bodies: [(StubBody, String, String?)] = [
            (.empty, "", nil), (.text("hello"), "hello", "text/plain; charset=utf-8"),
            (.data(Data("bytes".utf8)), "bytes", nil), (.encodable(["a": 1]), #"{"a":1}"#, "application/json"),
            (.file(file.path()), #"{"file": true}"#, "application/json"),
        ]
        for (body, text, type) in bodies {
            let token = stubs.add(condition: .any, statusCode: 206, header: ["X-Bird": "zal"], body: body)
            let answer = try await stubs.ask(.get, "https://a.test/")
            #expect(answer.text == text)
            #expect(answer.status == 206)
            #expect(answer.field("Content-Type") == type)
            #expect(answer.field("X-Bird") == "zal")
            token.remove()
        }
    }

    @Test("An invalid stub fails the call, and the error states the reason")
    func badStubs() async throws {
        let cases: [(Int, [String: String], StubBody, String)] = [
            (7, [:], .empty, "7 is not a valid status code"), (200, ["a b": "c"], .empty, "a b"),
            (200, [:], .file("/nowhere/at/all"), "/nowhere/at/all"),
        ]
        for (status, header, body, word) in cases {
            let token = stubs.add(condition: .any, statusCode: status, header: header, body: body)
            let error = await #expect(throws: NetworkError.self) { try await stubs.client().call(.get, "x").data() }
            #expect("\(try #require(error))".contains(word))
            token.remove()
        }
    }

    @Test("SN5: a typed stub answers only its request, with a value, an error, text, bytes or a status")
    func typed() async throws {
        let client = stubs.client()
        let request = APIRequest<User, Problem>.get("users/7", headers: ["X-Mode": "a"], parameters: ["full": 1])
        stubs.stub(output: User(id: 7, name: "Zal"), for: request)
        #expect(try await client.response(for: request) == User(id: 7, name: "Zal"))
        stubs.stub(error: Problem(reason: "gone"), for: request, statusCode: 410)
        let refusal = await #expect(throws: APIClientError<Problem>.self) { try await client.response(for: request) }
        guard case .apiError(let said) = refusal else { throw try #require(refusal) }
        #expect(said.error == Problem(reason: "gone"))
        #expect(said.statusCode == 410)
        stubs.stub(text: "no JSON", for: request)
        let broken = await #expect(throws: APIClientError<Problem>.self) { try await client.response(for: request) }
        guard case .decodingError = broken else { throw try #require(broken) }
        stubs.stub(statusCode: 418, for: request)
        let bare = await #expect(throws: APIClientError<Problem>.self) { try await client.response(for: request) }
        #expect(bare?.statusCode == 418)
        for other in [
            APIRequest<User, Problem>.get("users/8", headers: ["X-Mode": "a"], parameters: ["full": 1]),
            .get("users/7", headers: ["X-Mode": "b"], parameters: ["full": 1]),
            .get("users/7", headers: ["X-Mode": "a"], parameters: ["full": 2]),
            .post("users/7", headers: ["X-Mode": "a"], parameters: ["full": 1]),
        ] {
            let error = await #expect(throws: APIClientError<Problem>.self) { try await client.response(for: other) }
            guard case .loadingError = error else { throw try #require(error) }
        }
        #expect(stubs.unmatchedRequests.count == 4)
    }

    @Test("SN5: an unmatched request reports the nearest stub and the reason for the mismatch")
    func nearest() async throws {
        stubs.fakeGET("users/{id}", response: #"{"id": {id}}"#)
        stubs.fakePOST("orders", response: ["id": 1])
        for (method, path, hints) in [
            (RequestMethod.get, "user/7", ["the nearest is GET /v1/users/{id}", "the path is /v1/user/7"]),
            (.delete, "users/7", ["the nearest is GET /v1/users/{id}", "the method is DELETE, not GET"]),
            (.put, "orders", ["the nearest is POST /v1/orders", "the method is PUT, not POST"]),
        ] {
            let error = await #expect(throws: NetworkError.self) { try await stubs.client().call(method, path).data() }
            guard case .urlError(let cause) = error else { throw try #require(error) }
            for hint in hints { #expect(cause.message.contains(hint), "\(cause.message)") }
            #expect(!cause.requestMayHaveBeenSent)
            #expect(cause.underlying is UnmatchedRequestError)
        }
        #expect(throws: UnmetExpectationsError.self) { try stubs.verify() }
    }

    @Test(
        "NET13: a fake's path parameters are inserted into its response",
        arguments: [
            ("users/{userID}", "users/10", #"{"name":"10"}"#, #"{"name":"{userID}"}"#),
            (
                "users/{userID}/companies/{companyID}", "users/10/companies/a%22b", #"{"u":10,"c":"a\"b"}"#,
                #"{"u":{userID},"c":"{companyID}"}"#
            ),
            ("a/{x}/b/{y}/c/{z}", "a/1/b/2/c/3", "[1, 2, 3, {w}, {}]", "[{x}, {y}, {z}, {w}, {}]"),
        ])
    func places(path: String, asked: String, answer: String, template: String) async throws {
        stubs.fakeGET(path, response: template, headerFields: ["Link": "</{userID}>"])
        let found = try await stubs.ask(.get, "https://api.example.com/v1/\(asked)")
        #expect(found.text == answer)
        if path.hasPrefix("users") { #expect(found.field("Link") == "</10>") }
    }

    @Test("NET13: fakes have a status, header fields, a delay and files, and the most specific of several matches")
    func fakes() async throws {
        let clock = TestClock(movesItself: true)
        let stubs = StubServer(baseURL: "https://api.example.com/v1", time: clock.timeSource)
        let url = "https://api.example.com/v1/users"
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        try Data(#"{"id": "{id}"}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        stubs.fakeGET("users/me", response: ["id": "me"], headerFields: ["X-A": "1"], delay: 1.5)
        stubs.fake(.get, path: "users/{id}", fileName: file.path())
        stubs.fakePOST("users", response: ["id": "new"], statusCode: 201)
        stubs.fakePUT("users/{id}", response: ["put": "{id}"])
        stubs.fakePATCH("users/{id}", response: ["patched": "{id}"])
        stubs.fakeDELETE("users/{id}")
        let me = try await stubs.ask(.get, url + "/me")
        #expect(me.text == #"{"id":"me"}"#)
        #expect(me.field("X-A") == "1")
        #expect(clock.waits == [.milliseconds(1500)])
        #expect(try await stubs.ask(.get, url + "/9").text == #"{"id": "9"}"#)
        #expect(try await stubs.ask(.post, url).status == 201)
        #expect(try await stubs.ask(.put, url + "/4").text == #"{"put":"4"}"#)
        #expect(try await stubs.ask(.patch, url + "/4").text == #"{"patched":"4"}"#)
        #expect(try await stubs.ask(.delete, url + "/4").status == 204)
    }

    @Test("The most specific stub answers, regardless of order; among equals the last one")
    func exactness() async throws {
        let stubs = StubServer()
        for (pattern, text) in [
            ("/a/b/{id}", "one place"), ("/a/b/c", "exact"), ("/a/{x}/{y}", "two"), ("/a/*", "rest"),
        ] {
            stubs.add(.path(pattern), response: .text(text)).keep()
        }
        for (path, text) in [
            ("a/b/c", "exact"), ("a/b/7", "one place"), ("a/x/7", "two"), ("a/x/7/8", "rest"),
        ] {
            #expect(try await stubs.ask(.get, "https://api.test/\(path)").text == text)
        }
        stubs.add(.pathStartsWith("/a/b"), response: .text("last")).keep()
        for path in ["a/b/c", "a/b/7"] {
            #expect(try await stubs.ask(.get, "https://api.test/\(path)").text == "last")
        }
    }

    @Test("Two servers in one process are independent, and unmatched requests can be forwarded")
    func apart() async throws {
        let elsewhere = StubServer { _ in .text("elsewhere") }
        let (one, other) = (StubServer(), StubServer(otherwise: .send(over: elsewhere)))
        let token = one.add(.any, response: .text("one"))
        #expect(try await APIClient.scripted(one).call(.get, "x").data() == Data("one".utf8))
        #expect(try await APIClient.scripted(other).call(.get, "x").data() == Data("elsewhere".utf8))
        #expect(other.requests.isEmpty)
        // The condition matches when it is first evaluated, and no longer when the request is answered.
        let isFirst = Mutex(true)
        let shy = other.add(.custom { _ in isFirst.withLock { exchange(&$0, with: false) } }, response: .text("never"))
        let client = APIClient.scripted(other)
        #expect(try await client.call(.post, "x", body: .text("whole")).data() == Data("elsewhere".utf8))
        #expect(elsewhere.requests.last?.text == "whole")
        shy.remove()
        try other.verify()
        token.remove()
    }

    @Test("A request that is forwarded after its body was read keeps all attributes of the body")
    func faithful() async throws {
        let keeper = BodyRecorder()
        let stubs = StubServer(otherwise: .send(over: keeper))
        // The condition matches when it is first evaluated, and no longer when the request is answered.
        let first = Mutex(true)
        for body in try BodyRecorder.samples() {
            first.withLock { $0 = true }
            let shy = stubs.add(
                .custom { _ in first.withLock { exchange(&$0, with: false) } }, response: .text("never"))
            _ = try await stubs.ask(.post, "https://api.test/x", body: body)
            shy.remove()
        }
        #expect(keeper.hasSamples())
    }

    struct User: Codable, Sendable, Equatable {
        let id: Int
        let name: String
    }

    struct Problem: Codable, Sendable, Equatable { let reason: String }
}
