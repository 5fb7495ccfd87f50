// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOPosix
import SimorghCore
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("Dialing", .timeLimit(.minutes(10)))
struct DialTests {
    /// A resolver with one host, each of whose families may answer, fail, or never answer.
    final class Names: HostResolver {
        enum Answer: Sendable {
            case addresses([String])
            case failure
            case never
        }

        private struct Unknown: Error {}

        let four: Answer
        let six: Answer
        let asked = Mutex<[String]>([])
        let cancelled = Mutex(0)

        init(four: Answer, six: Answer) {
            self.four = four
            self.six = six
        }

        func addresses(of host: String, family: AddressFamily) async throws -> [String] {
            asked.withLock { $0.append(host) }
            switch family == .ipv4 ? four : six {
            case .addresses(let addresses): return addresses
            case .failure: throw Unknown()
            case .never:
                let (stream, _) = AsyncStream<Void>.makeStream()
                for await _ in stream {}
                cancelled.withLock { $0 += 1 }
                throw CancellationError()
            }
        }
    }

    private static func ok() async throws -> RawServer {
        try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }

    private static func transport(_ names: Names) -> NIOTransport {
        var configuration = NIOTransport.Configuration()
        configuration.resolver = names
        return NIOTransport(configuration: configuration)
    }

    private static func get(_ authority: String, _ change: (inout TransportOptions) -> Void = { _ in })
        -> TransportRequest
    {
        var options = TransportOptions()
        // A busy machine may be slow.
        options.timeouts.connect = .seconds(60)
        change(&options)
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/"), options: options)
    }

    @Test("A custom resolver is called for names, and not for IP addresses")
    func resolver() async throws {
        let server = try await Self.ok()
        let names = Names(four: .addresses(["127.0.0.1"]), six: .addresses([]))
        let transport = Self.transport(names)
        let response = try await transport.send(Self.get("known.example:\(server.port)"))
        #expect(response.timings.dns != nil)
        #expect(names.asked.withLock { Set($0) } == ["known.example"])
        let second = try await Self.transport(names).send(Self.get(server.authority))
        #expect(second.timings.dns == nil)
        #expect(names.asked.withLock { $0.count } == 2)
    }

    @Test("If one address family fails or never answers, the other is used, and the pending lookup is cancelled")
    func families() async throws {
        let server = try await Self.ok()
        for six in [Names.Answer.failure, .never, .addresses(["100::1"]), .addresses(["not an address"])] {
            let names = Names(four: .addresses(["127.0.0.1"]), six: six)
            let response = try await Self.transport(names).send(Self.get("known.example:\(server.port)"))
            #expect(response.connection?.remoteAddress == server.authority)
            if case .never = six { try await eventually { names.cancelled.withLock { $0 } == 1 } }
        }
    }

    @Test("A dial fails only after all addresses were tried")
    func addresses() async throws {
        let server = try await Self.ok()
        try await UnreachablePort.with { unreachable in
            let names = Names(four: .addresses(["127.0.0.2", "127.0.0.1"]), six: .addresses([]))
            let response = try await Self.transport(names).send(Self.get("known.example:\(server.port)"))
            #expect(response.head.status == .ok)
            let error = await failure {
                try await Self.transport(names).send(Self.get("known.example:\(unreachable.port)"))
            }
            #expect(error?.code == .cannotConnectToHost)
        }
    }

    @Test("An unknown name is cannotFindHost, and a lookup that never returns is bounded by the connect timeout")
    func unknown() async throws {
        let unresolvable = Names(four: .failure, six: .failure)
        let error = await failure { try await Self.transport(unresolvable).send(Self.get("known.example")) }
        #expect(error?.code == .cannotFindHost)
        let silent = Names(four: .never, six: .never)
        let late = await failure {
            try await Self.transport(silent).send(
                Self.get("known.example") { $0.timeouts.connect = .milliseconds(200) })
        }
        #expect(late?.code == .timedOut)
        #expect(late?.phase == .connect)
        try await eventually { silent.cancelled.withLock { $0 } == 2 }
    }

