// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// PUT requests to one URL while the network connects and disconnects.
@Suite(.timeLimit(.minutes(5)))
struct PerURLOrderingTests {
    private let network = ScriptedNetwork(.connected(.wifi))
    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)

    private static let gone = TransportError(
        .notConnectedToInternet, phase: .connect, message: "no network", requestMayHaveBeenSent: false)

    /// Creates a client whose first request with the old value hangs until the gate opens, and then fails without a
    /// network.
    private func hanging(_ gate: Gate) -> APIClient {
        let attempts = Counter()
        transport.on("/things/1") { request in
            // By value, not by index: a request is recorded before its response is requested.
            guard request.header(.ifMatch) == "old", attempts.next() == 1 else { return .status(.ok) }
            try await gate.wait()
            throw Self.gone
        }
        return APIClient.scripted(transport) {
            $0.baseURL = "https://api.example.com"
            $0.time = clock.timeSource
            // As long as the wait in the queue.
            $0.timeouts.total = nil
            $0.networkMonitor = network.monitor(time: clock.timeSource)
            $0.resilience.offlineQueue = OfflineQueue()
        }
    }

    /// Waits until that many requests are in a client's queue.
    private func waiting(_ count: Int, in client: APIClient) async throws {
        let monitor = try #require(client.configuration.networkMonitor)
        let line = client.settings.state.value(for: OfflineRequestQueue.Key(OfflineQueue(), monitor: monitor)) {
            OfflineRequestQueue(OfflineQueue(), monitor: monitor, time: clock.timeSource)
        }
        try await eventually { line.waiting == count }
    }

    private func put(_ value: String, with client: APIClient) -> Task<Void, any Error> {
        Task { try await client.call(.put, "things/1", headers: ["If-Match": value]).void() }
    }

    /// Puts a value whose request hangs when the network disconnects, and then one that waits in the queue.
    private func putAroundLoss(
        with client: APIClient
    ) async throws -> (old: Task<Void, any Error>, new: Task<Void, any Error>) {
        let old = put("old", with: client)
        _ = try await transport.request(at: 0)
        network.become(.disconnected)
        let new = put("new", with: client)
        try await waiting(1, in: client)
        return (old, new)
    }

    private var values: [String?] { transport.requests.map { $0.header(.ifMatch) } }

    @Test("An old value in flight when the network disconnected is sent before a newer one")
    func oldBeforeNew() async throws {
        let gate = Gate()
        let client = hanging(gate)
        let (old, new) = try await putAroundLoss(with: client)
        gate.open()
        try await waiting(2, in: client)
        network.become(.connected(.cellular))
        try await old.value
        try await new.value
        #expect(values == ["old", "old", "new"])
    }

    @Test("A new value is not sent while an old one is in flight; requests to other URLs are")
    func newAfterOld() async throws {
        let gate = Gate()
        let client = hanging(gate)
        transport.on("/others", response: .status(.ok))
        let (old, new) = try await putAroundLoss(with: client)
        let other = Task { try await client.call(.put, "others").void() }
        try await waiting(2, in: client)
        network.become(.connected(.cellular))
        try await other.value
        #expect(transport.requests.map(\.path) == ["/things/1", "/others"])
        // The next value for the URL waits behind it, too.
        let newest = put("newest", with: client)
        await yieldToOthers()
        #expect(transport.requestCount == 2)
        gate.open()
        // There is a network, so the failure is the request's own.
        await #expect(throws: NetworkError.self) { try await old.value }
        try await new.value
        try await newest.value
        #expect(values == ["old", nil, "new", "newest"])
    }

    @Test("An old value that failed without a network is not sent after a newer one")
    func overtaken() async throws {
        let gate = Gate()
        let client = hanging(gate)
        let old = put("old", with: client)
        _ = try await transport.request(at: 0)
        try await put("new", with: client).value
        network.become(.disconnected)
        gate.open()
        try await waiting(1, in: client)
        network.become(.connected(.cellular))
        let error = await #expect(throws: NetworkError.self) { try await old.value }
        guard case .urlError(let cause) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause.code == .notConnectedToInternet)
        #expect(values == ["old", "new"])
    }

    @Test("A new value waits for an old one within its time limit, and is then sent")
    func newPastOld() async throws {
        let gate = Gate()
        let client = hanging(gate)
        let (old, new) = try await putAroundLoss(with: client)
        network.become(.connected(.cellular))
        try await waiting(0, in: client)
        try await clock.skipWaits(upTo: .seconds(300)) { transport.requestCount >= 2 }
        try await new.value
        gate.open()
        await #expect(throws: NetworkError.self) { try await old.value }
        #expect(values == ["old", "new"])
    }
}
