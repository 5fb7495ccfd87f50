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
    private let network = ScriptedNetwork(.disconnected)
    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)

    private static let gone = TransportError(
        .notConnectedToInternet, phase: .connect, message: "no network", requestMayHaveBeenSent: false)

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
            $0.resilience.offlineQueue = queue
            configure(&$0)
        }
    }

    /// Waits until that many requests are in a client's queue.
    private func waiting(_ count: Int, in client: APIClient) async throws {
        let configuration = client.configuration
        let (rules, monitor) = (
            try #require(configuration.resilience.offlineQueue), try #require(configuration.networkMonitor)
        )
        let line = client.settings.state.value(for: OfflineRequestQueue.Key(rules, monitor: monitor)) {
            OfflineRequestQueue(rules, monitor: monitor, time: clock.timeSource)
        }
        try await eventually { line.waiting == count }
    }

    @Test("Requests wait without a network, and are sent in order, one after another")
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
        "Requests that are unsafe to send late, or need no internet, are not queued",
        arguments: [
            (RequestMethod.post, "https://api.example.com/a"), (.patch, "https://api.example.com/a"),
            (.get, "http://localhost:8080/a"), (.get, "http://192.168.0.9/a"), (.get, "http://[fd00::1]/a"),
            (.get, "http://printer.local/a"), (.get, "http://127.0.0.1:1/a"), (.get, "http://intranet/a"),
        ])
    func notKept(method: RequestMethod, url: String) async throws {
        transport.on("/a", response: .status(.ok))
        let client = client { _ in
        } configure: {
            $0.baseURL = nil
        }
        _ = try await client.call(method, url).data()
        #expect(transport.requestCount == 1)
    }

    @Test("A POST with an Idempotency-Key is queued")
    func keyed() async throws {
        transport.on("/orders", response: .status(.created))
        let client = client()
        let task = Task { try await client.call(.post, "orders", headers: ["Idempotency-Key": "7"]).data() }
        try await waiting(1, in: client)
        #expect(transport.requestCount == 0)
        network.become(.connected(.wifi))
        _ = try await task.value
        #expect(transport.requestCount == 1)
    }

    @Test("A full queue refuses requests, and a cancelled request frees its place")
    func bound() async throws {
        transport.on("/a", response: .status(.ok))
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

    @Test("A request waits at most longestWait and at most its call's timeout")
    func deadlines() async throws {
        let client = client { $0.maximumWait = .seconds(60) }
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
            throw Self.gone
        }
        let client = client()
        let task = Task { try await client.call(.get, "a").data() }
        try await waiting(1, in: client)
        network.become(.connected(.cellular))
        #expect(try await task.value.count == 6)
        #expect(transport.requestCount == 2)
    }

    @Test("With a network that does not reach the host, the failure is returned and not retried")
    func nowhere() async throws {
        network.become(.connected(.wifi))
        transport.on("/a") { _ in throw Self.gone }
        await #expect(throws: NetworkError.self) { try await client().call(.get, "a").data() }
        #expect(transport.requestCount == 1)
    }

    @Test("Without an offline queue the monitor is not queried, and requests are always sent")
    func off() async throws {
        transport.on("/a", response: .status(.ok))
        _ = try await client { _ in
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
        let client = client()
        let slow = Task { try await client.call(.get, "slow").data() }
        try await waiting(1, in: client)
        let quick = Task { try await client.call(.get, "quick").data() }
        try await waiting(2, in: client)
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
        let client = client()
        var tasks: [Task<Void, any Error>] = []
        for number in 1...2 {
            tasks.append(Task { try await client.call(.put, "things/\(number)").void() })
            try await waiting(number, in: client)
        }
        network.become(.connected(.wifi))
        _ = try await transport.request(at: 0)
        tasks.append(Task { try await client.call(.put, "things/3").void() })
        try await waiting(3, in: client)
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
        let client = client {
            $0.maximumWaiting = 2
            $0.maximumWait = .seconds(60)
        }
        let slow = Task { try await client.call(.put, "slow").data() }
        try await waiting(1, in: client)
        network.become(.connected(.wifi))
        _ = try await transport.request(at: 0)
        // The first request's wait for the network has ended, so less of its timeout is left.
        clock.advance(by: .seconds(1))
        let patient = Task { try await client.call(.put, "next").data() }
        try await waiting(2, in: client)
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
        let client = client { $0.maximumWaiting = 2 }
        let slow = Task { try await client.call(.put, "slow").data() }
        try await waiting(1, in: client)
        network.become(.connected(.wifi))
        _ = try await transport.request(at: 0)
        let old = Task { try await client.call(.put, "next", headers: ["If-Match": "old"]).void() }
        try await waiting(2, in: client)
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
        let client = client()
        let patient = Task { try await client.call(.put, "a").data() }
        try await waiting(1, in: client)
        let hasty = client.with { $0.timeouts.total = .seconds(5) }
        let late = Task { try await hasty.call(.put, "a").data() }
        try await waiting(2, in: client)
        try await clock.sleeping(1, forAtMost: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: NetworkError.self) { try await late.value }
        #expect(error?.transportCode == .timedOut)
        #expect(transport.requestCount == 0)
        try await waiting(1, in: client)
        network.become(.connected(.wifi))
        _ = try await patient.value
    }

    @Test("With an unknown network status, requests are sent")
    func unknownStatus() async throws {
        transport.on("/a", response: .status(.ok))
        let client = client { _ in
        } configure: {
            $0.networkMonitor = NetworkMonitor(UnavailableNetworkSource())
        }
        _ = try await client.call(.get, "a").data()
        #expect(transport.requestCount == 1)
    }

    @Test("Where no network is ever reported, as on watchOS, a failed request does not wait")
    func neverReported() async throws {
        transport.on("/a", response: .failure(Self.gone))
        let client = client { _ in
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
        transport.on("/a", response: succeeds ? .status(.ok) : .failure(Self.gone))
        let client = client()
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
        let client = client()
        let task = Task { try await client.call(.put, "a").void() }
        try await waiting(1, in: client)
        network.become(Self.onDemand)
        try await task.value
        #expect(transport.requestCount == 1)
    }

    @Test("The error of a request that waited in vain says why there is no network")
    func reason() async throws {
        var denied = NetworkStatus(.disconnected)
        denied.unsatisfiedReason = .cellularDenied
        network.become(denied)
        let client = client { $0.maximumWait = .seconds(5) }
        let task = Task { try await client.call(.put, "a").void() }
        try await waiting(1, in: client)
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
        let client = client { _ in
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
        _ = try await client().call(.get, "a").data()
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
        let client = client()
        let task = Task { try await client.call(.get, "a").data() }
        try await waiting(1, in: client)
        network.become(.connected(.wifi))
        #expect(try await task.value.count == 6)
        #expect(transport.requestCount == 2)
    }

    @Test("A client watches the network only while a request waits")
    func watches() async throws {
        transport.on("/a", response: .status(.ok))
        let client = client()
        #expect(network.watchers == 0)
        let task = Task { try await client.call(.get, "a").data() }
        try await waiting(1, in: client)
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
        _ = try await client().call(.get, "a").stream()
        #expect(transport.requestCount == 1)
    }
}

extension NetworkError {
    /// The code of the underlying transport error.
    fileprivate var transportCode: TransportError.Code? {
        guard case .urlError(let error) = self else { return nil }
        return error.code
    }
}
