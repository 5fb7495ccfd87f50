// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OfflineQueueTests {
    private let network = ScriptedNetwork(.disconnected)
    private let clock = TestClock()
    private let transport = ScriptedTransport()

    private static let gone = TransportError(
        .notConnectedToInternet, phase: .connect, message: "no way", requestMayHaveBeenSent: false)

    private func client(
        _ change: (inout OfflineQueue) -> Void = { _ in },
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        var queue = OfflineQueue()
        change(&queue)
        return APIClient.scripted(transport) {
            $0.baseURL = "https://api.example.com"
            $0.time = clock.timeSource
            $0.networkMonitor = network.monitor(time: clock.timeSource)
            $0.offlineQueue = queue
            configure(&$0)
        }
    }

    /// Waits until so many wait in a client's line.
    private func waiting(_ count: Int, in client: APIClient) async throws {
        let configuration = client.configuration
        let (rules, monitor) = (
            try #require(configuration.offlineQueue), try #require(configuration.networkMonitor)
        )
        let line = client.settings.state.value(for: OfflineLine.Key(rules, monitor)) {
            OfflineLine(rules, monitor, clock.timeSource)
        }
        while line.waiting != count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test("Requests wait while there is no network, and are sent in their order, one after the other")
    func order() async throws {
        transport.on("/things/{id}") { request in .text(request.parameters["id"] ?? "") }
        let client = client()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<10 {
            tasks.append(Task { try await client.call(.put, "things/\(number)").void() })
            try await waiting(number + 1, in: client)
        }
        #expect(transport.requestCount == 0)
        network.become(.connected(.cellular))
        for task in tasks { _ = await task.result }
        #expect(transport.requests.map(\.path) == (0..<10).map { "/things/\($0)" })
    }

    @Test(
        "What cannot safely be sent late, or needs no internet, does not wait",
        arguments: [
            (RequestMethod.post, "https://api.example.com/a"), (.patch, "https://api.example.com/a"),
            (.get, "http://localhost:8080/a"), (.get, "http://192.168.0.9/a"), (.get, "http://[fd00::1]/a"),
            (.get, "http://printer.local/a"), (.get, "http://127.0.0.1:1/a"), (.get, "http://intranet/a"),
        ])
    func notKept(method: RequestMethod, url: String) async throws {
        transport.on("/a", .status(.ok))
        let client = client { _ in
        } configure: {
            $0.baseURL = nil
        }
        _ = try await client.call(method, url).data()
        #expect(transport.requestCount == 1)
    }

    @Test("A POST with an Idempotency-Key waits")
    func keyed() async throws {
        transport.on("/orders", .status(.created))
        let client = client()
        let task = Task { try await client.call(.post, "orders", headers: ["Idempotency-Key": "7"]).data() }
        try await waiting(1, in: client)
        #expect(transport.requestCount == 0)
        network.become(.connected(.wifi))
        _ = try await task.value
        #expect(transport.requestCount == 1)
    }

    @Test("A full queue refuses, and whoever is cancelled leaves room")
    func bound() async throws {
        transport.on("/a", .status(.ok))
        let client = client { $0.maximumWaiting = 2 }
        let tasks = (0..<2).map { _ in Task { try await client.call(.get, "a").data() } }
        try await waiting(2, in: client)
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

    @Test("A request waits no longer than it may, nor than its call's time")
    func deadlines() async throws {
        let client = client { $0.longestWait = .seconds(60) }
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

    @Test("A request whose network goes while it is dialled waits, too")
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
            throw Self.gone
        }
        let client = client()
        let task = Task { try await client.call(.get, "a").data() }
        try await waiting(1, in: client)
        network.become(.connected(.cellular))
        #expect(try await task.value.count == 6)
        #expect(transport.requestCount == 2)
    }

    @Test("With a way that leads nowhere the failure is told and not repeated")
    func nowhere() async throws {
        network.become(.connected(.wifi))
        transport.on("/a") { _ in throw Self.gone }
        await #expect(throws: NetworkError.self) { try await client().call(.get, "a").data() }
        #expect(transport.requestCount == 1)
    }

    @Test("Without a queue nobody asks the network, and a request is sent whatever is known")
    func off() async throws {
        transport.on("/a", .status(.ok))
        _ = try await client { _ in
        } configure: {
            $0.offlineQueue = nil
        }.call(.get, "a").data()
        #expect(network.watchers == 0)
    }

    @Test("Streams do not wait")
    func streams() async throws {
        transport.on("/a", .text("line"))
        _ = try await client().call(.get, "a").stream()
        #expect(transport.requestCount == 1)
    }
}

extension NetworkError {
    /// The code of the transport's error that it carries.
    fileprivate var transportCode: TransportError.Code? {
        guard case .urlError(let error) = self else { return nil }
        return error.code
    }
}