    @Test(
        "Shutting the event loops down during a lookup that never returns ends the dial",
        arguments: ["", "http://proxy.example:3128", "socks5://127.0.0.1:1080", "socks5h://proxy.example:1080"])
    func shutDown(proxy: String) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let names = Names(four: .never, six: .never)
        var configuration = NIOTransport.Configuration()
        configuration.resolver = names
        configuration.eventLoopGroup = group
        let transport = NIOTransport(configuration: configuration)
        let request = Self.get("known.example") {
            $0.timeouts.connect = .seconds(3600)
            if !proxy.isEmpty { $0.route.proxy = .url(proxy) }
        }
        let task = Task { await failure { try await transport.send(request) } }
        try await eventually { names.asked.withLock { $0.count } == 2 }
        try await group.shutdownGracefully()
        let error = await task.value
        #expect(error?.code == .resourceUnavailable, "\(String(describing: error))")
        #expect(error?.requestMayHaveBeenSent == false)
        // The lookups end later, and their results are ignored.
        try await eventually { names.cancelled.withLock { $0 } == 2 }
        #expect(transport.statistics.open == 0)
    }

    @Test("Event loops that are not SwiftNIO's own threads are rejected by name, and end no process")
    func foreignLoops() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.eventLoopGroup = NIOAsyncTestingEventLoop()
        let transport = NIOTransport(configuration: configuration)
        let error = await failure { try await transport.send(Self.get("127.0.0.1:9")) }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.message.contains("MultiThreadedEventLoopGroup") == true)
        #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test(
        "Shutting the event loops down fails each of 1,100 requests that wait for a connection",
        arguments: ["known.example", "127.0.0.1"])
    func shutDownCrowd(host: String) async throws {
        let server = try await RawServer { _ in [] }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = NIOTransport.Configuration()
        configuration.resolver = Names(four: .addresses(["127.0.0.1"]), six: .addresses([]))
        configuration.eventLoopGroup = group
        configuration.maximumConnectionsPerHost = 1
        let transport = NIOTransport(configuration: configuration)
        let request = Self.get("\(host):\(server.port)") {
            $0.timeouts.queue = .seconds(3600)
            $0.timeouts.connect = .seconds(3600)
        }
        // SwiftNIO ends the process if an event loop is not empty after 1,000 rounds.
        let crowd = 1_100
        let tasks = (0..<crowd).map { _ in Task { await failure { try await transport.send(request) } } }
        try await eventually { transport.statistics.leased == 1 && transport.statistics.waiting == crowd - 1 }
        try await group.shutdownGracefully()
        var codes: [TransportError.Code] = []
        for task in tasks {
            if let error = await task.value { codes.append(error.code) }
        }
        #expect(codes.count == crowd)
        // Except for the one that had a connection.
        #expect(codes.filter { $0 == .resourceUnavailable }.count >= crowd - 1)
        #expect(transport.statistics.waiting == 0)
        #expect(transport.statistics.open == 0)
    }

    @Test("An address override replaces the lookup, and Host keeps the name")
    func override() async throws {
        let server = try await RawServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
        }
        let request = Self.get("nobody.invalid:\(server.port)") {
            $0.route.addresses = ["nobody.invalid:\(server.port)": ["127.0.0.1"]]
        }
        let response = try await NIOTransport().send(request)
        #expect(response.connection?.remoteAddress == server.authority)
    }

    @Test("A connection uses the local address, and an invalid one is an error")
    func localAddress() async throws {
        let server = try await Self.ok()
        let response = try await NIOTransport().send(
            Self.get("localhost:\(server.port)") { $0.route.localAddress = "127.0.0.3" })
        #expect(response.connection?.localAddress?.hasPrefix("127.0.0.3:") == true)
        let error = await failure {
            try await NIOTransport().send(Self.get(server.authority) { $0.route.localAddress = "nothing" })
        }
        #expect(error?.underlying is InvalidRouteError)
    }

    @Test("A Unix socket is used for any host, and a wrong path is an error")
    func unixSocket() async throws {
        let path = "/tmp/simorgh-\(UInt32.random(in: 0...UInt32.max)).sock"
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Answering()) }
            }
            .bind(unixDomainSocketPath: path).get()
        let transport = NIOTransport()
        let request = Self.get("whatever.example") { $0.route.unixSocket = path }
        for turn in 0..<2 {
            let response = try await transport.send(request)
            #expect(response.body.collectedBytes == Data("ok".utf8))
            #expect(response.timings.isReusedConnection == (turn == 1))
        }
        try await server.close()
        try? FileManager.default.removeItem(atPath: path)
        let error = await failure {
            try await NIOTransport().send(Self.get("a.example") { $0.route.unixSocket = "/nowhere/a.sock" })
        }
        #expect(error?.phase == .connect)
    }

    /// A handler that answers any input.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
    }
}
