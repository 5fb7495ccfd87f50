// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("APIClient.drain(within:): streams and event sources", .timeLimit(.minutes(5)))
struct DrainStreamTests {
    private let clock = TestClock()
    private let gate = Gate()
    private let transport = StubServer()

    private func client() -> APIClient {
        .scripted(transport) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0 }
        }
    }

    private func begin(_ client: APIClient, within time: Duration = .seconds(60)) async throws -> Task<
        DrainReport, Never
    > {
        let drain = Task { await client.drain(within: time) }
        try await eventually { client.isDraining }
        return drain
    }

    /// Adds a path whose body pauses at the gate after its first chunk.
    private func addLog() {
        transport.on(
            nil, path: "/log",
            response: .chunks([.bytes(Data("a\n".utf8)), .wait(gate), .bytes(Data("b\n".utf8))]))
    }

    @Test("A running stream is read to its end")
    func drains() async throws {
        addLog()
        let client = client()
        var lines = try await client.stream(.get, "log").lines().makeAsyncIterator()
        #expect(try await lines.next() == "a")
        let drain = try await begin(client)
        gate.open()
        #expect(try await lines.next() == "b")
        #expect(try await lines.next() == nil)
        #expect(await drain.value.isComplete)
    }

    @Test("The end of the body ends the stream while its response is retained")
    func retained() async throws {
        addLog()
        let client = client()
        let response = try await client.stream(.get, "log")
        let drain = try await begin(client)
        gate.open()
        for try await _ in response.chunks {}
        #expect(await drain.value.isComplete)
        #expect(response.statusCode == 200)
    }

    @Test("Leaving the loop ends the stream, and so does releasing the response", arguments: [true, false])
    func left(reads: Bool) async throws {
        addLog()
        let client = client()
        let drain: Task<DrainReport, Never>
        do {
            let response = try await client.stream(.get, "log")
            drain = try await begin(client)
            if reads { for try await _ in response.chunks { break } }
        }
        #expect(await drain.value.isComplete)
    }

    @Test("A stream that still runs at the end of the time is cancelled and counted")
    func cuts() async throws {
        addLog()
        let client = client()
        var lines = try await client.stream(.get, "log").lines().makeAsyncIterator()
        #expect(try await lines.next() == "a")
        let report = await client.drain(within: .zero)
        #expect(report.streams == 1 && report.calls == 0 && !report.isComplete)
        await #expect(throws: NetworkError.self) { try await lines.next() }
    }

    @Test("A stream that fails before its head does not delay a drain")
    func failed() async throws {
        transport.on(nil, path: "/log", response: .status(.notFound))
        let client = client()
        await #expect(throws: NetworkError.self) { try await client.stream(.get, "log") }
        #expect(await client.drain(within: .seconds(60)).isComplete)
    }

    // MARK: Event sources

    private static let event = StubResponse.BodyStep.bytes(Data("id: 7\ndata: a\n\n".utf8))

    @Test("A connected event source ends, keeps the id of its last event, and is counted")
    func eventSource() async throws {
        transport.on(
            nil, path: "/feed", response: .chunks([Self.event, .wait(gate)], contentType: "text/event-stream"))
        let client = client()
        var events = client.eventSource(.get, "feed").makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        let report = await client.drain(within: .seconds(60))
        #expect(report.eventSources == 1 && report.isComplete)
        #expect(try await events.next() == nil)
        #expect(events.lastEventID == "7")
        #expect(transport.requestCount == 1)
    }

    @Test("An event source that waits for its next connection ends")
    func eventSourceWaits() async throws {
        transport.on(nil, path: "/feed", response: .chunks([Self.event], contentType: "text/event-stream"))
        let client = client()
        let reader = Task {
            var count = 0
            for try await _ in client.eventSource(.get, "feed") { count += 1 }
            return count
        }
        try await clock.sleeping(for: .seconds(3))
        #expect(await client.drain(within: .seconds(60)).isComplete)
        #expect(try await reader.value == 1)
        #expect(transport.requestCount == 1)
    }

    @Test("An event source that is opened after the drain throws")
    func eventSourceLate() async throws {
        let client = client()
        await client.drain(within: .zero)
        let error = await #expect(throws: NetworkError.self) {
            for try await _ in client.eventSource(.get, "feed") {}
        }
        #expect(error?.underlyingError is ClientDrainedError)
    }

    @Test("cancelAllRequests() ends event sources, too")
    func cancelAll() async throws {
        transport.on(
            nil, path: "/feed", response: .chunks([Self.event, .wait(gate)], contentType: "text/event-stream"))
        let client = client()
        var events = client.eventSource(.get, "feed").makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        client.cancelAllRequests()
        let error = await #expect(throws: NetworkError.self) { try await events.next() }
        #expect(error?.isCancelled == true)
    }
}
