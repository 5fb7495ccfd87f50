// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("InProcessTransport", .timeLimit(.minutes(2)))
struct InProcessTransportTests {
    private enum Local {
        @TaskLocal static var user = "nobody"
    }

    private struct Broken: Error {}

    /// Opens a gate when it is released.
    private final class Sentinel: Sendable {
        private let isReleased: Gate

        init(_ isReleased: Gate) { self.isReleased = isReleased }

        deinit { isReleased.open() }
    }

    /// An application that sends every chunk back as soon as it has read it.
    private static let echo = InProcessTransport { request in
        InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
            for try await chunk in request.body { try await writer.write(chunk) }
            writer.finish([.eTag: "\"end\""])
        }
    }

    private static func request(
        _ method: HTTPRequest.Method = .get, body: RequestBody = .empty, delivery: TransportOptions.Delivery = .streamed
    ) -> TransportRequest {
        var options = TransportOptions()
        options.delivery = delivery
        let head = HTTPRequest(method: method, scheme: "https", authority: "api.test", path: "/a")
        return TransportRequest(head: head, body: body, options: options)
    }

    private static func failure(_ body: () async throws -> some Any) async throws -> TransportError {
        try #require(await #expect(throws: TransportError.self) { _ = try await body() })
    }

    @Test("A whole application answers the public client")
    func application() async throws {
        let transport = InProcessTransport { request in
            guard request.head.method == .post, request.head.path == "/birds?page=2" else {
                return InProcessResponse(status: .notFound)
            }
            let body = try await request.body.collect(upTo: 1000)
            #expect(request.head.headerFields[.contentLength] == "\(body.count)")
            return InProcessResponse(status: .created, body: body, contentType: "application/json")
        }
        let client = APIClient.scripted(transport)
        let json = try await client.call(.post, "birds", query: ["page": "2"], body: .json(["name": "Zal"])).json()
        #expect(json.name == "Zal")
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "fish").void() }
        #expect(error?.statusCode == 404)
    }

    @Test("Bodies are streamed in both directions: each chunk is answered before the next one is sent")
    func bothWays() async throws {
        let (chunks, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        let response = try await Self.echo.send(
            Self.request(.post, body: .once(chunks, contentType: nil)))
        var iterator = response.body.makeAsyncIterator()
        for number in 0..<20 {
            source.yield(Data("\(number)".utf8))
            #expect(try await iterator.next() == Data("\(number)".utf8))
        }
        source.finish()
        #expect(try await iterator.next() == nil)
        #expect(response.trailers[.eTag] == "\"end\"")
        #expect(Self.echo.leftovers.isEmpty)
    }

    @Test("The application waits until the client has taken a chunk")
    func backPressure() async throws {
        let written = Counter()
        let transport = InProcessTransport { _ in
            InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
                while true {
                    try await writer.write(Data("a".utf8))
                    _ = written.next()
                }
            }
        }
        do {
            let response = try await transport.send(Self.request())
            var iterator = response.body.makeAsyncIterator()
            for taken in 1...5 {
                _ = try await iterator.next()
                #expect(written.count <= taken)
            }
        }
        // Releasing the body ends the application's loop.
        try await eventually { transport.leftovers.isEmpty }
    }

    @Test("A released body cancels the application's task")
    func release() async throws {
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
        do {
            let response = try await transport.send(Self.request())
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() == Data("a".utf8))
            try await gate.waiting()
        }
        try await isCancelled.wait()
        #expect(transport.leftovers.isEmpty)
    }

    @Test("A cancelled call ends at once, and cancels the application's task")
    func cancellation() async throws {
        let gate = Gate()
        let isCancelled = Gate()
        let transport = InProcessTransport { _ in
            try await withTaskCancellationHandler {
                try await gate.wait()
                return InProcessResponse()
            } onCancel: {
                isCancelled.open()
            }
        }
        let task = Task { try await transport.send(Self.request()) }
        try await gate.waiting()
        task.cancel()
        let error = try await Self.failure { try await task.value }
        #expect(error.code == .cancelled)
        try await isCancelled.wait()
    }

    @Test("The application's error is the cause of the call's error")
    func applicationError() async throws {
        let early = InProcessTransport { _ in throw Broken() }
        let error = try await Self.failure { try await early.send(Self.request()) }
        #expect(error.phase == .head && error.underlying is Broken)
        #expect(error.url == "https://api.test/a")
        let late = InProcessTransport { _ in
            InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
                try await writer.write(Data("a".utf8))
                throw Broken()
            }
        }
        let broken = try await Self.failure {
            try await late.send(Self.request(delivery: .collected(upTo: 10)))
        }
        #expect(broken.code == .networkConnectionLost && broken.phase == .body && broken.underlying is Broken)
        #expect(broken.facts?.response?.status == .ok)
    }

    @Test("A CancellationError of the application's own is a failure, not a cancelled call")
    func ownCancellation() async throws {
        let transport = InProcessTransport { _ in throw CancellationError() }
        let error = try await Self.failure { try await transport.send(Self.request()) }
        #expect(error.code == .unknown && error.phase == .head && error.underlying is CancellationError)
    }

    @Test("Task-local values of the call reach the application")
    func taskLocals() async throws {
        let transport = InProcessTransport { _ in InProcessResponse(body: Data(Local.user.utf8)) }
        let client = APIClient.scripted(transport)
        let user = try await Local.$user.withValue("Zal") { try await client.call(.get, "a").data() }
        #expect(user == Data("Zal".utf8))
    }

    @Test("A body with another length than it announces breaks off", arguments: [2, 4])
    func length(announced: Int) async throws {
        let transport = InProcessTransport { _ in
            var head = HTTPResponse(status: .ok)
            head.headerFields[.contentLength] = "\(announced)"
            return InProcessResponse(head: head) { try await $0.write(Data("abc".utf8)) }
        }
        let error = try await Self.failure {
            try await transport.send(Self.request(delivery: .collected(upTo: 10)))
        }
        #expect(error.code == .networkConnectionLost)
        #expect(error.message.contains("3 bytes, not the announced \(announced)"))
    }

    @Test("A response to HEAD, a 204 and a 304 have no body", arguments: [200, 204, 304])
    func bodiless(status: Int) async throws {
        let written = Counter()
        let isReleased = Gate()
        let transport = InProcessTransport { _ in
            let sentinel = Sentinel(isReleased)
            return InProcessResponse(head: HTTPResponse(status: .init(code: status))) { writer in
                withExtendedLifetime(sentinel) { _ = written.next() }
                try await writer.write(Data("abc".utf8))
            }
        }
        let response = try await transport.send(Self.request(status == 200 ? .head : .get))
        #expect(response.body.collectedBytes == Data())
        // The function is released with the application's task, and was not called.
        try await isReleased.wait()
        #expect(written.count == 0)
        #expect(transport.leftovers.isEmpty)
    }

    @Test("An application that does not answer is a timeout of the head, which a test clock controls")
    func headTimeout() async throws {
        let clock = TestClock()
        let gate = Gate()
        let transport = InProcessTransport(time: clock.timeSource) { _ in
            try await gate.wait()
            return InProcessResponse()
        }
        var request = Self.request(.post, body: .text("a"))
        request.options.timeouts.head = .seconds(7)
        let sent = request
        async let failure = Self.failure { try await transport.send(sent) }
        try await clock.sleeping(for: .seconds(7))
        clock.advance(by: .seconds(7))
        let error = try await failure
        #expect(error.code == .timedOut && error.phase == .head && error.limit == .seconds(7))
    }

    @Test("A source that is silent is a timeout of the request, and each chunk restarts its time limit")
    func idleUpload() async throws {
        let clock = TestClock()
        let transport = InProcessTransport(time: clock.timeSource) { request in
            for try await _ in request.body {}
            return InProcessResponse()
        }
        let (chunks, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        var request = Self.request(.post, body: .once(chunks, contentType: nil))
        request.options.timeouts.idle = .seconds(5)
        let sent = request
        async let failure = Self.failure { try await transport.send(sent) }
        try await clock.sleeping(for: .seconds(5))
        clock.advance(by: .seconds(4))
        source.yield(Data("a".utf8))
        // The limit begins anew, so another second is not enough.
        try await clock.sleeping(for: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = try await failure
        #expect(error.code == .timedOut && error.phase == .request && error.limit == .seconds(5))
    }

    @Test("Two tasks that write the same body at the same time are an error")
    func twoWriters() async throws {
        let hasFailed = Gate()
        let transport = InProcessTransport { _ in
            InProcessResponse(head: HTTPResponse(status: .ok)) { writer in
                defer { hasFailed.open() }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 { group.addTask { try await writer.write(Data("a".utf8)) } }
                    // waitForAll would wait for the other writer, which waits for the reader.
                    for try await _ in group {}
                }
            }
        }
        let response = try await transport.send(Self.request())
        // The first chunk is not taken before the second one is written.
        try await hasFailed.wait()
        let error = try await Self.failure { _ = try await response.body.collect(upTo: 10) }
        #expect(error.message.contains("two tasks"))
    }

    @Test("A scheme that is not of HTTP is refused")
    func scheme() async throws {
        var request = Self.request()
        request.head.scheme = "ftp"
        let sent = request
        #expect(try await Self.failure { try await Self.echo.send(sent) }.code == .unsupportedURL)
    }
}
