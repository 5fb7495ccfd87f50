// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("Reuse and replay", .timeLimit(.minutes(10)))
struct ReplayTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("A server that closes silently after each response loses no request", arguments: [1, 8])
    func silentCloses(tasks: Int) async throws {
        let server = try await RawServer.answering(Self.ok, closing: true)
        let transport = NIOTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for _ in 0..<30 {
                        let response = try await transport.send(.get(server))
                        #expect(response.body.collectedBytes == Data("ok".utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// A server whose connections answer once, and end at the second request without a byte.
    private static func once() async throws -> RawServer {
        try await RawServer { $0.number == 0 ? [.send(ok)] : [.close] }
    }

    @Test(
        "A reused connection that ends without an answer costs an idempotent request nothing",
        arguments: [HTTPRequest.Method.get, .head, .put, .delete, .options, .trace])
    func idempotent(_ method: HTTPRequest.Method) async throws {
        let server = try await RawServer {
            $0.number > 0
                ? [.close] : [.send(method == .head ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" : Self.ok)]
        }
        let transport = NIOTransport()
        #expect(try await transport.send(.to(server, method)).attempts == 1)
        let second = try await transport.send(.to(server, method))
        #expect(second.attempts == 2)
        #expect(!second.timings.isReusedConnection)
        #expect(server.requests.map(\.connection) == [0, 0, 1])
    }

    @Test(
        "One that may not be repeated fails, and says that it may have been done",
        arguments: [
            HTTPRequest.Method.post, .patch,
        ])
    func notIdempotent(_ method: HTTPRequest.Method) async throws {
        let server = try await Self.once()
        let transport = NIOTransport()
        _ = try await transport.send(.to(server, method))
        let error = await failure { try await transport.send(.to(server, method)) }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.requestMayHaveBeenSent == true)
        #expect(server.requests.count == 2)
    }

    @Test("A body that can be read once is not sent twice")
    func bodyOnce() async throws {
        let server = try await Self.once()
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        let body = RequestBody.once(
            AsyncThrowingStream {
                $0.yield(Data("x".utf8)); $0.finish()
            })
        let error = await failure { try await transport.send(.to(server, .put, body: body)) }
        #expect(error?.code == .networkConnectionLost)
        #expect(server.requests.count == 2)
    }

    @Test("A body that can be read again is sent again")
    func bodyAgain() async throws {
        let server = try await Self.once()
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        let body = RequestBody.stream(length: 4) {
            AsyncThrowingStream {
                $0.yield(Data("body".utf8)); $0.finish()
            }
        }
        let response = try await transport.send(.to(server, .put, body: body))
        #expect(response.attempts == 2)
        #expect(server.requests.last?.text.hasSuffix("\r\n\r\nbody") == true)
    }

    @Test("It is sent again once, and over a new connection, never more")
    func neverTwice() async throws {
        let server = try await RawServer { request in
            request.connection == 0 && request.number == 0 ? [.send(Self.ok)] : [.close]
        }
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        let error = await failure { try await transport.send(.get(server)) }
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.attempts == 2)
        #expect(server.requests.count == 3)
    }

    @Test("A new connection that ends without an answer is not tried again")
    func freshFails() async throws {
        let server = try await RawServer { _ in [.close] }
        let error = await failure { try await NIOTransport().send(.get(server)) }
        #expect(error?.code == .networkConnectionLost)
        #expect(server.requests.count == 1)
    }

    @Test("A byte of a response is an answer: nothing is sent again after it")
    func partialHead() async throws {
        let server = try await RawServer { $0.number == 0 ? [.send(Self.ok)] : [.send("HTTP/1.1 2"), .close] }
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        let error = await failure { try await transport.send(.get(server)) }
        #expect(error?.code == .networkConnectionLost)
        #expect(server.requests.count == 2)
    }

    @Test("A reset is an end like any other")
    func reset() async throws {
        let server = try await RawServer { $0.number == 0 ? [.send(Self.ok)] : [.reset] }
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        #expect(try await transport.send(.get(server)).attempts == 2)
        let other = try await RawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), .reset] }
        let error = await failure { try await transport.send(.get(other)) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test("Letting the transport go closes what idles")
    func letGo() async throws {
        let server = try await RawServer.answering(Self.ok)
        do {
            let transport = NIOTransport()
            _ = try await transport.send(.get(server))
            #expect(server.open == 1)
        }
        try await eventually { server.open == 0 }
        #expect(server.open == 0)
    }

    @Test("A request outlives the transport that it was sent with")
    func outlives() async throws {
        let server = try await RawServer.answering(Self.ok)
        #expect(try await NIOTransport().send(.get(server)).body.collectedBytes == Data("ok".utf8))
        try await eventually { server.open == 0 }
    }

    @Test("An idle connection is closed when its time is up")
    func idleTime() async throws {
        let server = try await RawServer.answering(Self.ok)
        var configuration = NIOTransport.Configuration()
        configuration.idleTimeout = .milliseconds(20)
        let transport = NIOTransport(configuration: configuration)
        _ = try await transport.send(.get(server))
        try await eventually { server.open == 0 && transport.statistics.open == 0 && transport.knownHosts == 0 }
        #expect(server.accepted == 1)
    }

    @Test("No more connections than allowed, whoever waits")
    func limit() async throws {
        let server = try await RawServer.answering(Self.ok)
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerHost = 3
        let transport = NIOTransport(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try await transport.send(.get(server)) } }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 100)
        #expect(server.accepted <= 3)
        #expect(transport.statistics.waiting == 0)
    }

    @Test("A queue of requests that all fail at once ends, however long it is")
    func failingQueue() async throws {
        try await UnreachablePort.with(.hangs) { nobody in
            var configuration = NIOTransport.Configuration()
            configuration.maximumConnectionsPerHost = 1
            let transport = NIOTransport(configuration: configuration)
            var request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(nobody.port)", path: "/"))
            let slow = request.with { $0.options.timeouts.connect = .seconds(1) }
            request.options.timeouts.connect = .zero
            let quick = request
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { await failure { try await transport.send(slow) }?.code == .timedOut }
                try await eventually { transport.statistics.dialed == 1 }
                for _ in 0..<5_000 {
                    group.addTask { await failure { try await transport.send(quick) }?.code == .timedOut }
                }
                for try await isTimedOut in group { #expect(isTimedOut) }
            }
            #expect(transport.statistics.waiting == 0)
            #expect(transport.knownHosts == 0)
        }
    }

    @Test("A queue that is full refuses at once")
    func fullQueue() async throws {
        let server = try await RawServer { _ in [] }
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        configuration.maximumWaitingPerHost = 1
        let transport = NIOTransport(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await failure { try await transport.send(.get(server)) } }
            try await eventually { server.requests.count == 1 }
            group.addTask { _ = await failure { try await transport.send(.get(server)) } }
            try await eventually { transport.statistics.waiting == 1 }
            let error = await failure { try await transport.send(.get(server)) }
            #expect(error?.code == .resourceUnavailable)
            #expect(error?.phase == .queue)
            group.cancelAll()
        }
    }
}
