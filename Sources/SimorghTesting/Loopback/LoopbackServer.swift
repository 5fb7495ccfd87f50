// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
public import SimorghSupport
import Synchronization

/// An HTTP/1.1 server on this machine, for clients to be tried against, with TLS, WebSockets and faults on demand.
///
/// ```swift
/// try await LoopbackServer.with { server in
///     server.on(.get, "/users/{id}") { request in .json(["id": request.parameters["id"]]) }
///     let url = server.url + "/users/7"
/// }
/// ```
/// It listens on 127.0.0.1 only. The routes it has by itself are those of httpbin that a client needs (`/get`, `/post`,
/// `/status/{n}`, `/delay/{s}`, `/bytes/{n}`, `/stream/{n}`, `/gzip`, `/upload` and so on), and `/fault/…` for answers
/// that go wrong; `/ws/…` speaks WebSocket, `/sse` sends server-sent events, `/graphql` answers queries and subscriptions;
/// `/` lists them all. A server that is let go closes its ports, better is ``shutdown()``, which waits.
public final class LoopbackServer: Sendable {
    private struct Listeners {
        var plain: any Channel
        var secure: (any Channel)?
    }

    /// How this server was started.
    public let configuration: Configuration
    /// The port it listens on.
    public let port: Int
    /// The port it speaks TLS on; `nil` without TLS.
    public let securePort: Int?
    /// The authority that signed the server's certificate, in PEM, for a client to trust; `nil` without TLS.
    public let certificatePEM: String?

    private let listeners: Mutex<Listeners?>
    private let threads: ServerThreads
    private let router: SharedRouter
    package let log: ServerLog

    /// Where it is reached in the clear: `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Where it is reached over TLS: `https://localhost:PORT`, without a slash at the end; `nil` without TLS.
    public var httpsURL: String? { securePort.map { "https://localhost:\($0)" } }

    /// Starts a server.
    ///
    /// - Parameter configuration: How it behaves; a free port and no TLS by default.
    /// - Returns: The server, which accepts connections already.
    /// - Throws: What the system says when a port cannot be had, or a certificate not be made.
    public static func start(_ configuration: Configuration = Configuration()) async throws -> LoopbackServer {
        let identity = try configuration.tls.map(ServerIdentity.init)
        let threads = ServerThreads(count: configuration.threads)
        do {
            let log = ServerLog(capacity: configuration.maximumLoggedRequests)
            let router = SharedRouter(.standard)
            let plain = try await listen(configuration.port, configuration, router, log, threads, tls: nil)
            do {
                let secure: (any Channel)? =
                    if let identity {
                        try await listen(
                            configuration.securePort, configuration, router, log, threads, tls: identity.context)
                    } else { nil }
                return LoopbackServer(
                    configuration, identity, Listeners(plain: plain, secure: secure), threads, router, log)
            } catch {
                try? await plain.close()
                throw error
            }
        } catch {
            await threads.shutdown()
            throw error
        }
    }

    /// Starts a server, hands it to a function, and shuts it down when that is done.
    ///
    /// - Parameters:
    ///   - configuration: How the server behaves; a free port and no TLS by default.
    ///   - body: What to do with it.
    /// - Returns: What the function returns.
    /// - Throws: What ``start(_:)`` or the function throws.
    public static func with<Value>(
        _ configuration: Configuration = Configuration(),
        _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(configuration)
        do {
            let value = try await body(server)
            await server.shutdown()
            return value
        } catch {
            await server.shutdown()
            throw error
        }
    }

    private init(
        _ configuration: Configuration, _ identity: ServerIdentity?, _ listeners: Listeners,
        _ threads: ServerThreads, _ router: SharedRouter, _ log: ServerLog
    ) {
        self.configuration = configuration
        self.port = listeners.plain.localAddress?.port ?? 0
        self.securePort = listeners.secure?.localAddress?.port
        self.certificatePEM = identity?.authorityPEM
        self.listeners = Mutex(listeners)
        self.threads = threads
        self.router = router
        self.log = log
    }

    deinit {
        guard let listeners = listeners.withLock({ $0.take() }) else { return }
        listeners.plain.close(promise: nil)
        listeners.secure?.close(promise: nil)
        log.closeAll()
        threads.end()
    }

    /// Closes the ports and every connection, and waits until they are closed; a second time does nothing.
    public func shutdown() async {
        guard let listeners = listeners.withLock({ $0.take() }) else { return }
        try? await listeners.plain.close()
        try? await listeners.secure?.close()
        log.closeAll()
        await threads.shutdown()
    }

    /// Answers requests of one method and path, before any route the server has by itself.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once; what it throws becomes a 500.
    public func on(
        _ method: HTTPRequest.Method?, _ path: String,
        _ handler: @escaping @Sendable (_ request: RecordedRequest) async throws -> StubResponse
    ) {
        router.insert(Route(method: method, pattern: PathPattern(path), handler))
    }

    /// Answers requests of one path, whatever their method, before any route the server has by itself.
    ///
    /// - Parameters:
    ///   - path: The path without a query. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once; what it throws becomes a 500.
    public func on(
        _ path: String, _ handler: @escaping @Sendable (_ request: RecordedRequest) async throws -> StubResponse
    ) {
        on(nil, path, handler)
    }

    /// The bytes that `/bytes/{count}?seed=` answers with.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - seed: What they are made from; 0 by default, there as here.
    /// - Returns: The bytes, the same on every machine.
    public static func bytes(_ count: Int, seed: UInt64 = 0) -> Data {
        var bytes = Data()
        let source = SeededBytes(seed: seed, count: count)
        while bytes.count < count { bytes.append(contentsOf: source.chunk(at: bytes.count, upTo: count)) }
        return bytes
    }

    private static func listen(
        _ port: Int, _ configuration: Configuration, _ router: SharedRouter, _ log: ServerLog,
        _ threads: ServerThreads, tls: NIOSSLContext?
    ) async throws -> any Channel {
        try await threads.listen(on: port) { channel in
            let pipeline = channel.pipeline.syncOperations
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            // What a client sends behind the request for an upgrade, before it is agreed to, is lost: it may send nothing.
            let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
            try pipeline.addHandler(decoder)
            try pipeline.addHandler(
                LoopbackConnection(
                    router: router, log: log, threads: threads, limits: configuration.limits, isSecure: tls != nil,
                    decoder: decoder))
        } with: { bootstrap in
            bootstrap.childChannelOption(.maxMessagesPerRead, value: 4)
        }
    }
}
