// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCombine
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StreamPublisherTests {
    private struct Feed: NetworkRouter { var path: String { "feed" } }
    private struct Chunk: Codable, Hashable, Sendable { var n: Int }

    private static func client(_ transport: ScriptedTransport) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = "https://api.test"
        configuration.callbackQueue = .immediate
        return APIClient(configuration: configuration, transport: transport)
    }

    @Test("SIM24: values are published, one for each that is asked for, and then the end", arguments: [1, 3, Int.max])
    func values(step: Int) async throws {
        let text = (0..<50).map { "{\"n\":\($0)}\n" }.joined()
        let transport = ScriptedTransport { _ in .text(text, contentType: "application/x-ndjson") }
        let publisher = Self.client(transport).streamRequest(Feed(), as: Chunk.self)
        #expect(transport.requestCount == 0)
        let gate = Gate()
        let values = Mutex<[Int]>([])
        let subscriber = AskingSubscriber<Chunk>(step: step) { chunk in
            values.withLock { $0.append(chunk.n) }
        } end: {
            gate.open()
        }
        publisher.subscribe(subscriber)
        try await gate.wait()
        #expect(values.withLock { $0 } == Array(0..<50))
    }

    @Test("Events and lines are published, too, and a refusal is the failure")
    func others() async throws {
        let transport = ScriptedTransport()
        transport.on(
            "/feed", inOrder: [.text("id: 1\ndata: a\n\n", contentType: "text/event-stream"), .status(.noContent)])
        transport.on("/log", .text("x\ny\n"))
        transport.on("/none", .status(.notFound))
        let client = Self.client(transport)
        var options = EventSourceOptions()
        options.reconnectDelay = .zero
        let events = client.eventSource(.get, "feed", options: options).publisher(on: .immediate)
        #expect(await Self.all(events).0.map(\.data) == ["a"])
        let lines = client.call(.get, "log").streaming { $0.lines() }.publisher(on: .immediate)
        #expect(await Self.all(lines).0 == ["x", "y"])
        let refused = client.call(.get, "none").streaming { $0.lines() }.publisher(on: .immediate)
        #expect(await Self.all(refused).1?.statusCode == 404)
    }

    private static func all<Value: Sendable>(
        _ publisher: AnyPublisher<Value, NetworkError>
    ) async -> ([Value], NetworkError?) {
        let held = HeldSubscription()
        defer { held.release() }
        let values = Mutex<[Value]>([])
        let error = await withCheckedContinuation { continuation in
            held.keep(
                publisher.sink { @Sendable completion in
                    if case .failure(let error) = completion {
                        continuation.resume(returning: NetworkError?.some(error))
                    } else {
                        continuation.resume(returning: nil)
                    }
                } receiveValue: { @Sendable value in
                    values.withLock { $0.append(value) }
                })
        }
        return (values.withLock { $0 }, error)
    }
}
