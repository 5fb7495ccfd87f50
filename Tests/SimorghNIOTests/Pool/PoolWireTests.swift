// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// The pool's guarantees if servers, proxies and callers misbehave.
@Suite("NIOTransport: the connection pool with real sockets", .timeLimit(.minutes(10)))
struct PoolWireTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    /// An empty SETTINGS frame.
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// A 200 response on the first stream, without a body.
    private static let answer: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]
    /// The answers of a SOCKS proxy that needs no authentication and accepts the request, sent at once.
    private static let consent: [UInt8] = [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    private static func transport(
        _ change: (inout NIOTransport.Configuration) -> Void = { _ in }
    ) -> NIOTransport {
        var configuration = NIOTransport.Configuration()
        configuration.idleTimeout = .seconds(3600)
        change(&configuration)
        return NIOTransport(configuration: configuration)
    }

    private static func get(
        _ authority: String, scheme: String = "http", _ change: (inout TransportOptions) -> Void = { _ in }
    ) -> TransportRequest {
        var options = TransportOptions()
        change(&options)
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"), options: options)
    }

    /// Returns a server that speaks HTTP/2 with prior knowledge and answers the first request of each connection.
    private static func h2c(behind proxy: [UInt8] = []) async throws -> RawServer {
        // The preface has two blank lines, so the server counts two requests; the stream begins with the second.
        try await RawServer(greeting: [.bytes(proxy + settings)]) { $0.number == 1 ? [.bytes(answer)] : [] }
    }

    @Test("Bytes that follow a SOCKS proxy's answer belong to the server: early HTTP/2 SETTINGS")
    func earlySettings() async throws {
        let server = try await Self.h2c(behind: Self.consent)
        let response = try await Self.transport().send(
            Self.get("bird.test:80") {
                $0.httpVersion = .http2PriorKnowledge
                $0.route.proxy = .url("socks5h://\(server.authority)")
            })
        #expect(response.head.status == 200)
        #expect(response.connection?.applicationProtocol == "h2c")
    }

    @Test("A response before any request is an error each time, and its connection leaves the pool")
    func earlyAnswer() async throws {
        // Sent at once: bytes after the request could not be told apart from its response.
        let server = try await RawServer(greeting: [.bytes(Self.consent + Array(Self.ok.utf8))]) { _ in [] }
        let transport = Self.transport { $0.maximumConnectionsPerHost = 1 }
        for _ in 0..<3 {
            let error = await failure {
                try await transport.send(
                    Self.get("bird.test:80") { $0.route.proxy = .url("socks5h://\(server.authority)") })
            }
            #expect(error?.code == .badServerResponse)
            #expect(error?.phase == .connect)
            #expect(error?.requestMayHaveBeenSent == false)
        }
        try await eventually { transport.statistics.open == 0 }
        #expect(transport.statistics.dialing == 0)
        #expect(transport.knownHosts == 0)
    }

    @Test("If a SOCKS proxy cannot reach one address, the next one is tried")
    func nextAddress() async throws {
        let server = try await RawServer(greeting: [.bytes([5, 0, 5, 4, 0, 1, 0, 0, 0, 0, 0, 0])]) { _ in [] }
        let error = await failure {
            try await Self.transport().send(
                Self.get("bird.test:80") {
                    $0.route.proxy = .url("socks5://\(server.authority)")
                    $0.route.addresses["bird.test:80"] = ["192.0.2.1", "2001:db8::1", "192.0.2.2"]
                })
        }
        #expect((error?.underlying as? ProxyError)?.socksReply == 4)
        #expect(server.accepted == 3)
        let stubborn = try await RawServer(greeting: [.bytes([5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0])]) { _ in [] }
        _ = await failure {
            try await Self.transport().send(
                Self.get("bird.test:80") {
                    $0.route.proxy = .url("socks5://\(stubborn.authority)")
                    $0.route.addresses["bird.test:80"] = ["192.0.2.1", "192.0.2.2"]
                })
        }
        #expect(stubborn.accepted == 1)
    }

    @Test("A request with a short TLS timeout fails alone")
    func hasty() async throws {
        let silent = try await RawServer { _ in [] }
        let transport = Self.transport()
        let hasty = Self.get(silent.authority, scheme: "https") { $0.timeouts.tls = .milliseconds(300) }
        let patient = hasty.with { $0.options.timeouts.tls = .seconds(3600) }
        let first = Task { await failure { try await transport.send(hasty) } }
        try await eventually { transport.statistics.dialed == 1 }
        let second = Task { await failure { try await transport.send(patient) } }
        let error = await first.value
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .tls)
        try await eventually { transport.statistics.dialed == 2 }
        second.cancel()
        #expect(await second.value?.code == .cancelled)
    }

    /// A resolver that finds an address once, and never returns after that.
    private final class OnceResolver: HostResolver {
        private let asked = Atomic(false)

        func addresses(of host: String, family: AddressFamily) async throws -> [String] {
            guard family == .ipv4 else { return [] }
            if !asked.exchange(true, ordering: .relaxed) { return ["127.0.0.1"] }
            try await Gate().wait()
            return []
        }
    }

    @Test("A request whose dial failed waits in the queue no longer than timeouts.queue")
    func queueAfterDial() async throws {
        let server = try await RawServer(greeting: [.bytes(Self.settings)]) { _ in [] }
        let transport = Self.transport {
            $0.maximumConcurrentStreams = 1
            $0.resolver = OnceResolver()
        }
        let request = Self.get("bird.test:\(server.port)") {
            $0.httpVersion = .http2PriorKnowledge
            $0.timeouts.total = nil
            $0.timeouts.head = nil
            $0.timeouts.idle = nil
        }
        let first = Task { await failure { try await transport.send(request) } }
        try await eventually { server.requests.count == 2 }
        let error = await failure {
            try await transport.send(
                request.with {
                    $0.options.timeouts.queue = .milliseconds(10)
                    $0.options.timeouts.connect = .milliseconds(200)
                })
        }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .queue)
        first.cancel()
        #expect(await first.value?.code == .cancelled)
    }

    @Test("A POST is not sent on an idle connection that the server has just closed")
    func closedMeanwhile() async throws {
        let server = try await RawServer.answering(Self.ok)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let transport = Self.transport { $0.eventLoopGroup = group }
        _ = try await transport.send(.get(server))
        // The blocked event loop does not see the close.
        let held = DispatchSemaphore(value: 0)
        let isHeld = Mutex(false)
        group.next().execute {
            isHeld.withLock { $0 = true }
            held.wait()
        }
        try await eventually { isHeld.withLock { $0 } }
        await server.closeConnections()
        try await eventually { try Sockets.established(toPort: server.port) == 0 }
        let task = Task { try await transport.send(.to(server, .post, body: .bytes(Data("x".utf8), contentType: nil))) }
        try await eventually { transport.statistics.leased == 1 }
        held.signal()
        let response = try await task.value
        #expect(response.head.status == 200)
        #expect(response.attempts == 1, "a request that never left counts as no attempt")
        #expect(server.requests.count == 2)
        try await group.shutdownGracefully()
    }

    @Test("An ended idle connection leaves the other idle ones of the host in use", arguments: [1, 2])
    func oneOfThree(ended: Int) async throws {
        let server = try await RawServer.answering(Self.ok)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let transport = Self.transport { $0.eventLoopGroup = group }
        for count in 1...3 {
            try await transport.prewarm(for: .get(server), connections: count)
            // One after the other, so that the server counts them in the order of dialing.
            try await eventually { server.open == count }
        }
        let held = DispatchSemaphore(value: 0)
        let isHeld = Mutex(false)
        group.next().execute {
            isHeld.withLock { $0 = true }
            held.wait()
        }
        try await eventually { isHeld.withLock { $0 } }
        // The connection opened last is used first.
        for number in 0..<ended { await server.closeConnection(2 - number) }
        try await eventually { try Sockets.established(toPort: server.port) <= 3 - ended }
        let task = Task { try await transport.send(.to(server, .post, body: .bytes(Data("x".utf8), contentType: nil))) }
        try await eventually { transport.statistics.leased == 1 }
        held.signal()
        let response = try await task.value
        #expect(response.head.status == 200)
        #expect(response.attempts == 1)
        #expect(server.requests.count == 1)
        // With two, the loop may have seen the second close before its connection was leased.
        if ended == 1 {
            #expect(server.requests.first?.connection == 1)
            #expect(transport.statistics.dialed == 3)
            #expect(transport.statistics.evicted == 0)
        }
        try await group.shutdownGracefully()
    }

    @Test("statistics: each request counts as dialed or reused")
    func counts() async throws {
        let server = try await RawServer.answering(Self.ok)
        let transport = Self.transport { $0.maximumConnectionsPerHost = 1 }
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<40 { group.addTask { try await transport.send(.get(server)).head.status } }
            for try await status in group { #expect(status == .ok) }
        }
        // Most requests waited in the queue and took a returned connection.
        #expect(transport.statistics.dialed == 1)
        #expect(transport.statistics.reused == 39)
    }

    @Test(
        "If the client resolves names for a SOCKS proxy, a family that never answers causes no delay",
        arguments: [true, false])
    func silentFamily(isFour: Bool) async throws {
        let server = try await RawServer(greeting: [.bytes(Self.consent)]) { _ in [.send(Self.ok)] }
        let names =
            isFour
            ? DialTests.Names(four: .addresses(["192.0.2.1"]), six: .never)
            : DialTests.Names(four: .never, six: .addresses(["2001:db8::1"]))
        let transport = Self.transport { $0.resolver = names }
        let response = try await transport.send(
            Self.get("bird.test:80") {
                $0.route.proxy = .url("socks5://\(server.authority)")
                $0.timeouts.connect = .seconds(3600)
            })
        #expect(response.head.status == 200)
        #expect(response.connection?.proxy == "socks5://\(server.authority)")
        #expect(response.connection?.remoteAddress == server.authority)
        let (dns, connect) = (try #require(response.timings.dns), try #require(response.timings.connect))
        #expect(dns <= connect)
        // The lookup that is still running has no consumer.
        try await eventually { names.cancelled.withLock { $0 } == 1 }
    }

    @Test("A transport whose event loops were shut down fails with resourceUnavailable")
    func withoutLoops() async throws {
        let server = try await RawServer.answering(Self.ok)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let transport = Self.transport {
            $0.eventLoopGroup = group
            $0.maximumConnectionsPerHost = 1
        }
        _ = try await transport.send(.get(server))
        try await group.shutdownGracefully()
        await withTaskGroup(of: TransportError?.self) { tasks in
            for _ in 0..<20 { tasks.addTask { await failure { try await transport.send(.get(server)) } } }
            for await error in tasks {
                #expect(error?.code == .resourceUnavailable)
                #expect(error?.requestMayHaveBeenSent == false)
            }
        }
        let error = await failure { try await transport.prewarm(for: .get(server)) }
        #expect(error?.code == .resourceUnavailable)
        #expect(transport.statistics.open == 0)
    }

    @Test("A connection to one host carries no requests for another, even with the same address")
    func otherHosts() async throws {
        let server = try await Self.h2c()
        let transport = Self.transport {
            $0.resolver = DialTests.Names(four: .addresses(["127.0.0.1"]), six: .addresses([]))
        }
        for host in ["a.test", "b.test"] {
            let response = try await transport.send(
                Self.get("\(host):\(server.port)") {
                    $0.httpVersion = .http2PriorKnowledge
                    $0.timeouts.connect = .seconds(3600)
                })
            #expect(response.head.status == 200)
        }
        #expect(server.accepted == 2)
    }

    @Test("A transport with extreme limits works", arguments: [Int.min, -1, 0, 1, .max])
    func extremes(limit: Int) async throws {
        let (server, h2c) = (try await RawServer.answering(Self.ok), try await Self.h2c())
        let transport = Self.transport {
            $0.maximumConnections = limit
            $0.maximumConnectionsPerHost = limit
            $0.maximumHTTP2ConnectionsPerHost = limit
            $0.maximumConcurrentStreams = limit
            $0.maximumWaitingPerHost = limit
            $0.idleTimeout = .seconds(limit)
        }
        #expect(try await transport.send(.get(server)).head.status == 200)
        try await transport.prewarm(for: .get(server), connections: 2)
        let shared = Self.get(h2c.authority) { $0.httpVersion = .http2PriorKnowledge }
        #expect(try await transport.send(shared).head.status == 200)
    }
}
