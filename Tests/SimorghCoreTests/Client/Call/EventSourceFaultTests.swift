// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Failures of an event source: transient ones are retried, whatever the client's settings make of them.
@Suite(.timeLimit(.minutes(10)))
struct EventSourceFaultTests {
    private struct Refused: Error {}
    private static let stream = StubResponse.text("id: 1\ndata: a\n\n", contentType: "text/event-stream")
    private static let lost = TransportError(.networkConnectionLost, phase: .connect, message: "lost")

    enum Setting: String, CaseIterable, Sendable {
        case plain, errorDecoder, anyStatus, contentTypes

        func apply(to configuration: inout APIClient.Configuration) {
            switch self {
            case .plain: break
            case .errorDecoder: configuration.validation.errorDecoder = { _ in Refused() }
            case .anyStatus: configuration.validation.statusCodes = .any
            case .contentTypes: configuration.validation.contentTypes = ["application/json"]
            }
        }
    }

    private static func client(
        _ transport: StubServer, _ clock: TestClock = TestClock(movesItself: true),
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0 }
            change(&$0)
        }
    }

    private static func data(of events: EventSource) async throws -> [String] {
        var data: [String] = []
        for try await event in events { data.append(event.data) }
        return data
    }

    @Test(
        "A transient status is retried, whatever settings the client has", arguments: Setting.allCases,
        [408, 429, 500, 502, 503, 504])
    func passing(setting: Setting, status: Int) async throws {
        for size in [10, 2 * 1024 * 1024] {
            let page = StubResponse.bytes(
                Data(repeating: 0x78, count: size), contentType: "text/html", status: HTTPResponse.Status(code: status))
            let transport = StubServer(inOrder: [page, Self.stream, .status(.noContent)])
            let client = Self.client(transport) { setting.apply(to: &$0) }
            #expect(try await Self.data(of: client.eventSource(.get, "feed")) == ["a"], "\(size) bytes")
        }
    }

    @Test(
        "A permanent status is thrown, as the error of the client's error decoder if it has one",
        arguments: Setting.allCases)
    func permanent(setting: Setting) async throws {
        let transport = StubServer(inOrder: [.text("no", status: .notFound)])
        let client = Self.client(transport) { setting.apply(to: &$0) }
        let error = await #expect(throws: NetworkError.self) { try await Self.data(of: client.eventSource(.get, "f")) }
        #expect(error?.statusCode == 404)
        #expect((error?.underlyingError is Refused) == (setting == .errorDecoder))
        #expect(transport.requestCount == 1)
    }

    @Test(
        "Transient transport errors are retried",
        arguments: [
            TransportError(.cannotConnectToHost, phase: .connect, message: "refused"),
            TransportError(
                .secureConnectionFailed, phase: .tls, message: "broken", underlying: TLSError(.brokenByPeer)),
            TransportError(.badServerResponse, phase: .head, message: "no HTTP"), lost,
        ])
    func transport(fault: TransportError) async throws {
        let transport = StubServer(inOrder: [.failure(fault), Self.stream, .status(.noContent)])
        #expect(try await Self.data(of: Self.client(transport).eventSource(.get, "feed")) == ["a"])
    }

    @Test(
        "Permanent transport errors are not retried",
        arguments: [
            TransportError(.secureConnectionFailed, phase: .tls, message: "x", underlying: TLSError(.wrongHost)),
            TransportError(.cannotDecodeContentData, phase: .body, message: "corrupt"),
        ])
    func lasting(fault: TransportError) async throws {
        let transport = StubServer(inOrder: [.failure(fault)])
        await #expect(throws: NetworkError.self) {
            try await Self.data(of: Self.client(transport).eventSource(.get, "feed"))
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A token refresh is retried after a network error, and not after a refusal", arguments: [true, false])
    func refresh(passes: Bool) async throws {
        let transport = StubServer { request in
            guard request.header(.authorization) == "Bearer new" else { return .status(.unauthorized) }
            return request.header(.lastEventID) == nil ? Self.stream : .status(.noContent)
        }
        let refreshes = Counter()
        let client = Self.client(transport) {
            $0.authentication = .refreshing(
                RefreshingToken(AccessToken("old")) { _ in
                    guard refreshes.next() > 2 else { throw passes ? Self.lost : Refused() }
                    return AccessToken("new")
                })
        }
        let events = client.eventSource(.get, "feed")
        if passes {
            #expect(try await Self.data(of: events) == ["a"])
        } else {
            let error = await #expect(throws: NetworkError.self) { try await Self.data(of: events) }
            #expect(error?.underlyingError is TokenRefreshError)
        }
    }

    @Test("The event source waits while the circuit is open")
    func circuit() async throws {
        let answers = Counter()
        let transport = StubServer { _ in
            switch answers.next() {
            case 1: .failure(Self.lost)
            case 2: Self.stream
            default: .status(.noContent)
            }
        }
        let waits = Mutex<[Duration]>([])
        var options = EventSourceOptions()
        options.onState = { state in
            if case .waiting(let delay, _) = state { waits.withLock { $0.append(delay) } }
        }
        options.reconnectDelay = .seconds(1)
        let client = Self.client(transport) {
            var breaker = CircuitBreaker()
            breaker.failureThreshold = 1
            breaker.openDuration = .seconds(50)
            $0.resilience.circuitBreaker = breaker
        }
        #expect(try await Self.data(of: client.eventSource(.get, "feed", options: options)) == ["a"])
        let kept = waits.withLock { $0 }
        #expect(kept.first == .seconds(1))
        // Dates are not exact.
        #expect(kept.dropFirst().first.map { abs($0 / .seconds(1) - 49) < 0.1 } == true)
    }

    @Test("A POST that was redirected to a GET still counts as a POST", arguments: [true, false])
    func redirected(repeats: Bool) async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.post, path: "/chat") { _ in StubResponse.status(.seeOther).header(.location, value: "/feed") }
        transport.on(
            .get, path: "/feed",
            inOrder: [
                .chunks([.bytes(Data("id: 1\ndata: a\n\n".utf8)), .fail(Self.lost)], contentType: "text/event-stream"),
                .status(.noContent),
            ])
        var options = EventSourceOptions()
        options.repeatsUnsafeRequests = repeats
        var events = Self.client(transport).eventSource(.post, "chat", body: .text("x"), options: options)
            .makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        if repeats {
            #expect(try await events.next() == nil)
        } else {
            await #expect(throws: NetworkError.self) { try await events.next() }
        }
        #expect(transport.requests.filter { $0.method == .post }.count == (repeats ? 2 : 1))
    }

    @Test(
        "The caller's own Last-Event-ID is the first one sent, and is replaced by the next",
        arguments: ["last-event-id", "Last-Event-ID"])
    func ownField(name: String) async throws {
        let transport = StubServer(inOrder: [
            .text("id: 8\ndata: a\n\n", contentType: "text/event-stream"), .status(.noContent),
        ])
        let events = Self.client(transport).eventSource(.get, "feed", headers: [name: "7"])
        #expect(events.makeAsyncIterator().lastEventID == "7")
        #expect(try await Self.data(of: events) == ["a"])
        #expect(transport.requests.map { $0.header(.lastEventID) } == ["7", "8"])
    }

    @Test("A feed has no idle timeout unless one is set", arguments: [nil, 5])
    func idle(seconds: Int?) async throws {
        let transport = StubServer { _ in .status(.noContent) }
        let client = Self.client(transport) { if let seconds { $0.timeouts.idle = .seconds(seconds) } }
        #expect(try await Self.data(of: client.eventSource(.get, "feed")).isEmpty)
        let limit: Duration? = seconds.map { .seconds($0) }
        #expect(transport.requests.map { $0.options?.timeouts.idle } == [limit])
        _ = try await client.stream(.get, "feed")
        #expect(transport.requests.last?.options?.timeouts.idle == .seconds(seconds ?? 60))
    }

    @Test("An endless error page does not delay the error")
    func endlessPage() async throws {
        let clock = TestClock()
        let never = Gate()
        let transport = StubServer { _ in
            .chunks([.bytes(Data("one".utf8)), .wait(never)], contentType: "text/html", status: .notFound)
        }
        let client = Self.client(transport, clock)
        let task = Task { () -> NetworkError? in
            do throws(NetworkError) {
                for try await _ in TypedElements(client.eventSource(.get, "feed")) {}
                return nil
            } catch {
                return error
            }
        }
        try await clock.sleeping()
        clock.advance(by: .seconds(10))
        let error = await task.value
        #expect(error?.statusCode == 404)
        #expect(error?.response?.isBodyTruncated == true)
        #expect(client.endlessScope.count == 0)
    }

    @Test("Cancelling all calls of the client also ends an event source that waits to reconnect")
    func cancelAll() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in .failure(Self.lost) }
        let client = Self.client(transport, clock)
        let ends = Counter()
        var options = EventSourceOptions()
        options.onState = { state in
            if case .closed = state { ends.next() }
        }
        let task = Task { [options] () -> NetworkError? in
            do throws(NetworkError) {
                for try await _ in TypedElements(client.eventSource(.get, "feed", options: options)) {}
                return nil
            } catch {
                return error
            }
        }
        try await clock.sleeping()
        client.cancelAllRequests()
        #expect(await task.value?.isCancelled == true)
        #expect(ends.count == 1)
        #expect(transport.requestCount == 1)
    }

    @Test("EK9: leaving the loop closes the connection")
    func leaving() async throws {
        let never = Gate()
        let transport = StubServer { _ in
            .chunks([.bytes(Data("data: a\n\n".utf8)), .wait(never)], contentType: "text/event-stream")
        }
        let client = Self.client(transport)
        for try await _ in client.eventSource(.get, "feed") {
            #expect(client.endlessScope.count == 1)
            break
        }
        // The task that delivered the response may not have released it yet.
        try await eventually { client.endlessScope.count == 0 }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .accept
}
