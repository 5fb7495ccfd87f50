// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MockServerTests {
    @Test("A request reserves the next queued response at its head, and returns it if unused")
    func reserved() async {
        let state = MockServerState(MockServer.Configuration())
        state.enqueue([.status(.created), .status(.accepted)])
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        let request = RecordedRequest(index: 0, head: head, body: Data())
        let (first, second) = (state.reserve(request), state.reserve(request))
        #expect(first.expectedResponse?.status == .created && second.expectedResponse?.status == .accepted)
        let late = await state.answer(to: request, reservation: second)
        #expect(late.status == .accepted && state.queued == 0)
        first.release()
        #expect(state.queued == 1)
        let answer = await state.answer(to: request, reservation: state.reserve(request))
        #expect(answer.status == .created && state.queued == 0)
    }

    @Test("Returned responses are queued again in their order, before the unreserved ones", arguments: 0..<6)
    func givenBack(round: Int) async {
        let state = MockServerState(MockServer.Configuration())
        let statuses = [200, 201, 202, 203, 204].map { HTTPResponse.Status(code: $0) }
        state.enqueue(statuses.map { StubResponse.status($0) })
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        let request = RecordedRequest(index: 0, head: head, body: Data())
        let taken = (0..<4).map { _ in state.reserve(request) }
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for index in orders[round] { taken[index].release() }
        #expect(await state.answer(to: request, reservation: taken[3]).status == statuses[3])
        for status in [statuses[0], statuses[1], statuses[2], statuses[4]] {
            #expect(await state.answer(to: request, reservation: state.reserve(request)).status == status)
        }
    }

    @Test("A request that is abandoned before it is complete leaves its response for the next request")
    func givenUp() async throws {
        try await MockServer.with { server in
            server.enqueue(.text("first"), .text("second"))
            let head = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
            let result = try await RawClient(port: server.port).send([head]) { !$0.isEmpty }
            #expect(result.text.hasPrefix("HTTP/1.1 100 "))
            try await eventually { server.state.queued == 2 }
            let transport = NIOTransport()
            for text in ["first", "second"] {
                #expect(try await server.ask(.http1, over: transport).text == text)
            }
        }
    }

    @Test(
        "Rules precede the queue, the queue is in order, and an unmatched request receives 500 with a hint",
        arguments: MockServer.Way.allCases)
    func answers(way: MockServer.Way) async throws {
        let server = try await MockServer.start(way.configuration())
        server.enqueue(.text("one"), .json(#"{"n": 2}"#, status: .created))
        server.on(.get, path: "/users/{id}") { .text("user \($0.parameters["id"] ?? "")") }
        let transport = NIOTransport()
        #expect(try await server.ask(way, .get, "/users/7?x=1", over: transport).text == "user 7")
        #expect(try await server.ask(way, .get, "/a", over: transport).text == "one")
        let second = try await server.ask(way, .post, "/b", body: .text("hello"), over: transport)
        #expect((second.status, second.text) == (201, #"{"n": 2}"#))
        let unmatched = try await server.ask(way, .get, "/user/7", over: transport)
        #expect(unmatched.status == 500)
        #expect(unmatched.text.contains("the nearest is GET /users/{id}"))
        let requests = server.requests
        #expect(requests.map(\.path) == ["/users/7", "/a", "/b", "/user/7"])
        #expect(requests[2].text == "hello")
        #expect(requests.allSatisfy { $0.arrival?.isSecure == way.isSecure && $0.arrival?.isComplete == true })
        #expect(requests.allSatisfy { $0.arrival?.protocolName == (way.isHTTP2 ? "h2" : "http/1.1") })
        #expect(Set(requests.compactMap(\.arrival?.connection)) == [0])
        #expect(server.acceptedConnectionCount == 1)
        #expect(try await server.takeRequest().path == "/users/7")
        #expect(try await server.takeRequest().path == "/a")
        #expect(throws: UnmetExpectationsError.self) { try server.verify() }
        await server.shutdown()
    }

    @Test("A server without a matching stub fails the test around it")
    func unmatched() async throws {
        let error = await #expect(throws: UnmetExpectationsError.self) {
            try await MockServer.with { server in
                let status = try await server.ask(.http1, .get, "/x").status
                #expect(status == 500)
            }
        }
        #expect(error?.description.contains("GET http://127.0.0.1") == true)
    }

    @Test(
        "Interim responses, trailers, header fields and the length for HEAD are sent as written",
        arguments: MockServer.Way.allCases)
    func parts(way: MockServer.Way) async throws {
        try await MockServer.with(way.configuration()) { server in
            let answer = StubResponse.text("body").header(.eTag, value: "\"v\"")
            let (link, sum) = (try #require(HTTPField.Name("Link")), try #require(HTTPField.Name("X-Sum")))
            server.on(
                .get, path: "/",
                response: answer.interim(.earlyHints, headerFields: [link: "</a.css>"]).trailers([sum: "sum"]))
            server.on(.head, path: "/", response: answer)
            let interim = Mutex<[HTTPResponse]>([])
            let transport = NIOTransport()
            let found = try await server.ask(way, fields: [.te: "trailers"], over: transport) {
                $0.informational = { response in interim.withLock { $0.append(response) } }
            }
            #expect(found.text == "body")
            #expect(found.field("ETag") == "\"v\"")
            #expect(found.trailers[sum] == "sum")
            #expect(interim.withLock { $0.map(\.status.code) } == [103])
            #expect(interim.withLock { $0.first?.headerFields[link] } == "</a.css>")
            let head = try await server.ask(way, .head, over: transport)
            #expect(head.field("Content-Length") == "4")
            #expect(head.text.isEmpty)
        }
    }

    @Test("Delays and pauses run on the server's clock", arguments: MockServer.Way.allCases)
    func delays(way: MockServer.Way) async throws {
        let clock = TestClock()
        try await MockServer.with(way.configuration(clock.timeSource)) { server in
            server.enqueue(
                .text("abcdef").throttled(to: 4, every: .seconds(5))
                    .delayed(head: .seconds(1), body: .seconds(2), end: .seconds(3)))
            // Kept until the end: releasing the transport closes the connection and ends the delays of unsent parts.
            let transport = NIOTransport()
            async let answer = server.ask(way, over: transport)
            for seconds in [1, 2, 5, 3] {
                try await clock.sleeping()
                clock.advance(by: .seconds(seconds))
            }
            #expect(try await answer.text == "abcdef")
            #expect(clock.waits == [1, 2, 5, 3].map { .seconds($0) })
        }
    }

    @Test("Trailers are delayed as configured, after the body has arrived", arguments: MockServer.Way.allCases)
    func lateTrailers(way: MockServer.Way) async throws {
        let clock = TestClock()
        try await MockServer.with(way.configuration(clock.timeSource)) { server in
            server.enqueue(StubResponse.text("body").trailers([.eTag: "x"]).delayed(end: .seconds(3)))
            let transport = NIOTransport()
            let answer = try await server.ask(way, fields: [.te: "trailers"], over: transport) {
                $0.delivery = .streamed
            }
            var text = ""
            for try await chunk in answer.response.body {
                text += String(decoding: chunk, as: UTF8.self)
                guard text == "body" else { continue }
                try await clock.sleeping()
                #expect(answer.trailers.isEmpty)
                clock.advance(by: .seconds(3))
            }
            #expect((text, answer.trailers[.eTag]) == ("body", "x"))
            #expect(clock.waits == [.seconds(3)])
            withExtendedLifetime(transport) {}
        }
    }

    @Test("A gate holds the body back after the head was sent", arguments: MockServer.Way.allCases)
    func gates(way: MockServer.Way) async throws {
        try await MockServer.with(way.configuration()) { server in
            let gate = Gate()
            server.enqueue(.chunks([.bytes(Data("first".utf8)), .wait(gate), .bytes(Data("second".utf8))]))
            let answer = try await server.ask(way) { $0.delivery = .streamed }
            var pieces = ""
            for try await chunk in answer.response.body {
                pieces += String(decoding: chunk, as: UTF8.self)
                if pieces == "first" { gate.open() }
            }
            #expect(pieces == "firstsecond")
        }
    }

    @Test("A response with beforeBody leaves the upload unread", arguments: MockServer.Way.allCases)
    func early(way: MockServer.Way) async throws {
        try await MockServer.with(way.configuration()) { server in
            server.enqueue(.text("too much", status: .contentTooLarge).beforeBody())
            let body = RequestBody.bytes(Data(repeating: 1, count: 4_000_000))
            let answer = try await server.ask(way, .put, body: body)
            #expect((answer.status, answer.text) == (413, "too much"))
            #expect(server.requests.first?.arrival?.isComplete == false)
        }
    }

    @Test("Large bodies are transferred completely in both directions", arguments: MockServer.Way.allCases)
    func large(way: MockServer.Way) async throws {
        try await MockServer.with(way.configuration()) { server in
            server.on(.post, path: "/echo") { .bytes($0.body) }
            let bytes = MockServer.bytes(3_000_000)
            let answer = try await server.ask(way, .post, "/echo", body: .bytes(bytes))
            #expect(answer.response.body.collectedBytes == bytes)
        }
    }

    @Test("200 concurrent requests over one HTTP/2 connection each receive their own response")
    func concurrent() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/n/{n}") { .text($0.parameters["n"] ?? "") }
            let transport = NIOTransport()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let text = try await server.ask(.http2, .get, "/n/\(number)", over: transport).text
                        #expect(text == "\(number)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.requestCount == 200)
        }
    }

    @Test("An event stream is sent with its fields, in each version of HTTP", arguments: MockServer.Way.allCases)
    func events(way: MockServer.Way) async throws {
        try await MockServer.with(way.configuration()) { server in
            server.enqueue(
                .serverSentEvents([
                    ServerSentEvent(data: "one\ntwo", event: "greeting", id: "7"), ServerSentEvent(data: "three"),
                ]))
            let answer = try await server.ask(way)
            #expect(answer.field("Content-Type") == "text/event-stream")
            #expect(answer.text == "event: greeting\nid: 7\ndata: one\ndata: two\n\ndata: three\n\n")
        }
    }

    @Test("Pipelined requests are answered in order, however many there are")
    func pipelining() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/n/{n}") { .text("<\($0.parameters["n"] ?? "")>") }
            let requests = (0..<60).map { "GET /n/\($0) HTTP/1.1\r\nHost: test\r\n\r\n" }.joined()
            let last = "GET /n/60 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
            let result = try await RawClient(port: server.port).send([requests + last])
            let order = result.text.split(separator: "<").dropFirst().map { Int($0.prefix { $0 != ">" }) }
            #expect(order == Array(0...60))
            #expect(result.ending == .closed)
        }
    }
}
