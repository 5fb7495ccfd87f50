// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("InProcessTransport: bodies that fail, and time limits", .timeLimit(.minutes(2)))
struct InProcessUploadTests {
    private struct Broken: Error {}

    private static func request(_ body: RequestBody = .empty) -> TransportRequest {
        var options = TransportOptions()
        options.delivery = .streamed
        let head = HTTPRequest(method: .post, scheme: "https", authority: "api.test", path: "/a")
        return TransportRequest(head: head, body: body, options: options)
    }

    private static func failure(_ body: () async throws -> some Any) async throws -> TransportError {
        try #require(await #expect(throws: TransportError.self) { _ = try await body() })
    }

    private static func failingBody(_ error: any Error) -> RequestBody {
        let (chunks, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        source.yield(Data("a".utf8))
        source.finish(throwing: error)
        return .once(chunks, contentType: nil)
    }

    @Test("A source that throws fails the call, also if the application responds", arguments: 0..<50)
    func handled(round: Int) async throws {
        let transport = InProcessTransport { request in
            do {
                for try await _ in request.body {}
            } catch {
                return InProcessResponse(status: .badRequest)
            }
            return InProcessResponse()
        }
        let error = try await Self.failure { try await transport.send(Self.request(Self.failingBody(Broken()))) }
        #expect(error.code == .requestBodyStreamExhausted && error.underlying is Broken)
    }

    @Test("A source that throws after the head of the response fails the response's body")
    func late() async throws {
        let (chunks, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        let transport = InProcessTransport { request in
            InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
                try await writer.write(Data("a".utf8))
                do {
                    for try await _ in request.body {}
                } catch {
                    // The application handles the error, and ends its response.
                }
            }
        }
        let response = try await transport.send(Self.request(.once(chunks, contentType: nil)))
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        source.finish(throwing: Broken())
        do {
            _ = try await iterator.next()
            Issue.record("the body has ended without an error")
        } catch let error as TransportError {
            #expect(error.code == .requestBodyStreamExhausted && error.underlying is Broken)
        }
        #expect(transport.leftovers.isEmpty)
    }

    @Test("A source that throws CancellationError by itself fails the call, which is not cancelled")
    func cancellationError() async throws {
        let transport = InProcessTransport { request in
            for try await _ in request.body {}
            return InProcessResponse()
        }
        let error = try await Self.failure {
            try await transport.send(Self.request(Self.failingBody(CancellationError())))
        }
        #expect(error.code == .requestBodyStreamExhausted)
    }

    @Test("A body in memory arrives in chunks, and can be read once")
    func inMemory() async throws {
        let bytes = Data(repeating: 0x61, count: 200_000)
        let transport = InProcessTransport { request in
            var body = Data()
            for try await chunk in request.body {
                #expect(chunk.count <= 64 * 1024)
                body.append(chunk)
            }
            await #expect(throws: ResponseBody.AlreadyConsumedError.self) {
                try await request.body.collect(upTo: 1_000_000)
            }
            return InProcessResponse(body: body)
        }
        let body = RequestBody.bytes(bytes, contentType: "application/octet-stream")
        let response = try await transport.send(Self.request(body))
        let echo = try await response.body.collect(upTo: 1_000_000)
        #expect(echo == bytes)
    }

    @Test("The total time limit ends a body whose next chunk is ready")
    func total() async throws {
        let clock = TestClock()
        let begun = Counter()
        let transport = InProcessTransport(time: clock.timeSource) { _ in
            InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
                while true {
                    _ = begun.next()
                    try await writer.write(Data("a".utf8))
                }
            }
        }
        var request = Self.request()
        request.options.timeouts.total = .seconds(10)
        let response = try await transport.send(request)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        try await eventually { begun.count >= 2 }
        clock.advance(by: .seconds(11))
        do {
            _ = try await iterator.next()
            Issue.record("the body goes on after the total time limit")
        } catch let error as TransportError {
            #expect(error.code == .timedOut && error.phase == .total && error.limit == .seconds(10))
        }
    }

    @Test("The time limit of the head applies once a responder has read as many bytes as announced")
    func exactLength() async throws {
        let clock = TestClock()
        let gate = Gate()
        let transport = InProcessTransport(time: clock.timeSource) { request in
            var iterator = request.body.makeAsyncIterator()
            _ = try await iterator.next(isolation: nil)
            try await gate.wait()
            return InProcessResponse()
        }
        let (chunks, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        source.yield(Data("abc".utf8))
        var request = Self.request(.once(chunks, length: 3, contentType: nil))
        request.options.timeouts.head = .seconds(7)
        let sent = request
        async let failure = Self.failure { try await transport.send(sent) }
        try await clock.sleeping(for: .seconds(7))
        clock.advance(by: .seconds(7))
        let error = try await failure
        #expect(error.code == .timedOut && error.phase == .head && error.limit == .seconds(7))
    }

    @Test("Cancelling the client's requests between two reads cancels the application's task")
    func betweenReads() async throws {
        let gate = Gate()
        let isCancelled = Gate()
        let transport = InProcessTransport { _ in
            InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
                try await writer.write(Data("a".utf8))
                do {
                    try await gate.wait()
                } catch {
                    isCancelled.open()
                    throw error
                }
            }
        }
        let client = APIClient.scripted(transport)
        let response = try await client.stream(.get, "a")
        var iterator = response.chunks.makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        try await gate.waiting()
        client.cancelAllRequests()
        try await isCancelled.wait()
        // Keeps the body, so that its release does not cancel the task.
        withExtendedLifetime(iterator) {}
    }
}
