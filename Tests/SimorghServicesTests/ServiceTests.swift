// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if ServiceLifecycle
import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle
import SimorghCore
import SimorghDownloads
import SimorghNIO
import SimorghNetwork
import SimorghRealtime
import SimorghServices
import SimorghTesting
import TestSupport
import Testing

@Suite("Services", .timeLimit(.minutes(5)))
struct ServiceTests {
    /// A service that tells when the group runs.
    private struct Started: Service {
        let gate = Gate()

        func run() async throws {
            gate.open()
            try? await gracefulShutdown()
        }
    }

    /// Runs services in a group, shuts them down when `body` returns, and waits for their end.
    private static func run(_ services: [any Service], until body: @Sendable () async throws -> Void) async throws {
        let started = Started()
        let group = ServiceGroup(
            services: [started] + services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let run = Task { try await group.run() }
        do {
            try await started.gate.wait()
            try await body()
        } catch {
            run.cancel()
            throw error
        }
        await group.triggerGracefulShutdown()
        try await run.value
    }

    @Test("A client drains at graceful shutdown: a running call ends, later ones are refused")
    func client() async throws {
        let (gate, transport) = (Gate(), StubServer())
        transport.on(nil, path: "/slow", response: .text("late").held(by: gate))
        let client = APIClient.scripted(transport)
        let call = Task { try await client.call(.get, "slow").string() }
        try await gate.waiting()
        let report = LockedValue<DrainReport?>(nil)
        let service = ClientService(client, drainingWithin: .seconds(60)) { done in report.change { $0 = done } }
        let opener = Task {
            try await eventually { client.isDraining }
            gate.open()
        }
        try await Self.run([service]) { try await gate.waiting() }
        try await opener.value
        #expect(try await call.value == "late")
        #expect(report.value?.isComplete == true)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "slow").void() }
        #expect(error?.underlyingError is ClientDrainedError)
    }

    @Test("One service drains several clients at the same time")
    func clients() async throws {
        let (gate, transport) = (Gate(), StubServer())
        transport.on(nil, path: "/slow", response: .text("late").held(by: gate))
        let clients = [APIClient.scripted(transport), APIClient.scripted(transport)]
        let calls = clients.map { client in Task { try await client.call(.get, "slow").string() } }
        try await gate.waiting(2)
        let reports = LockedValue<[DrainReport]>([])
        let service = ClientService(clients, drainingWithin: .seconds(60)) { done in reports.change { $0 = done } }
        let opener = Task {
            try await eventually { clients.allSatisfy { $0.isDraining } }
            gate.open()
        }
        try await Self.run([service]) {}
        try await opener.value
        for call in calls {
            let text = try await call.value
            #expect(text == "late")
        }
        #expect(reports.value.count == 2 && reports.value.allSatisfy { $0.isComplete })
    }

    @Test("A cancelled client service cancels the running calls")
    func cancelled() async throws {
        let (gate, transport) = (Gate(), StubServer())
        transport.on(nil, path: "/slow", response: .text("late").held(by: gate))
        let client = APIClient.scripted(transport)
        let call = Task { try await client.call(.get, "slow").string() }
        try await gate.waiting()
        let run = Task { try await client.run() }
        run.cancel()
        try await run.value
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.isCancelled == true)
    }

    @Test("The same client runs as two services, and in a later group")
    func twice() async throws {
        let (gate, transport) = (Gate(), StubServer())
        transport.on(nil, path: "/slow", response: .text("late").held(by: gate))
        let client = APIClient.scripted(transport)
        let call = Task { try await client.call(.get, "slow").string() }
        try await gate.waiting()
        let reports = LockedValue<[DrainReport]>([])
        let service = ClientService(client, drainingWithin: .seconds(60)) { done in
            reports.change { $0.append(done) }
        }
        let opener = Task {
            try await eventually { client.isDraining }
            gate.open()
        }
        try await Self.run([service, service]) {}
        try await opener.value
        #expect(try await call.value == "late")
        try await Self.run([client]) {}
        #expect(reports.value.count == 2 && reports.value.allSatisfy { $0.isComplete })
    }

