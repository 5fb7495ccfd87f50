// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MockFaultTests {
    private static let breaking: [WireFault] = [.close, .reset, .garbage, .resetStream(2), .goAway(1)]

    @Test(
        "A fault up to the response head is an error of the client, at each point and in each version",
        arguments: MockServer.Way.allCases, breaking)
    func beforeHead(way: MockServer.Way, fault: WireFault) async throws {
        for point in WireFault.Point.allCases where point <= .responseHead {
            let server = try await MockServer.start(way.configuration())
            server.on(.post, path: "/", response: StubResponse.text("never").fault(fault, at: point))
            let body = RequestBody.bytes(Data(repeating: 7, count: 100_000))
            let error = await wireFailure { try await server.ask(way, .post, body: body) }
            #expect(error != nil, "\(fault) at \(point)")
            await server.shutdown()
        }
    }

    @Test(
        "A fault inside a body is an error in the body phase, never a short body",
        arguments: MockServer.Way.allCases, [WireFault.close, .reset, .resetStream(2), .truncate])
    func insideBody(way: MockServer.Way, fault: WireFault) async throws {
        let server = try await MockServer.start(way.configuration())
        server.on(
            .get, path: "/",
            response: StubResponse.text(String(repeating: "a", count: 1000)).fault(fault, at: .responseBody))
        let error = await wireFailure { try await server.ask(way) }
        #expect(error?.phase == .body, "\(String(describing: error))")
        await server.shutdown()
    }

    @Test("A fault after the response end does not affect the response", arguments: MockServer.Way.allCases, breaking)
    func behind(way: MockServer.Way, fault: WireFault) async throws {
        let server = try await MockServer.start(way.configuration())
        server.on(.get, path: "/", response: StubResponse.text("whole").fault(fault, at: .responseEnd))
        // A reset may discard bytes that were sent before it, as on a real network.
        if fault == .reset { return await server.shutdown() }
        #expect(try await server.ask(way).text == "whole")
        await server.shutdown()
    }

    @Test(
        "A slow server reads the whole request body at the configured rate",
        arguments: MockServer.Way.allCases)
    func slowReading(way: MockServer.Way) async throws {
        for point in [WireFault.Point.requestHead, .requestBody] {
            let clock = TestClock(movesItself: true)
            try await MockServer.with(way.configuration(clock.timeSource)) { server in
                server.enqueue(StubResponse.text("read").fault(.slow(bytesPerSecond: 1_000_000), at: point))
                let bytes = MockServer.bytes(3_000_000)
                let answer = try await server.ask(way, .post, body: .bytes(bytes))
                #expect(answer.text == "read")
                #expect(server.requests.first?.body == bytes)
                #expect(clock.waits.reduce(Duration.zero, +) == .seconds(3), "\(point)")
            }
        }
    }

    @Test(
        "A slow server delays its response even if the request body arrives at once",
        arguments: MockServer.Way.allCases)
    func slowReadingAtOnce(way: MockServer.Way) async throws {
        let clock = TestClock(movesItself: true)
        try await MockServer.with(way.configuration(clock.timeSource)) { server in
            server.enqueue(StubResponse.text("read").fault(.slow(bytesPerSecond: 2), at: .requestBody))
            let answer = try await server.ask(way, .post, body: .text("thirty bird"))
            #expect(answer.text == "read")
            // Eleven bytes at two bytes per second.
            #expect(clock.waits.reduce(Duration.zero, +) == .milliseconds(5500))
        }
    }

    @Test("A slow server sends the whole response at the configured rate", arguments: MockServer.Way.allCases)
    func slowAnswers(way: MockServer.Way) async throws {
        let half = Duration.milliseconds(500)
        // The head counts as 19 bytes, the trailers as nine.
        for (point, waits) in [
            (WireFault.Point.responseHead, [half * 19, half, half, half, half * 9]),
            (.responseBody, [half, half, half * 9]), (.responseEnd, [half * 9]),
        ] {
            let clock = TestClock(movesItself: true)
            try await MockServer.with(way.configuration(clock.timeSource)) { server in
                let answer = StubResponse(body: Data("abcd".utf8)).trailers([.eTag: "x"])
                server.enqueue(answer.fault(.slow(bytesPerSecond: 2), at: point))
                let found = try await server.ask(way, fields: [.te: "trailers"])
                #expect((found.text, found.trailers[.eTag]) == ("abcd", "x"))
                #expect(clock.waits == waits, "\(point)")
            }
        }
    }

    @Test("A slow server is released when the client cancels", arguments: MockServer.Way.allCases)
    func slowGivenUp(way: MockServer.Way) async throws {
        let clock = TestClock()
        try await MockServer.with(way.configuration(clock.timeSource)) { server in
            server.on(
                .post, path: "/", response: StubResponse.text("never").fault(.slow(bytesPerSecond: 1), at: .requestBody)
            )
            let call = Task { try await server.ask(way, .post, body: .bytes(Data(count: 3_000_000))) }
            try await clock.sleeping()
            call.cancel()
            #expect(await wireFailure { try await call.value }?.code == .cancelled)
        }
    }

    @Test("A GOAWAY in the middle of a body lets the body finish", arguments: MockServer.Way.allCases)
    func goodbye(way: MockServer.Way) async throws {
        try await MockServer.with(way.configuration()) { server in
            server.enqueue(StubResponse.text("abcdef").fault(.goAway(0), at: .responseBody), .text("next"))
            let transport = NIOTransport()
            let first = try await server.ask(way, over: transport).text
            #expect(first == "abcdef")
            let next = try await server.ask(way, over: transport).text
            #expect(next == "next")
            #expect(server.acceptedConnectionCount == 2)
        }
    }

    @Test(
        "A refused stream and a GOAWAY that excludes a request allow the request to be sent again",
        arguments: [MockServer.Way.http2, .secureHTTP2], [WireFault.resetStream(7), .goAway(0)])
    func disowned(way: MockServer.Way, fault: WireFault) async throws {
        try await MockServer.with(way.configuration()) { server in
            server.enqueue(StubResponse.text("never").fault(fault), .text("again"))
            let text = try await server.ask(way, .post, body: .text("x")).text
            #expect(text == "again")
            #expect(server.requestCount == 2)
        }
    }

    @Test("A stall lasts until the client cancels, which releases the server", arguments: MockServer.Way.allCases)
    func stall(way: MockServer.Way) async throws {
        for point in [WireFault.Point.requestHead, .responseHead, .responseBody] {
            try await MockServer.with(way.configuration()) { server in
                server.enqueue(StubResponse.text("abcdef").fault(.stall, at: point))
                try await expectNoLeaks(in: server, within: .seconds(3600)) {
                    let call = Task { try await server.ask(way) }
                    _ = try await server.request(at: 0)
                    let leftover = try #require(server.leftovers.first)
                    #expect(leftover.hasPrefix("exchange 1: GET http") && leftover.hasSuffix("/"))
                    call.cancel()
                    #expect(await wireFailure { try await call.value }?.code == .cancelled)
                }
            }
        }
    }

    @Test(
        "A connection that fails from the start is an error, and the next one works",
        arguments: MockServer.Way.allCases, [MockServer.ConnectionFault.close, .reset, .garbage])
    func connections(way: MockServer.Way, fault: MockServer.ConnectionFault) async throws {
        try await MockServer.with(way.configuration()) { server in
            server.failConnections(fault)
            server.on(.post, path: "/", response: .text("well"))
            // A POST is not resent, so the first connection's failure is visible.
            let error = await wireFailure { try await server.ask(way, .post, body: .text("x")) }
            if error == nil { #expect(server.acceptedConnectionCount == 2, "the engine dialed again by itself") }
            let text = try await server.ask(way, .post, body: .text("x")).text
            #expect(text == "well")
        }
    }

    @Test(
        "A server leaks nothing after shutdown, whatever fault occurred on its connections",
        arguments: MockServer.Way.allCases, breaking + [.truncate])
    func nothingLeft(way: MockServer.Way, fault: WireFault) async throws {
        let objects = LeakSentinel()
        try await expectNoLeaks(in: objects, within: .seconds(3600)) {
            let server = try await MockServer.start(way.configuration())
            objects.watch(server.state)
            server.on(.get, path: "/", response: StubResponse.text("abcdef").fault(fault))
            server.on(.post, path: "/", response: StubResponse.text("abcdef").fault(fault, at: .responseBody))
            #expect(await wireFailure { try await server.ask(way) } != nil)
            _ = await wireFailure { try await server.ask(way, .post, body: .text("x")) }
            await server.shutdown()
        }
    }
}
