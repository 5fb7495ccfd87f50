// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOSSL
public import SimorghCore
import Synchronization

/// A real server in this process that says what it is told to, as well or as badly as it is told to.
///
/// ```swift
/// try await MockServer.with { server in
///     server.on(.get, "/users/{id}", .json(#"{"id": 7}"#).delayed(by: .milliseconds(20)))
///     server.enqueue(.status(.serviceUnavailable), .text("at last").fault(.reset, at: .responseBody))
///     let client = APIClient(configuration: server.clientConfiguration)
///     // … the client calls …
///     let request = try await server.takeRequest()
/// }
/// ```
/// It listens on 127.0.0.1 only and speaks HTTP/1.1 and HTTP/2, with TLS where its configuration says so, WebSockets and
/// streams of events. A request is answered by the first rule that is for it, else by the queue; one that nothing is for
/// gets a 500 that says what was nearest, and makes ``with(_:_:)`` fail. An independent implementation of HTTP/2
/// (swift-nio-http2) speaks it, so that nobody's mistakes are hidden by the same mistakes on the other side.
public final class MockServer: Sendable {
    /// How this server was started.
    public let configuration: Configuration
    /// The port it listens on.
    public let port: Int
    package let hub: MockHub
    private let listener: Mutex<(any Channel)?>
    private let threads: ServerThreads

    /// Where it is reached: `http://127.0.0.1:PORT` or `https://localhost:PORT`, without a slash at the end.
    public var url: String { configuration.tls == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)" }

    /// Where its WebSockets are reached: `ws://127.0.0.1:PORT` or `wss://localhost:PORT`, without a slash at the end.
    public var webSocketURL: String { configuration.tls == nil ? "ws://127.0.0.1:\(port)" : "wss://localhost:\(port)" }

    /// A configuration for a client of this server: its base URL, trust in its certificate, and the version it speaks.
    public var clientConfiguration: APIClient.Configuration {
        var client = APIClient.Configuration()
        client.baseURL = url
        client.networkMonitor = nil
        if let tls = configuration.tls { client.tls.additionalRoots = [tls.certificate.authorityPEM] }
        if configuration.protocols == [.http1] { client.httpVersion = .http1Only }
        if configuration.protocols == [.http2] { client.httpVersion = .http2PriorKnowledge }
        return client
    }

    /// Starts a server.
    ///
    /// - Parameter configuration: How it behaves; a free port, both versions of HTTP and no TLS by default.
    /// - Returns: The server, which accepts connections already.
    /// - Throws: What the system says when the port cannot be had.
    public static func start(_ configuration: Configuration = Configuration()) async throws -> MockServer {
        let tls = try configuration.tls.map { try $0.context(configuration.protocols) }
        let threads = ServerThreads(count: configuration.threads)
        let hub = MockHub(configuration)
        do {
            let listener = try await threads.listen(on: configuration.port) { channel in
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(HardResetHandler())
                if let fault = hub.nextConnectionFault() {
                    return try pipeline.addHandler(MockConnectionFault(fault, hub.log))
                }
                if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                try pipeline.addHandler(MockPreface(hub, threads, isSecure: tls != nil))
            }
            return MockServer(configuration, listener, hub, threads)
        } catch {
            await threads.shutdown()
            throw error
        }
    }

    /// Starts a server, hands it to a function, and shuts it down when that is done.
    ///
    /// - Parameters:
    ///   - configuration: How the server behaves; a free port, both versions of HTTP and no TLS by default.
    ///   - body: What to do with it.
    /// - Returns: What the function returns.
    /// - Throws: What ``start(_:)`` or the function throws; ``UnmetExpectations`` where a request came that nothing was
    ///   prepared for.
    public static func with<Value>(
        _ configuration: Configuration = Configuration(), _ body: (MockServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(configuration)
        let value: Value
        do {
            value = try await body(server)
        } catch {
            await server.shutdown()
            throw error
        }
        await server.shutdown()
        let strangers = server.unmatchedRequests
        guard strangers.isEmpty else {
            throw UnmetExpectations(unmatched: strangers.map(\.shown), unused: [])
        }
        return value
    }

    private init(
        _ configuration: Configuration, _ listener: any Channel, _ hub: MockHub, _ threads: ServerThreads
    ) {
        self.configuration = configuration
        self.port = listener.localAddress?.port ?? 0
        self.hub = hub
        self.threads = threads
        self.listener = Mutex(listener)
    }

    deinit {
        guard let listener = listener.withLock({ $0.take() }) else { return }
        listener.close(promise: nil)
        hub.log.closeAll()
        threads.end()
    }

    /// Closes the port and every connection, and waits until they are closed; a second time does nothing.
    public func shutdown() async {
        guard let listener = listener.withLock({ $0.take() }) else { return }
        try? await listener.close()
        hub.log.closeAll()
        await threads.shutdown()
    }
}