    @Test("A WebSocket connects, and closes with 1001 at graceful shutdown")
    func webSocket() async throws {
        let world = WebSocketFixture()
        let connection = try world.connection()
        try await Self.run([connection]) { try await eventually { connection.state == .connected } }
        #expect(try await world.server.peer(at: 0).receivedClose?.code == .goingAway)
        #expect(connection.state == .disconnected)
    }

    @Test("A WebSocket service throws when the connection ends for good, and returns when the server closes it")
    func webSocketEnds() async throws {
        let world = WebSocketFixture()
        let (refused, normal) = (try world.connection(), try world.connection())
        let first = Task { try await refused.run() }
        try await world.server.peer(at: 0).close(code: .policyViolation)
        await #expect(throws: WebSocketError.self) { try await first.value }
        let second = Task { try await normal.run() }
        try await world.server.peer(at: 1).close()
        try await second.value
    }

    @Test("A WebSocket service returns when the program closes the connection, and when its client drains")
    func webSocketClosed() async throws {
        let world = WebSocketFixture()
        let client = world.client()
        let closed = try client.webSocketConnection(WebSocketFixture.Socket())
        let drained = try client.webSocketConnection(WebSocketFixture.Socket())
        let first = Task { try await closed.run() }
        try await eventually { closed.state == .connected }
        closed.close(code: .goingAway)
        try await first.value
        #expect(closed.lastFailure == nil)
        let second = Task { try await drained.run() }
        try await eventually { drained.state == .connected }
        _ = await client.drain(within: .seconds(60))
        try await second.value
        #expect(drained.lastFailure == nil)
    }

    @Test("The client of a token drains after the clients that use it")
    func tokenClient() async throws {
        let (gate, transport) = (Gate(), StubServer())
        transport.on(nil, path: "/me") { request in
            request.head.headerFields[.authorization] == "Bearer new"
                ? .text("Zal") : StubResponse.status(.unauthorized).held(by: gate)
        }
        transport.on(nil, path: "/token", response: .text("new"))
        let auth = APIClient.scripted(transport)
        let token = RefreshingToken(AccessToken("old")) { _ in
            AccessToken(try await auth.call(.post, "token").string())
        }
        let api = APIClient.scripted(transport) { $0.authentication = .refreshing(token) }
        let call = Task { try await api.call(.get, "me").string() }
        try await gate.waiting()
        let opener = Task {
            try await eventually { api.isDraining }
            gate.open()
        }
        try await Self.run([ClientService(auth), ClientService(api)]) {}
        try await opener.value
        #expect(try await call.value == "Zal")
        #expect(auth.isDraining)
    }

    @Test("A WebSocket whose server does not answer the close frame does not fail a group that cancels it")
    func webSocketCancelled() async throws {
        let world = WebSocketFixture()
        let connection = try world.connection()
        var configuration = ServiceGroupConfiguration(
            services: [connection], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        configuration.maximumGracefulShutdownDuration = .milliseconds(10)
        let group = ServiceGroup(configuration: configuration)
        let run = Task { try await group.run() }
        let peer = try await world.server.peer(at: 0)
        peer.answersClose = false
        try await eventually { connection.state == .connected }
        await group.triggerGracefulShutdown()
        try await run.value
    }

    @Test("Subscription services disconnect at graceful shutdown")
    func subscriptions() async throws {
        let world = SubscriptionFixture()
        let socket = world.socket(PlainProtocol(greets: false, confirms: false))
        try await Self.run([socket]) { try await eventually { socket.state == .connected } }
        #expect(socket.state != .connected)
        let peer = try await world.server.peer(at: 0)
        try await peer.closed()
        #expect(peer.receivedClose != nil)
    }

    @Test("A download manager closes, and its download is resumed later")
    func downloads() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        let (manager, id) = try await place.begun(origin)
        try await Self.run([manager]) {}
        #expect(throws: DownloadError.self) { try manager.enqueue(url: DownloadTestFolder.url) }
        origin.change { $0.isHeld = false }
        let next = try place.manager(origin)
        #expect(await next.progress(for: id).last()?.state == .completed)
        await place.end(next)
    }

