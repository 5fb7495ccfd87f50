// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("GraphQL responses that stream: cancellation", .timeLimit(.minutes(5)))
struct GraphQLCancellationTests {
    /// The kind of a sequence whose elements arrive over HTTP.
    enum Kind: String, CaseIterable, Sendable {
        case incremental, events, multipart

        /// Returns a response with elements, which stays open until the gate is open.
        func response(_ count: Int, until gate: Gate) -> StubResponse {
            let (type, texts): (String, [String]) =
                switch self {
                case .events:
                    ("text/event-stream", (0..<count).map { "event: next\ndata: {\"data\":{\"a\":\($0)}}\n\n" })
                case .incremental:
                    (
                        "multipart/mixed; boundary=b",
                        (0..<count).map { number in
                            let path = number == 0 ? "" : "\"path\":[],"
                            return Self.part(
                                "{\(path)\"data\":{\"a\":\(number)},\"hasNext\":true}", isFirst: number == 0)
                        }
                    )
                case .multipart:
                    (
                        "multipart/mixed; boundary=b",
                        (0..<count).map { Self.part("{\"payload\":{\"data\":{\"a\":\($0)}}}", isFirst: $0 == 0) }
                    )
                }
            return .chunks(texts.map { StubResponse.BodyStep.bytes(Data($0.utf8)) } + [.wait(gate)], contentType: type)
        }

        private static func part(_ json: String, isFirst: Bool) -> String {
            (isFirst ? "--b" : "") + "\r\n\r\n\(json)\r\n--b"
        }

        /// Reads elements, and leaves the loop after some of them.
        func read(_ client: GraphQLClient, upTo count: Int = .max) async throws -> Int {
            var read = 0
            if self == .incremental {
                for try await _ in client.incremental("{ a }", as: JSON.self) {
                    read += 1
                    if read == count { break }
                }
            } else {
                for try await _ in client.subscribe("subscription { a }", as: JSON.self) {
                    read += 1
                    if read == count { break }
                }
            }
            return read
        }
    }

    private static func fixture(_ kind: Kind, _ response: StubResponse) -> GraphQLFixture {
        GraphQLFixture(
            options: { $0.subscriptions = kind == .events ? .serverSentEvents : .multipart },
            answer: { _ in response })
    }

    /// Checks that cancelling a task ends the exchange as soon as the gate holds it.
    private static func cancel(_ kind: Kind, _ fixture: GraphQLFixture, at gate: Gate) async throws {
        try await expectNoLeaks(in: fixture.server) {
            let task = Task { try await kind.read(fixture.client) }
            try await gate.waiting()
            task.cancel()
            let error = await caught { _ = try await task.value }
            #expect(error?.isCancelled == true, "\(String(describing: error))")
        }
    }

    @Test("Cancelling before the head of the response arrives ends the exchange", arguments: Kind.allCases)
    func head(kind: Kind) async throws {
        let gate = Gate()
        let response = kind.response(1, until: Gate()).held(by: gate)
        try await Self.cancel(kind, Self.fixture(kind, response), at: gate)
    }

    @Test("Cancelling while the next element is awaited ends the exchange", arguments: Kind.allCases, [0, 1, 3])
    func element(kind: Kind, count: Int) async throws {
        let gate = Gate()
        try await Self.cancel(kind, Self.fixture(kind, kind.response(count, until: gate)), at: gate)
    }

    @Test("Leaving the loop ends the exchange, although the server goes on", arguments: Kind.allCases)
    func leaving(kind: Kind) async throws {
        let fixture = Self.fixture(kind, kind.response(3, until: Gate()))
        try await expectNoLeaks(in: fixture.server) {
            let count = try await kind.read(fixture.client, upTo: 2)
            #expect(count == 2)
        }
    }

    @Test(
        "A drain of the client does not wait for a subscription, which ends normally",
        arguments: [Kind.events, .multipart])
    func drain(kind: Kind) async throws {
        struct Answer: Decodable, Sendable { let a: Int }
        let (clock, gate) = (TestClock(), Gate())
        let fixture = GraphQLFixture(
            options: { $0.subscriptions = kind == .events ? .serverSentEvents : .multipart },
            configure: { $0.time = clock.timeSource },
            answer: { _ in kind.response(1, until: gate) })
        var events = fixture.client.subscribe("subscription { a }", as: Answer.self).makeAsyncIterator()
        let first = try await events.next()
        #expect(first?.a == 0)
        let report = await fixture.client.client.drain(within: .seconds(60))
        #expect(report.isComplete && report.streams == 0 && report.eventSources == 1)
        let last = try await events.next()
        #expect(last?.a == nil)
    }

    @Test("A task that is cancelled before it begins sends nothing", arguments: Kind.allCases)
    func before(kind: Kind) async throws {
        let fixture = Self.fixture(kind, kind.response(1, until: Gate()))
        let start = Gate()
        let task = Task {
            // Returns at once with an error when the task is cancelled.
            try? await start.wait()
            return try await kind.read(fixture.client)
        }
        task.cancel()
        let error = await caught { _ = try await task.value }
        #expect(error?.isCancelled == true, "\(String(describing: error))")
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("A body is read only as far as its elements are consumed")
    func backPressure() async throws {
        let gate = Gate()
        let fixture = Self.fixture(.events, Kind.events.response(1, until: gate))
        let task = Task {
            var events = fixture.client.subscribe("subscription { a }", as: JSON.self).makeAsyncIterator()
            #expect(try await events.next() == ["a": 0])
            // The step after the first chunk begins only when another element is requested.
            #expect(gate.waitingCount == 0)
            _ = try await events.next()
        }
        try await gate.waiting()
        task.cancel()
        let error = await caught { try await task.value }
        #expect(error?.isCancelled == true)
    }
}
