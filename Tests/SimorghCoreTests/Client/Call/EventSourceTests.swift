// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventSourceTests {
    private static let broken = TransportError(
        .networkConnectionLost, phase: .body, message: "the connection ended before the body did")
    private static let eventStream = "text/event-stream"

    private static func client(
        _ transport: StubServer, clock: TestClock = TestClock(movesItself: true),
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0 }
            change(&$0)
        }
    }

    private static func stream(_ text: String, thenFails: Bool = false) -> StubResponse {
        var steps: [StubResponse.BodyStep] = text.isEmpty ? [] : [.bytes(Data(text.utf8))]
        if thenFails { steps.append(.fail(broken)) }
        return .chunks(steps, contentType: eventStream)
    }

    /// A feed of numbered events that continues after the requested id.
    private struct Feed: Sendable {
        let count: Int

        func bytes(after id: String?) -> Data {
            let first = (id.flatMap { Int($0) } ?? 0) + 1
            let ends = ["\n", "\r\n", "\r"]
            return (first..<max(first, count + 1)).reduce(into: Data()) { bytes, number in
                let end = ends[number % 3]
                bytes.append(contentsOf: "id:\(number)\(end)data:e\(number)\(end)\(end)".utf8)
            }
        }
    }

    @Test("A stream cut at any byte resumes: all 200 events arrive in order, once", arguments: [true, false])
    func cutAnywhere(breaks: Bool) async throws {
        let feed = Feed(count: 200)
        let whole = feed.bytes(after: nil)
        let expected = (1...200).map { "e\($0)" }
        for cut in 0...whole.count {
            let connections = Counter()
            let transport = StubServer { request in
                let first = connections.next() == 1
                let rest = feed.bytes(after: request.header(HTTPField.Name("Last-Event-ID") ?? .accept))
                guard first || !rest.isEmpty else { return .status(.noContent) }
                var steps: [StubResponse.BodyStep] = [.bytes(first ? rest.prefix(cut) : rest)].filter {
                    if case .bytes(let bytes) = $0 { !bytes.isEmpty } else { true }
                }
                if first, breaks { steps.append(.fail(Self.broken)) }
                return .chunks(steps, contentType: Self.eventStream)
            }
            var options = EventSourceOptions()
            options.reconnectDelay = .zero
            var data: [String] = []
            for try await event in Self.client(transport).eventSource(.get, "feed", options: options) {
                data.append(event.data)
            }
            guard data != expected else { continue }
            Issue.record("cut at byte \(cut): \(data)")
            return
        }
    }

    @Test("Requests have Accept and Last-Event-ID; the client's retry policy does not apply")
    func fields() async throws {
        let transport = StubServer(inOrder: [
            Self.stream("id: 7\ndata: a\n\nid: 8\n\n"), .status(.serviceUnavailable), .status(.noContent),
        ])
        let client = Self.client(transport) { $0.retry = RetryPolicy() }
        var options = EventSourceOptions()
        options.lastEventID = "3"
        var iterator = client.eventSource(.get, "feed", options: options).makeAsyncIterator()
        #expect(iterator.lastEventID == "3")
        #expect(try await iterator.next() == ServerSentEvent(data: "a", id: "7"))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(iterator.lastEventID == "8")
        let asked = transport.requests
        #expect(asked.map { $0.header(HTTPField.Name("Last-Event-ID") ?? .accept) } == ["3", "8", "8"])
        #expect(asked.allSatisfy { $0.header(.accept) == Self.eventStream && $0.header(.cacheControl) == "no-cache" })
    }

    @Test("The reconnect delay is the server's (half a second at least), or the option's, doubled on each failure")
    func waits() async throws {
        let clock = TestClock(movesItself: true)
        let transport = StubServer(inOrder: [
            Self.stream("data: a\n\n"), Self.stream(""), Self.stream("", thenFails: true), .failure(Self.broken),
            Self.stream("retry: 70\ndata: b\n\n"), Self.stream(": nothing\n\n"),
            .status(.noContent),
        ])
        let states = Mutex<[String]>([])
        var options = EventSourceOptions()
        options.maximumReconnectDelay = .seconds(10)
        options.onState = { state in
            let text =
                switch state {
                case .connecting(let attempt): "connecting \(attempt)"
                case .open(let head): "open \(head.statusCode)"
                case .waiting(let delay, let error): "waiting \(delay)\(error == nil ? "" : " after an error")"
                case .closed(let error): "closed\(error == nil ? "" : " after an error")"
                }
            states.withLock { $0.append(text) }
        }
        var data: [String] = []
        for try await event in Self.client(transport, clock: clock).eventSource(.get, "feed", options: options) {
            data.append(event.data)
        }
        #expect(data == ["a", "b"])
        #expect(
            states.withLock { $0 } == [
                "connecting 1", "open 200", "waiting 3.0 seconds", "connecting 2", "open 200", "waiting 3.0 seconds",
                "connecting 3", "open 200", "waiting 6.0 seconds after an error", "connecting 4",
                "waiting 10.0 seconds after an error", "connecting 5", "open 200", "waiting 0.5 seconds",
                "connecting 6", "open 200", "waiting 0.5 seconds", "connecting 7", "closed",
            ])
        #expect(clock.waits == [3, 3, 6, 10, 0.5, 0.5].map { .milliseconds(Int($0 * 1000)) })
    }

    @Test("Retry-After of a refused reconnection sets the delay")
    func retryAfter() async throws {
        var busy = StubResponse.status(.serviceUnavailable)
        busy.headerFields[.retryAfter] = "45"
        let transport = StubServer(inOrder: [busy, .status(.noContent)])
        let waits = Mutex<[Duration]>([])
        var options = EventSourceOptions()
        options.onState = { state in
            if case .waiting(let delay, _) = state { waits.withLock { $0.append(delay) } }
        }
        for try await _ in Self.client(transport).eventSource(.get, "feed", options: options) {}
        #expect(waits.withLock { $0 } == [.seconds(45)])
    }

    @Test(
        "After too many consecutive failed attempts the event source ends with one error", arguments: [0, 1, 3])
    func limit(most: Int) async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable) }
        let ends = Counter()
        var options = EventSourceOptions()
        options.maximumReconnects = most
        options.onState = { state in
            if case .closed = state { ends.next() }
        }
        let events = Self.client(transport).eventSource(.get, "feed", options: options)
        let error = await #expect(throws: NetworkError.self) { for try await _ in events {} }
        #expect(error?.statusCode == 503)
        #expect(transport.requestCount == most + 1)
        #expect(ends.count == 1)
    }

    @Test(
        "A permanent failure ends the event source at once, with its error",
        arguments: [
            StubResponse.status(.notFound), .status(.unauthorized), .text("data: x\n\n"),
            .text("data: x\n\n", contentType: "text/event-stream", status: .partialContent),
            .failure(TransportError(.serverCertificateUntrusted, phase: .tls, message: "unknown")),
        ])
    func permanent(answer: StubResponse) async throws {
        let transport = StubServer(inOrder: [answer])
        let events = Self.client(transport).eventSource(.get, "feed")
        await #expect(throws: NetworkError.self) { for try await _ in events {} }
        #expect(transport.requestCount == 1)
    }

    @Test("An unexpected media type is named in the error")
    func contentType() async throws {
        let transport = StubServer { _ in .text("<html>", contentType: "text/html; charset=utf-8") }
        let client = Self.client(transport)
        let error = await #expect(throws: NetworkError.self) {
            for try await _ in client.eventSource(.get, "feed") {}
        }
        #expect(
            error?.underlyingError as? StreamingError == .notAnEventStream(contentType: "text/html; charset=utf-8"))
        let response = try await client.stream(.get, "feed")
        await #expect(throws: StreamingError.notAnEventStream(contentType: "text/html; charset=utf-8")) {
            for try await _ in response.serverSentEvents() {}
        }
    }

    @Test("A POST is not sent again unless repeatsUnsafeRequests allows it", arguments: [true, false], [true, false])
    func post(repeats: Bool, breaks: Bool) async throws {
        let transport = StubServer(inOrder: [Self.stream("data: a\n\n", thenFails: breaks), .status(.noContent)])
        var options = EventSourceOptions()
        options.repeatsUnsafeRequests = repeats
        var iterator = Self.client(transport).eventSource(.post, "chat", body: .text("hello"), options: options)
            .makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        if breaks, !repeats {
            await #expect(throws: NetworkError.self) { try await iterator.next() }
        } else {
            #expect(try await iterator.next() == nil)
        }
        #expect(transport.requests.map(\.text) == (repeats ? ["hello", "hello"] : ["hello"]))
    }

    @Test("Credentials refused on a reconnection are refreshed")
    func refresh() async throws {
        let transport = StubServer { request in
            guard request.header(.authorization) == "Bearer new" else { return .status(.unauthorized) }
            return request.header(HTTPField.Name("Last-Event-ID") ?? .accept) == nil
                ? Self.stream("id: 1\ndata: a\n\n") : .status(.noContent)
        }
        let refreshes = Counter()
        let client = Self.client(transport) {
            $0.authentication = .refreshing(
                RefreshingToken(AccessToken("old")) { _ in
                    refreshes.next()
                    return AccessToken("new")
                })
        }
        var data: [String] = []
        for try await event in client.eventSource(.get, "feed") { data.append(event.data) }
        #expect(data == ["a"])
        #expect(refreshes.count == 1)
    }

    @Test("A cancelled task ends at once, while waiting and while reading", arguments: [true, false])
    func cancellation(whileReading: Bool) async throws {
        let clock = TestClock()
        let gate = Gate()
        let transport = StubServer { _ in
            whileReading ? .chunks([.wait(gate)], contentType: Self.eventStream) : .status(.serviceUnavailable)
        }
        let opened = Gate()
        var options = EventSourceOptions()
        options.onState = { state in
            if case .open = state { opened.open() }
        }
        let events = Self.client(transport, clock: clock).eventSource(.get, "feed", options: options)
        let task = Task { () -> NetworkError? in
            do throws(NetworkError) {
                for try await _ in TypedElements(events) {}
                return nil
            } catch {
                return error
            }
        }
        if whileReading { try await opened.wait() } else { try await clock.sleeping() }
        task.cancel()
        #expect(await task.value?.isCancelled == true)
    }
}