    @Test("A monitor runs until graceful shutdown")
    func monitor() async throws {
        let monitor = NetworkMonitor()
        try await Self.run([monitor]) { try await eventually { monitor.isMonitoring } }
        #expect(!monitor.isMonitoring)
    }

    // MARK: Streams

    private static let event = StubResponse.BodyStep.bytes(Data("id: 7\ndata: a\n\n".utf8))

    @Test("An event source ends at graceful shutdown while it waits for an event")
    func eventSource() async throws {
        let (gate, transport) = (Gate(), StubServer())
        transport.on(
            nil, path: "/feed", response: .chunks([Self.event, .wait(gate)], contentType: "text/event-stream"))
        let count = Counter()
        let service = StreamService(APIClient.scripted(transport).eventSource(.get, "feed")) { _ in count.next() }
        try await Self.run([service]) { try await eventually { count.count == 1 } }
        #expect(count.count == 1)
    }

    @Test("An event that is being handled at graceful shutdown is handled to the end")
    func handled() async throws {
        let (gate, handling, transport) = (Gate(), Gate(), StubServer())
        transport.on(
            nil, path: "/feed",
            response: .chunks([Self.event, Self.event, .wait(gate)], contentType: "text/event-stream"))
        let count = Counter()
        let service = StreamService(APIClient.scripted(transport).eventSource(.get, "feed")) { _ in
            // The service has registered its handler of the shutdown earlier, so it runs before this one.
            try await withGracefulShutdownHandler {
                try await handling.wait()
            } onGracefulShutdown: {
                handling.open()
            }
            count.next()
        }
        try await Self.run([service]) { try await handling.waiting() }
        #expect(count.count == 1, "and no later event")
    }

    @Test("A cancelled stream service cancels its handler, and returns normally")
    func streamCancelled() async throws {
        let (gate, handling, transport) = (Gate(), Gate(), StubServer())
        transport.on(
            nil, path: "/feed", response: .chunks([Self.event, .wait(gate)], contentType: "text/event-stream"))
        let service = StreamService(APIClient.scripted(transport).eventSource(.get, "feed")) { _ in
            try await handling.wait()
        }
        let run = Task { try await service.run() }
        try await handling.waiting()
        run.cancel()
        try await run.value
    }

    @Test("A handler's error ends the service")
    func handlerFails() async throws {
        struct Failure: Error {}
        let transport = StubServer()
        transport.on(nil, path: "/feed", response: .chunks([Self.event], contentType: "text/event-stream"))
        let service = StreamService(APIClient.scripted(transport).eventSource(.get, "feed")) { _ in throw Failure() }
        await #expect(throws: Failure.self) { try await service.run() }
    }

    @Test("Over the engine, the report of a drain names the requests that were cut, without credentials")
    func report() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            server.on("/slow", response: .text("late").held(by: gate))
            var configuration = server.clientConfiguration
            configuration.authentication = .bearer("hunter2")
            let client = APIClient(configuration: configuration, transport: NIOTransport.shared)
            let call = Task { try await client.call(.put, "slow").void() }
            try await gate.waiting()
            let report = await client.drain(within: .zero)
            #expect(report.calls == 1)
            #expect(report.requests.map(\.method) == ["PUT"] && report.requests.map(\.url) == [server.url + "/slow"])
            #expect(!"\(report) \(report.requests)".contains("hunter2"))
            _ = await call.result
            gate.open()
        }
    }

    @Test("Over the engine, two drains with the same time return the same report", arguments: 0..<20)
    func sameReport(number: Int) async throws {
        try await MockServer.with { server in
            let gate = Gate()
            server.on("/slow", response: .text("late").held(by: gate))
            let client = APIClient(configuration: server.clientConfiguration, transport: NIOTransport.shared)
            let call = Task { try await client.call(.get, "slow").void() }
            try await gate.waiting()
            async let first = client.drain(within: .milliseconds(1))
            async let second = client.drain(within: .milliseconds(1))
            let reports = await [first, second]
            #expect(reports[0] == reports[1] && reports[0].calls == 1 && reports[0].requests.count == 1)
            _ = await call.result
            gate.open()
        }
    }
}
#endif
