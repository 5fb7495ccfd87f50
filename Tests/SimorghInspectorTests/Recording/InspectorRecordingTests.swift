// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghInspector
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

/// The calls that an observer records.
@Suite("ClientObserver", .timeLimit(.minutes(10)))
struct InspectorRecordingTests {
    private let clock = TestClock()

    private func recorded(
        _ transport: StubServer, _ store: InspectorStore, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            change(&$0)
        }
        _ = client.hub.add(ClientObserver(store, name: "test"))
        return client
    }

    private func store(_ change: (inout Inspector.Configuration) -> Void = { _ in }) -> InspectorStore {
        var configuration = Inspector.Configuration()
        change(&configuration)
        return InspectorStore(configuration, time: clock.timeSource)
    }

    @Test("A call has its attempts, redirects, header fields and bodies")
    func attempts() async throws {
        let store = store()
        let transport = StubServer(inOrder: [
            .status(.serviceUnavailable), .status(.found).header(.location, value: "/there"), .json(#"{"a":1}"#),
        ])
        let client = recorded(transport, store) {
            $0.retry = RetryPolicy(maximumRetries: 1)
            $0.retry?.baseDelay = .zero
        }
        _ = try await client.call(.get, "here", headers: ["X-One": "1"]).data()
        let call = try #require(store.snapshot.calls.first)
        #expect(call.stage == .done && call.status == 200 && call.redirects == 1 && call.attemptCount == 3)
        #expect(call.mediaType == "application/json" && call.client == "test" && call.duration != nil)
        #expect(call.attempts.map(\.exchange.entry.response.status) == [503, 302, 200])
        #expect(call.attempts.last?.exchange.entry.response.content.text == #"{"a":1}"#)
        #expect(call.steps.map(\.kind).contains(.retry) && call.steps.map(\.kind).contains(.redirect))
        let fields = call.attempts[0].exchange.entry.request.headers
        #expect(fields.contains { $0.name == "X-One" && $0.value == "1" })
    }

    @Test("Secrets are hidden in everything that the page gets")
    func secrets() async throws {
        let store = store()
        let transport = StubServer { _ in
            .json(#"{"token":"answer-secret"}"#).header(.setCookie, value: "sid=cookie-secret")
        }
        let client = recorded(transport, store)
        _ = try await client.call(
            .post, "a", query: ["api_key": "query-secret"], headers: ["Authorization": "Bearer bearer-secret"],
            body: .json(["password": "body-secret"])
        ).data()
        let call = try #require(store.snapshot.calls.first)
        let detail = String(decoding: try JSONEncoder().encode(CallDetail(call, messagesAfter: 0)), as: UTF8.self)
        let request = try #require(call.redactedRequest(showing: .standard))
        for text in [detail, request.cURL(showing: .none), SwiftText.code(for: request)] {
            for secret in ["answer-secret", "cookie-secret", "query-secret", "bearer-secret", "body-secret"] {
                #expect(!text.contains(secret), "\(secret) is shown in \(text)")
            }
        }
    }

    @Test("A failure has its reason, and a cancelled call is not a failure")
    func failures() async throws {
        let store = store()
        let transport = StubServer(inOrder: [
            .failure(TransportError(.cannotFindHost, phase: .connect, message: "no such host"))
        ])
        let client = recorded(transport, store)
        _ = try? await client.call(.get, "a").data()
        _ = try? await client.call(.get, "http://[").data()
        let calls = store.snapshot.calls
        #expect(calls.map(\.stage) == [.failed, .failed])
        #expect(calls[0].failure?.contains("no such host") == true && calls[0].attempts.first?.failure != nil)
        #expect(calls[1].attempts.isEmpty)
    }

    @Test("The events of a stream are messages, as they arrive")
    func events() async throws {
        let store = store()
        let gate = Gate()
        let transport = StubServer { _ in
            .serverSentEvents(
                [ServerSentEvent(data: "one"), ServerSentEvent(data: #"{"secret":"hidden-value"}"#, event: "tick")],
                until: gate)
        }
        let client = recorded(transport, store)
        let stream = try await client.stream(.get, "events")
        let task = Task { for try await _ in stream.chunks {} }
        try await eventually { store.read { $0.calls.first?.messageCount } == 2 }
        let call = try #require(store.snapshot.calls.first)
        #expect(call.kind == .events && call.stage == .running)
        #expect(call.messages.map(\.event) == ["message", "tick"])
        #expect(call.messages.first?.text == "one" && call.messages.last?.text.contains("hidden-value") == false)
        gate.open()
        try await task.value
        try await eventually { store.read { $0.calls.first?.stage } == .done }
    }

    @Test("The last events of a body that was read as a whole are kept, and all are counted")
    func collectedEvents() async throws {
        let store = store { $0.maximumMessages = 10 }
        let body = Data(String(repeating: "data: a\n\n", count: 50_000).utf8)
        let client = recorded(StubServer { _ in .bytes(body, contentType: "text/event-stream") }, store)
        _ = try await client.call(.get, "events").data()
        let call = try #require(store.snapshot.calls.first)
        #expect(call.messageCount == 50_000)
        #expect(call.messages.map(\.number) == Array(49_991...50_000))
        #expect(call.messages.allSatisfy { $0.text == "a" })
    }

    @Test("At most 16 calls are sent again at the same time, and they are cancelled with the clients")
    func repetitions() async throws {
        let store = store()
        let (gate, never) = (Gate(), Gate())
        let ended = LockedValue(0)
        for _ in 0..<16 {
            let isStarted = store.startRepetition {
                try? await gate.wait()
                ended.change { $0 += 1 }
            }
            #expect(isStarted)
        }
        let isOneMoreStarted = store.startRepetition {}
        #expect(!isOneMoreStarted)
        gate.open()
        try await eventually { ended.value == 16 }
        let cancelled = LockedValue(false)
        try await eventually {
            store.startRepetition {
                try? await never.wait()
                let isCancelled = Task.isCancelled
                cancelled.change { $0 = isCancelled }
            }
        }
        store.removeClients()
        try await eventually { cancelled.value }
    }

    @Test("A secret of the request that the server repeats in an event is hidden")
    func echoes() async throws {
        let store = store()
        let token = "tok-3f9a81c2"
        let transport = StubServer { _ in
            .serverSentEvents([ServerSentEvent(data: "hello \(token)", event: token)])
        }
        let client = recorded(transport, store)
        let stream = try await client.stream(.get, "events", headers: ["Authorization": "Bearer \(token)"])
        for try await _ in stream.chunks {}
        let message = try #require(store.snapshot.calls.first?.messages.first)
        #expect(message.text.hasPrefix("hello ") && !message.text.contains(token))
        #expect(message.event?.contains(token) == false)
        #expect(store.snapshot.numbers(containing: token) == [])
    }

    @Test("Any limit of the bodies is valid", arguments: [Int.max, -1])
    func limits(limit: Int) async throws {
        let store = store { $0.maximumBodyBytes = limit }
        let client = recorded(StubServer { _ in .text("answer") }, store)
        _ = try await client.call(.post, "a", body: .text("question")).data()
        let entry = try #require(store.snapshot.calls.first?.attempts.first?.exchange.entry)
        #expect(entry.request.postData?.text == (limit > 0 ? "question" : ""))
        #expect(entry.response.content.text == (limit > 0 ? "answer" : ""))
    }

    @Test("Bodies are kept up to their limit, and dropped with their call")
    func bodies() async throws {
        let store = store {
            $0.maximumBodyBytes = 1000
            $0.maximumCalls = 3
        }
        let transport = StubServer { _ in .text(String(repeating: "a", count: 100_000)) }
        let client = recorded(transport, store)
        for _ in 0..<20 { _ = try await client.call(.get, "a").data() }
        let state = store.snapshot
        #expect(state.calls.map(\.number) == [18, 19, 20])
        // The redactor's margin is kept beyond the limit.
        #expect(state.bytes < 3 * 8192)
        let content = try #require(state.calls.last?.attempts.first?.exchange.entry.response.content)
        #expect(content.text?.utf8.count == 1000 && content.comment == "99000 bytes omitted")
    }

    @Test("A call is sent again with the interceptors of its client")
    func replay() async throws {
        let store = store()
        let transport = StubServer { request in .text(request.header(.init("X-Token") ?? .date) ?? "none") }
        let count = LockedValue(0)
        let client = recorded(transport, store) {
            $0.interceptors = [
                Interceptor { request, next in
                    var request = request
                    count.change { $0 += 1 }
                    request.head.headerFields[.init("X-Token") ?? .date] = "token-\(count.value)"
                    return try await next(request)
                }
            ]
        }
        _ = try await client.call(.post, "a", query: ["q": "a b"], body: .text("body")).data()
        let call = try #require(store.snapshot.calls.first)
        guard case .request(let request) = call.replay else { Issue.record("it has no request"); return }
        await InspectorReplay.send(request, repeating: call.number, over: client)
        let calls = store.snapshot.calls
        #expect(calls.count == 2 && calls[1].repeats == 1 && calls[1].method == "POST" && calls[1].url == calls[0].url)
        #expect(transport.requests.map(\.text) == ["body", "body"])
        #expect(transport.requests.map { $0.header(.init("X-Token") ?? .date) } == ["token-1", "token-2"])
    }

    @Test("A client without an inspector, and after it, is not observed")
    func off() async throws {
        let store = store()
        let client = APIClient.scripted(StubServer { _ in .text("a") })
        #expect(!client.hub.isActive)
        let id = client.hub.add(ClientObserver(store, name: ""))
        #expect(client.hub.isActive)
        client.hub.remove(id)
        client.hub.remove(id)
        #expect(!client.hub.isActive)
        _ = try await client.call(.get, "a").data()
        #expect(store.snapshot.calls.isEmpty)
    }
}
