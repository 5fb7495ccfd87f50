// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The events that `events()` delivers.
@Suite("APIClient.events()", .timeLimit(.minutes(10)))
struct ClientEventTests {
    private struct Unencodable: Encodable, Sendable {
        struct Refused: Error {}
        func encode(to encoder: any Encoder) throws { throw Refused() }
    }

    private static func name(_ event: NetworkEvent) -> String {
        switch event {
        case .started: "started"
        case .completed: "completed"
        case .attempt: "attempt"
        case .retryDecision: "retry"
        case .redirected: "redirected"
        default: "other"
        }
    }

    /// Returns the events until that many calls have completed.
    private static func events(_ stream: NetworkEvents, calls: Int = 1) async -> [NetworkEvent] {
        var events: [NetworkEvent] = []
        var left = calls
        for await event in stream {
            events.append(event)
            if case .completed = event { left -= 1 }
            if left == 0 { break }
        }
        return events
    }

    @Test("NET10: started and completed share an identifier; the duration is positive and metrics are present")
    func startedAndCompleted() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in
            clock.advance(by: .seconds(3))
            return .text("12345")
        }
        let client = APIClient.scripted(transport) { $0.time = clock.timeSource }
        let stream = client.events()
        _ = try await client.call(.get, "x").data()
        let events = await Self.events(stream)
        #expect(events.map(Self.name) == ["started", "attempt", "completed"])
        guard case .started(let request) = events.first, case .completed(let call) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(request.id == call.callID && request.method == "GET" && request.url == "https://api.test/x")
        #expect(call.duration == .seconds(3))
        guard case .success(let status, let count) = call.outcome else {
            Issue.record("\(call.outcome)")
            return
        }
        #expect(status == 200 && count == 5)
        #expect(call.metrics?.attemptCount == 1 && call.metrics?.attempts.first?.statusCode == 200)
        #expect(call.metrics?.isFromCache == false)
    }

    @Test("isFromCache is true for a cache hit, and not for every response without a request")
    func fromCache() throws {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/x")
        let request = TransportRequest(head: head, body: .empty, options: TransportOptions())
        let reports = [CacheReport(), CacheReport(detail: "only-if-cached", isRefused: true), nil]
        let found = reports.map { report -> TransactionMetrics? in
            let events = LockedValue<[NetworkEvent]>([])
            let record = CallReporter(
                ObserverSet(
                    onEvent: { event in events.change { $0.append(event) } }, hub: EventBroadcaster(), log: nil,
                    rules: .standard, time: .system))
            record.started(request)
            if let report {
                record.report { .cache(CacheEvent(report, request: request, callID: record.id, showing: $0)) }
            }
            record.succeeded(status: 200, byteCount: 0, redirects: 0)
            guard case .completed(let call) = events.value.last else { return nil }
            return call.metrics
        }
        #expect(found.map { $0?.isFromCache } == [true, nil, nil])
        #expect(found.first??.cache == CacheReport())
    }

    @Test(
        "An event is not created if no observer takes it",
        arguments: [(LogLevel.failures, 0), (.minimal, 0), (.standard, 1)])
    func unheard(level: LogLevel, expected: Int) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/x")
        let request = TransportRequest(head: head)
        let log = NetworkLog(level, to: NetworkLogger([.custom { _ in }]), rules: .standard)
        let record = CallReporter(
            ObserverSet(onEvent: nil, hub: EventBroadcaster(), log: log, rules: .standard, time: .system))
        var made = 0
        record.report { rules in
            made += 1
            return .cache(CacheEvent(CacheReport(), request: request, callID: record.id, showing: rules))
        }
        #expect(made == expected)
    }

    @Test(
        "An API key with an inconspicuous name is also hidden in the error of a failed call",
        arguments: [Authentication.KeyLocation.header, .query])
    func hiddenKey(place: Authentication.KeyLocation) async {
        let key = "feather-77-kestrel"
        let transport = StubServer { _ in
            .failure(TransportError(.networkConnectionLost, phase: .head, message: "a gateway refused \(key)"))
        }
        let failures = LockedValue<[String]>([])
        let client = APIClient.scripted(transport) { configuration in
            configuration.authentication = .apiKey(key, name: "X-Odd", in: place)
            configuration.logging.onEvent = { event in
                guard case .completed(let call) = event, case .failure(let failure) = call.outcome else { return }
                failures.change { $0.append(failure.message) }
            }
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        let messages = failures.value
        #expect(messages.count == 1)
        #expect(messages.allSatisfy { $0.contains("[hidden]") && !$0.contains(key) }, "\(messages)")
    }

    @Test("NET10: a body that cannot be encoded is reported although nothing was sent")
    func unencodable() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport)
        let stream = client.events()
        _ = try? await client.call(.post, "x", body: .json(Unencodable())).void()
        let events = await Self.events(stream)
        #expect(events.map(Self.name) == ["started", "completed"])
        guard case .completed(let call) = events.last, case .failure(let failure) = call.outcome else {
            Issue.record("\(events)")
            return
        }
        #expect(failure.kind == "invalidRequest" && call.metrics == nil && failure.error == nil)
        #expect(call.request.url == "https://api.test/x")
        #expect(transport.requestCount == 0)
    }

    @Test("NET10: events(showing: .none) has the real header fields, URL and error; other listeners do not get them")
    func raw() async throws {
        let client = APIClient.scripted(
            StubServer { _ in .text("no", status: .forbidden).header(.setCookie, value: "sid=s3cret") })
        let (all, few) = (client.events(showing: RedactionRules.none), client.events())
        _ = try? await client.call(
            .get, "x", query: ["key": "s3cret"], headers: ["Authorization": "Bearer s3cret"]
        ).void()
        let (raw, hidden) = (await Self.events(all), await Self.events(few))
        guard case .started(let request) = raw.first, case .completed(let call) = raw.last,
            case .failure(let failure) = call.outcome, case .attempt(let attempt) = raw[1]
        else {
            Issue.record("\(raw)")
            return
        }
        #expect(request.headers[.authorization] == "Bearer s3cret" && request.url == "https://api.test/x?key=s3cret")
        #expect(attempt.requestHeaders[.authorization] == "Bearer s3cret")
        #expect(attempt.responseHeaders[.setCookie] == "sid=s3cret")
        #expect(failure.error?.responseData == Data("no".utf8))
        for event in hidden {
            var text = ""
            dump(event, to: &text)
            #expect(!text.contains("s3cret"))
        }
    }

    @Test("Any number of listeners each get all events, also of the client's views")
    func manyListeners() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) })
        let streams = (0..<5).map { _ in client.events() }
        try await client.with { $0.headers["A"] = "b" }.call(.get, "x").void()
        for stream in streams {
            #expect(await Self.events(stream).map(Self.name) == ["started", "attempt", "completed"])
        }
    }

    @Test("A slow listener loses the oldest events, which are counted")
    func bounded() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) })
        let stream = client.events(buffer: 4)
        for _ in 0..<10 { try await client.call(.get, "x").void() }
        #expect(stream.dropped == 26)
        #expect(await Self.events(stream, calls: 2).map(Self.name) == ["completed", "started", "attempt", "completed"])
    }

    @Test("A released listener gets no events and has no cost")
    func leaving() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) })
        do {
            let stream = client.events()
            #expect(client.hub.isActive)
            _ = stream
        }
        #expect(!client.hub.isActive)
        #expect(client.settings.reporter == nil)
    }

    @Test("The event stream ends with the client, and with the task that reads it")
    func ending() async throws {
        let stream: NetworkEvents
        do {
            let client = APIClient.scripted(StubServer { _ in .status(.ok) })
            stream = client.events()
        }
        for await _ in stream { Issue.record("unexpected event") }
        let client = APIClient.scripted(StubServer { _ in .status(.ok) })
        let reader = Task { for await _ in client.events() {} }
        reader.cancel()
        await reader.value
    }

    @Test("A call in a plain client is observed once there is a listener")
    func plain() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) })
        #expect(client.settings.pipeline.isPlain)
        try await client.call(.get, "x").void()
        let stream = client.events()
        try await client.call(.get, "y").void()
        guard case .started(let request) = await Self.events(stream).first else {
            Issue.record("the first event is not .started")
            return
        }
        #expect(request.url == "https://api.test/y")
    }

    @Test(
        "A streamed call completes when its body ends, and reports whether its reader left early",
        arguments: [true, false])
    func streams(leaves: Bool) async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("123".utf8)), .bytes(Data("45".utf8))]) }
        let client = APIClient.scripted(transport)
        let stream = client.events()
        for try await _ in try await client.stream(.get, "x").chunks { if leaves { break } }
        let events = await Self.events(stream)
        guard case .completed(let call) = events.last else {
            Issue.record("\(events)")
            return
        }
        switch call.outcome {
        case .success(200, 5): #expect(!leaves)
        case .left(200, 3): #expect(leaves)
        default: Issue.record("\(call.outcome)")
        }
    }

    @Test("Redirects are counted, and each attempt of a call is reported")
    func redirects() async throws {
        let transport = StubServer(inOrder: [
            .status(.found).header(.location, value: "//zal:s3cret@api.test/there?token=s3cret"), .status(.ok),
        ])
        let client = APIClient.scripted(transport)
        let stream = client.events()
        try await client.call(.get, "here").void()
        let events = await Self.events(stream)
        guard case .completed(let call) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(call.metrics?.redirectCount == 1 && call.metrics?.attemptCount == 2)
        let redirections = events.compactMap { if case .redirected(let event) = $0 { event.redirection } else { nil } }
        #expect(redirections.map(\.ignoresUserInfo) == [true], "the user name of the Location was not used")
        #expect(!"\(events)".contains("s3cret"))
    }

    @Test("The onEvent function gets the same events in the same order")
    func function() async throws {
        let names = LockedValue<[String]>([])
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.logging.onEvent = { event in names.change { $0.append(Self.name(event)) } }
        }
        try await client.call(.get, "x").void()
        #expect(names.value == ["started", "attempt", "completed"])
    }

    @Test("Metrics add the sent bytes of all attempts, and have the timings of the last")
    func metrics() {
        var metrics = TransactionMetrics()
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"))
        for number in 1...100 {
            var timings = ExchangeTimings()
            timings.sentBytes = 10
            timings.receivedBytes = 20
            timings.dns = .milliseconds(number)
            timings.firstByte = .milliseconds(5)
            let response = TransportResponse(head: HTTPResponse(status: .ok), timings: timings)
            let id = CallContext().id
            metrics.add(AttemptEvent(attempt: number, request: request, result: .success(response), callID: id))
        }
        #expect(metrics.attemptCount == 100 && metrics.attempts.count == 64)
        #expect(metrics.domainLookup == .milliseconds(100) && metrics.connect == nil)
        #expect(metrics.bytesSent == 640 && metrics.bytesReceived == 1280)
        metrics.body = .milliseconds(7)
        #expect(metrics.response == .milliseconds(12))
    }

    @Test("Metrics count the bytes of a stream once: as reported by the transport at the end, else as read")
    func streamMetrics() {
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"))
        let id = CallContext().id
        var metrics = TransactionMetrics()
        var timings = ExchangeTimings()
        // The head with the first part of the body.
        timings.receivedBytes = 150
        timings.sentBytes = 80
        let response = TransportResponse(head: HTTPResponse(status: .ok), timings: timings)
        metrics.add(AttemptEvent(attempt: 1, request: request, result: .success(response), callID: id))
        #expect(metrics.bytesReceived == 150)
        metrics.read(4000, over: .milliseconds(9))
        #expect(metrics.bytesReceived == 4000)
        #expect(metrics.body == .milliseconds(9))
        // The body was compressed on the wire, and the upload ended after the response head.
        timings.receivedBytes = 1100
        timings.sentBytes = 90
        metrics.end(
            BodyEndEvent(attempt: 1, request: request, connection: nil, timings: timings, error: nil, callID: id))
        #expect(metrics.bytesReceived == 1100)
        #expect(metrics.bytesSent == 90)
        // A late end of an earlier attempt counts for that attempt only.
        metrics.add(AttemptEvent(attempt: 2, request: request, result: .success(response), callID: id))
        timings.receivedBytes = 1200
        metrics.end(
            BodyEndEvent(attempt: 1, request: request, connection: nil, timings: timings, error: nil, callID: id))
        #expect(metrics.bytesReceived == 1200 + 4000)
    }
}
