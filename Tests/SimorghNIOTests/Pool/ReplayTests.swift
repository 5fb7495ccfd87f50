// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("Connection reuse and resending", .timeLimit(.minutes(10)))
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

    /// Returns a server whose connections answer once, and end at the second request without a byte.
    private static func once() async throws -> RawServer {
        try await RawServer { $0.number == 0 ? [.send(ok)] : [.close] }
    }

    @Test(
        "An idempotent request is resent if a reused connection ends without a response",
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
        "A non-idempotent request is not resent, and fails with requestMayHaveBeenSent",
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

    @Test("A body that can be read only once is not resent")
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

    @Test("A replayable body is resent")
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

    @Test("A request is resent only once, over a new connection")
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

    @Test("A request on a new connection that ends without a response is not resent")
    func freshFails() async throws {
        let server = try await RawServer { _ in [.close] }
        let error = await failure { try await NIOTransport().send(.get(server)) }
        #expect(error?.code == .networkConnectionLost)
        #expect(server.requests.count == 1)
    }

    @Test("A request is not resent after the first response byte")
    func partialHead() async throws {
        let server = try await RawServer { $0.number == 0 ? [.send(Self.ok)] : [.send("HTTP/1.1 2"), .close] }
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        let error = await failure { try await transport.send(.get(server)) }
        #expect(error?.code == .networkConnectionLost)
        #expect(server.requests.count == 2)
    }

    @Test("A TCP reset counts as the end of the connection")
    func reset() async throws {
        let server = try await RawServer { $0.number == 0 ? [.send(Self.ok)] : [.reset] }
        let transport = NIOTransport()
        _ = try await transport.send(.get(server))
        #expect(try await transport.send(.get(server)).attempts == 2)
        let other = try await RawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), .reset] }
        let error = await failure { try await transport.send(.get(other)) }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test("Releasing the transport closes idle connections")
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

    @Test("An idle connection is closed after idleTimeout")
    func idleTime() async throws {
        let server = try await RawServer.answering(Self.ok)
        var configuration = NIOTransport.Configuration()
        configuration.idleTimeout = .milliseconds(20)
        let transport = NIOTransport(configuration: configuration)
        _ = try await transport.send(.get(server))
        try await eventually { server.open == 0 && transport.statistics.open == 0 && transport.knownHosts == 0 }
        #expect(server.accepted == 1)
    }

    @Test("maximumConnectionsPerHost holds with 100 concurrent requests")
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

    @Test("A queue of 5,000 requests that fail at once is emptied")
    func failingQueue() async throws {
        try await UnreachablePort.with(.hangs) { unreachable in
            var configuration = NIOTransport.Configuration()
            configuration.maximumConnectionsPerHost = 1
            let transport = NIOTransport(configuration: configuration)
            var request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(unreachable.port)", path: "/"))
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

    @Test("A full queue refuses further requests at once")
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
