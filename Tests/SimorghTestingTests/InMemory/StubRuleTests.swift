// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StubRuleTests {
    @Test(
        "SN5: a stubbed success, error, text and empty response are returned as written",
        arguments: [
            (StubResponse.json(#"{"id":7}"#), 200, #"{"id":7}"#),
            (.json(["b": 1, "a": 2]), 200, #"{"a":2,"b":1}"#),
            (.json(#"{"reason":"gone"}"#, status: .notFound), 404, #"{"reason":"gone"}"#),
            (.text("plain", status: .internalServerError), 500, "plain"),
            (.status(.ok), 200, ""),
        ])
    func answers(answer: StubResponse, status: Int, body: String) async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.get, path: "/users/7", response: answer)
        let response = try await transport.send(.get("/users/7?full=1"))
        #expect(response.head.status.code == status)
        #expect(response.body.collectedBytes == Data(body.utf8))
    }

    @Test("SN5: an unmatched request fails, and the error lists the request and the rules")
    func unmatched() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.get, path: "/users/{id}", response: .status(.ok))
        transport.on(.post, path: "https://other.test/users", inOrder: [.status(.created)])
        let error = try await #require(throws: TransportError.self) { try await transport.send(.post("/users")) }
        let cause = try #require(error.underlying as? UnmatchedRequestError)
        #expect(cause.rules == ["GET /users/{id}", "POST https://other.test/users (1 left)"])
        #expect(error.message.contains("POST http://api.test/users"))
        #expect(error.message.contains("GET /users/{id}"))
        #expect(error.url == "http://api.test/users")
        #expect(transport.requestCount == 1)
    }

    @Test(
        "An unmatched request is reported with the names in its query, without their values",
        arguments: [
            ("/a", "/a"), ("/a?", "/a?"), ("/a?page=2&api_key=s3cret", "/a?page=…&api_key=…"), ("/a?s3cret", "/a?…"),
            ("/a?b=1?c=s3cret&d", "/a?b=…&…"),
        ])
    func shownQuery(path: String, shown: String) async throws {
        let stubs = StubServer()
        let token = stubs.add(.isAbsoluteURLString("http://api.test/a?page=3"), response: .status(.ok))
        let error = try await #require(throws: TransportError.self) { try await stubs.send(.get(path)) }
        #expect(error.message.hasPrefix("no scripted answer for GET http://api.test\(shown); the nearest is "))
        #expect(error.message.contains("the URL is http://api.test\(shown), not http://api.test/a?page=3"))
        #expect(!"\(error)".contains("s3cret"))
        let unmet = #expect(throws: UnmetExpectationsError.self) { try stubs.verify() }
        #expect(unmet?.unmatched == ["GET http://api.test\(shown)"])
        _ = token
    }

    @Test("Responses with inOrder are used once each, then the rule no longer matches")
    func queue() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.get, path: "/a", inOrder: [.status(.serviceUnavailable), .status(.accepted)])
        transport.on("/a", response: .status(.gone))
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await transport.send(.get("/a")).head.status.code) }
        #expect(statuses == [503, 202, 410, 410])

        let short = StubServer(inOrder: [.status(.ok)])
        _ = try await short.send(.get("/x"))
        let error = await #expect(throws: TransportError.self) { try await short.send(.get("/x")) }
        #expect(error?.message.contains("used up") == true)
    }

    @Test("A handler receives method, path, query, header fields, body and path parameters")
    func handler() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.put, path: "http://api.test/users/{id}/*") { request in
            #expect(request.parameters == ["id": "a b", "*": "x/y"])
            #expect(request.query.map(\.name) == ["q", "q"])
            #expect(request.query.map(\.value) == ["1 2", "&"])
            return .text("\(request.method) \(request.path) \(request.header(.accept) ?? "") \(request.text)")
        }
        var request = TransportRequest.put("/users/a%20b/x/y?q=1+2&q=%26", body: .text("hello"))
        request.head.headerFields[.accept] = "text/plain"
        let response = try await transport.send(request)
        #expect(response.body.collectedBytes == Data("PUT /users/a%20b/x/y text/plain hello".utf8))
    }

    @Test("Every kind of request body is recorded completely")
    func bodies() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin")
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = StubServer { _ in .status(.noContent) }
        let bodies: [RequestBody] = [
            .empty, .bytes(bytes), try .file(file.path()), .stream { Chunks([bytes.prefix(5), bytes.dropFirst(5)]) },
            .once(Chunks([bytes]), length: 300_000),
        ]
        for body in bodies { _ = try await transport.send(.put("/", body: body)) }
        #expect(transport.requests.map(\.body) == [Data(), bytes, bytes, bytes, bytes])
        #expect(transport.requests.map(\.index) == [0, 1, 2, 3, 4])
    }

    @Test(
        "A request body with a wrong length or a failure fails before it is answered",
        arguments: [
            RequestBody.once(Chunks([Data("abc".utf8)]), length: 4),
            .once(Chunks([Data("abc".utf8)], failure: Broken())),
            .json(["not": "encoded"]),
        ])
    func wrongBodies(body: RequestBody) async throws {
        let transport = StubServer { _ in .status(.ok) }
        let error = await #expect(throws: TransportError.self) { try await transport.send(.put("/", body: body)) }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(transport.requestCount == 0)
    }

    @Test("An error thrown by a handler is thrown by the transport")
    func failures() async throws {
        let lost = TransportError(.networkConnectionLost, phase: .body, message: "lost")
        let transport = StubServer(precedence: .first)
        transport.on("/thrown") { _ in throw lost }
        transport.on("/given", response: .failure(lost))
        transport.on("/foreign") { _ in throw Broken() }
        transport.on("/late", response: .timedOut(.connect, after: .seconds(3)))
        for path in ["/thrown", "/given"] {
            let error = await #expect(throws: TransportError.self) { try await transport.send(.get(path)) }
            #expect(error?.code == .networkConnectionLost)
        }
        let foreign = await #expect(throws: TransportError.self) { try await transport.send(.get("/foreign")) }
        #expect(foreign?.underlying is Broken)
        let late = await #expect(throws: TransportError.self) { try await transport.send(.get("/late")) }
        #expect(late?.code == .timedOut)
        #expect(late?.limit == .seconds(3))
        #expect(late?.requestMayHaveBeenSent == false)
    }

    @Test("A collected body above its limit is an error, and at the limit it is not", arguments: [4, 5])
    func bound(limit: Int) async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("ab".utf8)), .bytes(Data("cde".utf8))]) }
        var request = TransportRequest.get("/")
        request.options.delivery = .collected(upTo: limit)
        if limit == 5 {
            #expect(try await transport.send(request).body.collectedBytes == Data("abcde".utf8))
        } else {
            let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }
    }

    @Test("A streamed body arrives chunk by chunk, waits at its gates and fails where the stub says")
    func streamed() async throws {
        let gate = Gate()
        let lost = TransportError(.networkConnectionLost, phase: .body, message: "lost")
        let transport = StubServer { _ in
            .chunks([.bytes(Data("a".utf8)), .wait(gate), .bytes(Data("b".utf8)), .fail(lost)])
        }
        var request = TransportRequest.get("/")
        request.options.delivery = .streamed
        let scope = CancellationScope()
        request.options.scope = scope
        var iterator = try await transport.send(request).body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        #expect(scope.count == 1)
        gate.open()
        #expect(try await iterator.next() == Data("b".utf8))
        await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(scope.count == 0)
    }

    @Test("HEAD, 204 and 304 have no body, even if the stub has one")
    func bodiless() async throws {
        let transport = StubServer { request in
            .text("body", status: .init(code: Int(request.path.dropFirst()) ?? 0))
        }
        #expect(try await transport.send(.get("/204")).body.collectedBytes == Data())
        #expect(try await transport.send(.get("/304")).body.collectedBytes == Data())
        var head = TransportRequest.get("/200")
        head.head.method = .head
        #expect(try await transport.send(head).body.collectedBytes == Data())
    }

    @Test("A held response arrives when its gate opens")
    func held() async throws {
        let gate = Gate()
        let transport = StubServer { _ in .text("late").held(by: gate) }
        async let response = transport.send(.get("/slow"))
        #expect(try await transport.request(at: 0).path == "/slow")
        gate.open()
        #expect(try await response.body.collectedBytes == Data("late".utf8))
    }

    @Test(
        "Cancelling the task or the scope ends a call at once, even if its handler never returns",
        arguments: [0, 1, 2])
    func cancelled(how: Int) async throws {
        let never = Gate()
        let transport = StubServer { _ in
            // This handler ignores cancellation: the call must not wait for it.
            await Task.detached { try? await never.wait() }.value
            return .status(.ok)
        }
        defer { never.open() }
        let scope = CancellationScope()
        if how == 2 { scope.cancelAll() }
        let call = Task {
            var request = TransportRequest.get("/")
            request.options.scope = scope
            return try await transport.send(request)
        }
        if how < 2 { _ = try await transport.request(at: 0) }
        if how == 0 { call.cancel() }
        if how == 1 { scope.cancelAll() }
        let error = await #expect(throws: TransportError.self) { try await call.value }
        #expect(error?.code == .cancelled)
        #expect(scope.count == 0)
    }

    @Test("A request that was cancelled before it started is not recorded", arguments: [false, true])
    func cancelledBefore(byScope: Bool) async throws {
        let transport = StubServer { _ in .status(.ok) }
        let scope = CancellationScope()
        if byScope { scope.cancelAll() }
        // Repeated, because the request's task may be as fast as its cancellation.
        for _ in 0..<200 {
            let call = Task {
                if !byScope { withUnsafeCurrentTask { $0?.cancel() } }
                var request = TransportRequest.get("/")
                request.options.scope = scope
                return try await transport.send(request)
            }
            let error = await #expect(throws: TransportError.self) { try await call.value }
            #expect(error?.code == .cancelled)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("Cancelling the scope ends a streamed body, and releasing the body leaves the scope")
    func cancelledStream() async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("a".utf8)), .wait(Gate())]) }
        let scope = CancellationScope()
        var request = TransportRequest.get("/")
        request.options.delivery = .streamed
        request.options.scope = scope
        do {
            let dropped = try await transport.send(request)
            #expect(scope.count == 1)
            _ = dropped
        }
        // The sender of the response may not have released it yet.
        try await eventually { scope.count == 0 }
        let response = try await transport.send(request)
        let reading = Task {
            var chunks = 0
            for try await _ in response.body {
                chunks += 1
                scope.cancelAll()
            }
            return chunks
        }
        let error = await #expect(throws: TransportError.self) { try await reading.value }
        #expect(error?.code == .cancelled)
    }

    @Test("`arrivals` delivers each request in order, without polling")
    func arrivals() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let seen = Task {
            var paths: [String] = []
            for try await request in transport.arrivals {
                paths.append(request.path)
                if paths.count == 3 { break }
            }
            return paths
        }
        for path in ["/1", "/2", "/3"] { _ = try await transport.send(.get(path)) }
        #expect(try await seen.value == ["/1", "/2", "/3"])
        let waiting = Task { try await transport.request(at: 99) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: (any Error).self) { try await transport.request(at: -1) }
    }
}

private struct Broken: Error {}

private struct Chunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    var chunks: [Data]
    var failure: (any Error)?

    init(_ chunks: [Data], failure: (any Error)? = nil) {
        self.chunks = chunks
        self.failure = failure
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks[...], failure: failure) }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: ArraySlice<Data>
        var failure: (any Error)?

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            if let chunk = chunks.popFirst() { return chunk }
            if let failure { throw failure }
            return nil
        }
    }
}

extension TransportRequest {
    fileprivate static func get(_ path: String) -> TransportRequest {
        TransportRequest(head: HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: path))
    }

    fileprivate static func post(_ path: String) -> TransportRequest {
        TransportRequest(head: HTTPRequest(method: .post, scheme: "http", authority: "api.test", path: path))
    }

    fileprivate static func put(_ path: String, body: RequestBody = .empty) -> TransportRequest {
        TransportRequest(head: HTTPRequest(method: .put, scheme: "http", authority: "api.test", path: path), body: body)
    }
}
