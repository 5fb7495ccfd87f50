// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// A transport that holds requests until its network is open, as a session of an Apple platform does.
private final class WaitingTransport: ConnectivityWaitingTransport {
    let waitsForConnectivity = true
    let network = Gate()
    private let state = Mutex<(waiting: Int, sent: [String])>((0, []))

    /// The longest waits that the offline queue has granted.
    let limits = LockedValue<[Duration]>([])
    var waiting: Int { state.withLock { $0.waiting } }
    var sent: [String] { state.withLock { $0.sent } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if !network.isOpen {
            guard let wait = request.options.connectivityWait else {
                throw TransportError(
                    .notConnectedToInternet, phase: .connect, message: "offline", requestMayHaveBeenSent: false)
            }
            limits.change { $0.append(wait.limit) }
            if let refusal = wait.begin() { throw refusal }
            state.withLock { $0.waiting += 1 }
            defer { state.withLock { $0.waiting -= 1 } }
            do { try await network.wait() } catch { throw .cancelled(phase: .connect) }
            wait.end()
        }
        state.withLock { $0.sent.append("\(request.head.method.rawValue) \(request.head.path ?? "")") }
        return TransportResponse(head: HTTPResponse(status: .ok))
    }
}

@Suite("OfflineQueue over a transport that waits", .timeLimit(.minutes(5)))
struct WaitingTransportTests {
    private let transport = WaitingTransport()

    private func client(
        maximumWaiting: Int = 100, events: LockedValue<[String]>? = nil, time: TimeSource = .system
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = time
            // As on a watch, whose system reports no network to monitors.
            $0.networkMonitor = ScriptedNetwork(.disconnected).monitor()
            var queue = OfflineQueue()
            queue.maximumWaiting = maximumWaiting
            $0.resilience.offlineQueue = queue
            $0.logging.onEvent = { event in
                guard case .wait(let wait) = event else { return }
                let stage = wait.stage == .began ? "began" : "ended"
                events?.change { $0.append("\(wait.cause) \(stage)") }
            }
        }
    }

    private func queue(of client: APIClient) throws -> OfflineRequestQueue {
        let rules = try #require(client.configuration.resilience.offlineQueue)
        let monitor = try #require(client.configuration.networkMonitor)
        return client.settings.state.value(for: OfflineRequestQueue.Key(rules, monitor: monitor)) {
            OfflineRequestQueue(rules, monitor: monitor, time: .system)
        }
    }

    @Test("A request waits inside the transport, whatever the monitor says, and reports it")
    func waits() async throws {
        let events = LockedValue<[String]>([])
        let client = client(events: events)
        let task = Task { try await client.call(.get, "a").void() }
        try await eventually { transport.waiting == 1 }
        #expect(events.value == ["network began"])
        transport.network.open()
        try await task.value
        #expect(events.value == ["network began", "network ended"])
    }

    @Test("Requests that change state wait behind the first one, and are sent in order")
    func order() async throws {
        let client = client()
        var tasks: [Task<Void, any Error>] = []
        tasks.append(Task { try await client.call(.put, "things/0").void() })
        try await eventually { transport.waiting == 1 }
        let line = try queue(of: client)
        for number in 1..<5 {
            tasks.append(Task { try await client.call(.put, "things/\(number)").void() })
            try await eventually { line.waiting == number + 1 }
        }
        // Only the first request is in the transport.
        #expect(transport.waiting == 1)
        transport.network.open()
        for task in tasks { try await task.value }
        #expect(transport.sent == (0..<5).map { "PUT /things/\($0)" })
    }

    @Test("Requests beyond maximumWaiting fail at once")
    func bound() async throws {
        let client = client(maximumWaiting: 2)
        let tasks = (0..<2).map { number in Task { try await client.call(.get, "\(number)").void() } }
        try await eventually { transport.waiting == 2 }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "b").void() }
        #expect(error?.transportCode == .notConnectedToInternet)
        transport.network.open()
        for task in tasks { try await task.value }
    }

    @Test("Requests that wait for their turn and those inside the transport count together")
    func boundInAll() async throws {
        let client = client(maximumWaiting: 2)
        let first = Task { try await client.call(.put, "a").void() }
        try await eventually { transport.waiting == 1 }
        let second = Task { try await client.call(.put, "b").void() }
        let line = try queue(of: client)
        try await eventually { line.waiting == 2 }
        for method in [RequestMethod.get, .put] {
            let error = await #expect(throws: NetworkError.self) { try await client.call(method, "c").void() }
            #expect(error?.transportCode == .notConnectedToInternet)
        }
        transport.network.open()
        try await first.value
        try await second.value
        #expect(transport.sent == ["PUT /a", "PUT /b"])
    }

    @Test("The time that a request waits for its turn counts for its wait inside the transport")
    func limitOfWait() async throws {
        let clock = TestClock()
        let client = client(time: clock.timeSource)
        let first = Task { try await client.call(.put, "a").void() }
        try await eventually { transport.waiting == 1 }
        let second = Task { try await client.call(.put, "b").void() }
        let line = try queue(of: client)
        try await eventually { line.waiting == 2 }
        clock.advance(by: .seconds(100))
        first.cancel()
        try await eventually { transport.limits.value.count == 2 }
        let limits = transport.limits.value
        #expect(limits == [OfflineQueue().maximumWait, OfflineQueue().maximumWait - .seconds(100)])
        transport.network.open()
        try await second.value
    }

    @Test("Cancelling ends the wait and frees its place")
    func cancelled() async throws {
        let client = client(maximumWaiting: 1)
        let task = Task { try await client.call(.get, "a").void() }
        try await eventually { transport.waiting == 1 }
        task.cancel()
        await #expect(throws: NetworkError.self) { try await task.value }
        let next = Task { try await client.call(.get, "b").void() }
        try await eventually { transport.waiting == 1 }
        transport.network.open()
        try await next.value
    }

    @Test("Requests that may not be sent late, and clients without an offline queue, fail at once")
    func unsafe() async throws {
        let error = await #expect(throws: NetworkError.self) { try await client().call(.post, "a").void() }
        #expect(error?.transportCode == .notConnectedToInternet)
        let plain = APIClient.scripted(transport)
        let other = await #expect(throws: NetworkError.self) { try await plain.call(.get, "a").void() }
        #expect(other?.transportCode == .notConnectedToInternet)
        #expect(transport.sent.isEmpty)
    }
}
