// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite("Offline queue: kinds of networks", .timeLimit(.minutes(5)))
struct OfflineQueueNetworkTests {
    private let fixture = OfflineQueueFixture()

    private var network: ScriptedNetwork { fixture.network }
    private var clock: TestClock { fixture.clock }
    private var transport: StubServer { fixture.transport }

    @Test("With an unknown network status, requests are sent")
    func unknownStatus() async throws {
        transport.on("/a", response: .status(.ok))
        let client = fixture.client { _ in
        } configure: {
            $0.networkMonitor = NetworkMonitor(UnavailableNetworkSource())
        }
        _ = try await client.call(.get, "a").data()
        #expect(transport.requestCount == 1)
    }

    @Test("Where no network is ever reported, as on watchOS, a failed request does not wait")
    func neverReported() async throws {
        transport.on("/a", response: .failure(OfflineQueueFixture.gone))
        let client = fixture.client { _ in
        } configure: {
            $0.networkMonitor = NetworkMonitor(UnavailableNetworkSource())
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "a").data() }
        #expect(error?.transportCode == .notConnectedToInternet)
        #expect(transport.requestCount >= 1)
    }

    /// A network that only an attempt to connect brings up, such as a VPN on demand.
    private static var onDemand: NetworkStatus {
        var status = NetworkStatus(.disconnected)
        status.connectsOnDemand = true
        return status
    }

    @Test("With a connection on demand a request is sent, and a failure is not queued", arguments: [true, false])
    func onDemand(succeeds: Bool) async throws {
        network.become(Self.onDemand)
        transport.on("/a", response: succeeds ? .status(.ok) : .failure(OfflineQueueFixture.gone))
        let client = fixture.client()
        if succeeds {
            _ = try await client.call(.get, "a").data()
            #expect(transport.requestCount == 1)
        } else {
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "a").data() }
            #expect(error?.transportCode == .notConnectedToInternet)
        }
    }

    @Test("A queued request is sent when a connection on demand becomes possible")
    func becomesOnDemand() async throws {
        transport.on("/a", response: .status(.ok))
        let client = fixture.client()
        let task = Task { try await client.call(.put, "a").void() }
        try await fixture.waiting(1, in: client)
        network.become(Self.onDemand)
        try await task.value
        #expect(transport.requestCount == 1)
    }

    @Test("The error of a request that waited in vain says why there is no network")
    func reason() async throws {
        var denied = NetworkStatus(.disconnected)
        denied.unsatisfiedReason = .cellularDenied
        network.become(denied)
        let client = fixture.client { $0.maximumWait = .seconds(5) }
        let task = Task { try await client.call(.put, "a").void() }
        try await fixture.waiting(1, in: client)
        try await network.watched()
        try await clock.sleeping(1, forAtMost: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        guard case .urlError(let cause)? = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(cause.message.contains("(mobile data is turned off for this app)"))
    }

    @Test("Requests through a proxy or to fixed addresses are not queued", arguments: [false, true])
    func ownWay(isProxy: Bool) async throws {
        transport.on("/a", response: .status(.ok))
        let client = fixture.client { _ in
        } configure: {
            if isProxy {
                $0.route.proxy = .url("http://proxy.example.com:3128")
            } else {
                $0.route.addresses = ["api.example.com:443": ["203.0.113.7"]]
            }
        }
        _ = try await client.call(.get, "a").data()
        #expect(transport.requestCount == 1)
    }

    /// A network without internet access.
    private static var lan: NetworkStatus {
        KernelNetworkSnapshot([.ethernet("eth0", addresses: "192.168.1.8")]).status
    }

    @Test("With a local network a request is tried, because the host may be local")
    func near() async throws {
        network.become(Self.lan)
        transport.on("/a", response: .status(.ok))
        _ = try await fixture.client().call(.get, "a").data()
        #expect(transport.requestCount == 1)
        #expect(network.watchers == 0)
    }

    @Test(
        "With a local network a request is queued if its host cannot be reached",
        arguments: [TransportError.Code.notConnectedToInternet, .timedOut])
    func notNear(code: TransportError.Code) async throws {
        network.become(Self.lan)
        let attempts = Counter()
        transport.on("/a") { _ in
            guard attempts.next() == 1 else { return .text("\"late\"") }
            throw TransportError(code, phase: .connect, message: "", requestMayHaveBeenSent: false)
        }
        let client = fixture.client()
        let task = Task { try await client.call(.get, "a").data() }
        try await fixture.waiting(1, in: client)
        network.become(.connected(.wifi))
        #expect(try await task.value.count == 6)
        #expect(transport.requestCount == 2)
    }
}
