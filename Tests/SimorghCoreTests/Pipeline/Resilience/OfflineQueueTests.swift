// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OfflineQueueTests {
    private let fixture = OfflineQueueFixture()

    private var network: ScriptedNetwork { fixture.network }
    private var clock: TestClock { fixture.clock }
    private var transport: StubServer { fixture.transport }

    @Test("Requests wait without a network, and are sent in order, one after another")
    func order() async throws {
        transport.on("/things/{id}") { request in .text(request.parameters["id"] ?? "") }
        let client = fixture.client()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<10 {
            tasks.append(Task { try await client.call(.put, "things/\(number)").void() })
            try await fixture.waiting(number + 1, in: client)
        }
        #expect(transport.requestCount == 0)
        network.become(.connected(.cellular))
        for task in tasks { _ = await task.result }
        #expect(transport.requests.map(\.path) == (0..<10).map { "/things/\($0)" })
    }

    @Test(
        "Requests that are unsafe to send late, or need no internet, are not queued",
        arguments: [
            (RequestMethod.post, "https://api.example.com/a"), (.patch, "https://api.example.com/a"),
            (.get, "http://localhost:8080/a"), (.get, "http://192.168.0.9/a"), (.get, "http://[fd00::1]/a"),
            (.get, "http://printer.local/a"), (.get, "http://127.0.0.1:1/a"), (.get, "http://intranet/a"),
        ])
    func notKept(method: RequestMethod, url: String) async throws {
        transport.on("/a", response: .status(.ok))
        let client = fixture.client { _ in
        } configure: {
            $0.baseURL = nil
        }
        _ = try await client.call(method, url).data()
        #expect(transport.requestCount == 1)
    }

    @Test("A POST with an Idempotency-Key is queued")
    func keyed() async throws {
        transport.on("/orders", response: .status(.created))
        let client = fixture.client()
        let task = Task { try await client.call(.post, "orders", headers: ["Idempotency-Key": "7"]).data() }
        try await fixture.waiting(1, in: client)
        #expect(transport.requestCount == 0)
        network.become(.connected(.wifi))
        _ = try await task.value
        #expect(transport.requestCount == 1)
    }

    @Test("A full queue refuses requests, and a cancelled request frees its place")
    func bound() async throws {
        transport.on("/a", response: .status(.ok))
        let client = fixture.client { $0.maximumWaiting = 2 }
        let tasks = (0..<2).map { _ in Task { try await client.call(.get, "a").data() } }
        try await fixture.waiting(2, in: client)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "a").data() }
        #expect(error?.transportCode == .notConnectedToInternet)
        #expect(transport.requestCount == 0)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        let next = Task { try await client.call(.get, "a").data() }
        network.become(.connected(.wifi))
        _ = try await next.value
        #expect(transport.requestCount == 1)
    }

    @Test("A request waits at most longestWait and at most its call's timeout")
    func deadlines() async throws {
        let client = fixture.client { $0.maximumWait = .seconds(60) }
        let patient = Task { try await client.call(.get, "a").data() }
        try await clock.sleeping()
        clock.advance(by: .seconds(60))
        let first = await #expect(throws: NetworkError.self) { try await patient.value }
        #expect(first?.transportCode == .notConnectedToInternet)
        let hasty = client.with { $0.timeouts.total = .seconds(5) }
        let other = Task { try await hasty.call(.get, "a").data() }
        try await clock.sleeping()
        clock.advance(by: .seconds(5))
        let second = await #expect(throws: NetworkError.self) { try await other.value }
        #expect(second?.transportCode == .timedOut)
        #expect(transport.requestCount == 0)
    }

    @Test("A request whose network is lost while it connects is queued, too")
    func lostMeanwhile() async throws {
        network.become(.connected(.wifi))
        let attempts = Mutex(0)
        transport.on("/a") { [network] _ in
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            guard isFirst else { return .text("\"late\"") }
            network.become(.disconnected)
            throw OfflineQueueFixture.gone
        }
        let client = fixture.client()
        let task = Task { try await client.call(.get, "a").data() }
        try await fixture.waiting(1, in: client)
        network.become(.connected(.cellular))
        #expect(try await task.value.count == 6)
        #expect(transport.requestCount == 2)
    }

    @Test("With a network that does not reach the host, the failure is returned and not retried")
    func nowhere() async throws {
        network.become(.connected(.wifi))
        transport.on("/a") { _ in throw OfflineQueueFixture.gone }
        await #expect(throws: NetworkError.self) { try await fixture.client().call(.get, "a").data() }
        #expect(transport.requestCount == 1)
    }

    @Test("Without an offline queue the monitor is not queried, and requests are always sent")
    func off() async throws {
        transport.on("/a", response: .status(.ok))
        _ = try await fixture.client { _ in
        } configure: {
            $0.resilience.offlineQueue = nil
        }.call(.get, "a").data()
        #expect(network.watchers == 0)
    }

    @Test("Once the network is back, safe requests are sent without waiting for each other")
    func handsOn() async throws {
        let gate = Gate()
        transport.on("/slow") { _ in
            try await gate.wait()
            return .status(.ok)
        }
        transport.on("/quick", response: .status(.ok))
        let client = fixture.client()
        let slow = Task { try await client.call(.get, "slow").data() }
        try await fixture.waiting(1, in: client)
        let quick = Task { try await client.call(.get, "quick").data() }
        try await fixture.waiting(2, in: client)
        network.become(.connected(.wifi))
        _ = try await quick.value
        #expect(transport.requests.map(\.path) == ["/slow", "/quick"])
        gate.open()
        _ = try await slow.value
    }

    @Test("Unsafe requests keep their order after the network is back; safe requests overtake them")
    func newcomers() async throws {
        let gate = Gate()
        transport.on("/things/{id}") { request in
            if request.parameters["id"] == "1" { try await gate.wait() }
            return .status(.ok)
        }
        transport.on("/read", response: .status(.ok))
        let client = fixture.client()
        var tasks: [Task<Void, any Error>] = []
        for number in 1...2 {
            tasks.append(Task { try await client.call(.put, "things/\(number)").void() })
            try await fixture.waiting(number, in: client)
        }
        network.become(.connected(.wifi))
        _ = try await transport.request(at: 0)
        tasks.append(Task { try await client.call(.put, "things/3").void() })
        try await fixture.waiting(3, in: client)
        try await client.call(.get, "read").void()
        #expect(transport.requests.map(\.path) == ["/things/1", "/read"])
        gate.open()
        for task in tasks { try await task.value }
        #expect(transport.requests.map(\.path) == ["/things/1", "/read", "/things/2", "/things/3"])
    }

    @Test("With a network no request is refused because the queue is full")
    func fullAndOnline() async throws {
        let gate = Gate()
        transport.on("/slow") { _ in
            try await gate.wait()
            return .status(.ok)
        }
        transport.on("/next", response: .status(.ok))
        transport.on("/other", response: .status(.ok))
        let client = fixture.client {
            $0.maximumWaiting = 2
            $0.maximumWait = .seconds(60)
        }
        let slow = Task { try await client.call(.put, "slow").data() }
        try await fixture.waiting(1, in: client)
        network.become(.connected(.wifi))
        _ = try await transport.request(at: 0)
        // The first request's wait for the network has ended, so less of its timeout is left.
        clock.advance(by: .seconds(1))
        let patient = Task { try await client.call(.put, "next").data() }
        try await fixture.waiting(2, in: client)
        try await clock.sleeping(for: .seconds(60))
        // The queue is full.
        _ = try await client.call(.put, "other").data()
        #expect(transport.requestCount == 2)
        // A request that has waited long enough does not wait for others.
        clock.advance(by: .seconds(60))
        _ = try await patient.value
        #expect(transport.requestCount == 3)
        gate.open()
        _ = try await slow.value
    }

    @Test("A new value that finds the queue full is not sent before an older one in it")
    func fullOfOld() async throws {
        let gate = Gate()
        transport.on("/slow") { _ in
            try await gate.wait()
            return .status(.ok)
        }
        transport.on("/next", response: .status(.ok))
        let client = fixture.client { $0.maximumWaiting = 2 }
        let slow = Task { try await client.call(.put, "slow").data() }
        try await fixture.waiting(1, in: client)
        network.become(.connected(.wifi))
        _ = try await transport.request(at: 0)
        let old = Task { try await client.call(.put, "next", headers: ["If-Match": "old"]).void() }
        try await fixture.waiting(2, in: client)
        let new = Task { try await client.call(.put, "next", headers: ["If-Match": "new"]).void() }
        await yieldToOthers(turns: 1000)
        #expect(transport.requestCount == 1)
        gate.open()
        _ = try await slow.value
        try await old.value
        try await new.value
        #expect(transport.requests.compactMap { $0.header(.ifMatch) } == ["old", "new"])
    }

    @Test("A request behind another waits at most its call's timeout")
    func behind() async throws {
        transport.on("/a", response: .status(.ok))
        let client = fixture.client()
        let patient = Task { try await client.call(.put, "a").data() }
        try await fixture.waiting(1, in: client)
        let hasty = client.with { $0.timeouts.total = .seconds(5) }
        let late = Task { try await hasty.call(.put, "a").data() }
        try await fixture.waiting(2, in: client)
        try await clock.sleeping(1, forAtMost: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: NetworkError.self) { try await late.value }
        #expect(error?.transportCode == .timedOut)
        #expect(transport.requestCount == 0)
        try await fixture.waiting(1, in: client)
        network.become(.connected(.wifi))
        _ = try await patient.value
    }

    @Test("A client watches the network only while a request waits")
    func watches() async throws {
        transport.on("/a", response: .status(.ok))
        let client = fixture.client()
        #expect(network.watchers == 0)
        let task = Task { try await client.call(.get, "a").data() }
        try await fixture.waiting(1, in: client)
        try await network.watched()
        network.become(.connected(.wifi))
        _ = try await task.value
        try await network.unwatched()
        _ = try await client.call(.get, "a").data()
        #expect(network.watchers == 0)
    }

    @Test("Streams are not queued")
    func streams() async throws {
        transport.on("/a", response: .text("line"))
        _ = try await fixture.client().call(.get, "a").stream()
        #expect(transport.requestCount == 1)
    }
}
