// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOSSL
public import SimorghCore
import Synchronization

/// A real HTTP server in this process whose responses and faults are scripted.
///
/// ```swift
/// try await MockServer.with { server in
///     server.on(.get, path: "/users/{id}", response: .json(#"{"id": 7}"#).delayed(by: .milliseconds(20)))
///     server.enqueue(.status(.serviceUnavailable), .text("at last").fault(.reset, at: .responseBody))
///     let client = APIClient(configuration: server.clientConfiguration)
///     // … the client calls …
///     let request = try await server.takeRequest()
/// }
/// ```
/// It listens on 127.0.0.1 only and supports HTTP/1.1 and HTTP/2, TLS if it is configured, WebSockets and event
/// streams. The first matching rule responds to a request, otherwise the queue. A request without either gets a 500
/// response that names the nearest rule, and makes `with(_:_:)` throw. HTTP/2 uses an independent implementation
/// (swift-nio-http2), so that a bug of the client is not hidden by the same bug in the server.
public final class MockServer: Sendable {
    /// The configuration that the server was started with.
    public let configuration: Configuration
    /// The port that the server listens on.
    public let port: Int
    package let state: MockServerState
    private let listener: Mutex<(any Channel)?>
    private let threads: ServerThreads

    /// The base URL: `http://127.0.0.1:PORT` or `https://localhost:PORT`, without a trailing slash.
    public var url: String { configuration.tls == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)" }

    /// The base URL of WebSockets: `ws://127.0.0.1:PORT` or `wss://localhost:PORT`, without a trailing slash.
    public var webSocketURL: String { configuration.tls == nil ? "ws://127.0.0.1:\(port)" : "wss://localhost:\(port)" }

    /// A client configuration for this server: base URL, trusted certificate and HTTP version.
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
    /// - Parameter configuration: The configuration; a free port, both versions of HTTP and no TLS by default.
    /// - Returns: The server, which already accepts connections.
    /// - Throws: The system's error if the port is not available.
    public static func start(_ configuration: Configuration = Configuration()) async throws -> MockServer {
        let tls = try configuration.tls.map { try $0.context(configuration.protocols) }
        let threads = ServerThreads(count: configuration.threads)
        let state = MockServerState(configuration)
        do {
            let listener = try await threads.listen(on: configuration.port) { channel in
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(HardResetHandler())
                if let fault = state.nextConnectionFault() {
                    return try pipeline.addHandler(MockConnectionFault(fault, log: state.log))
                }
                if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                try pipeline.addHandler(ProtocolDetector(state: state, threads: threads, isSecure: tls != nil))
            }
            return MockServer(configuration: configuration, listener: listener, state: state, threads: threads)
        } catch {
            await threads.shutdown()
            throw error
        }
    }

    /// Starts a server, passes it to a function, and shuts it down afterwards.
    ///
    /// - Parameters:
    ///   - configuration: The configuration; a free port, both versions of HTTP and no TLS by default.
    ///   - body: The function.
    /// - Returns: The function's result.
    /// - Throws: The error of ``start(_:)`` or of the function; ``UnmetExpectationsError`` if a request had no rule or
    ///   queued response.
    public static func with<Value>(
        _ configuration: Configuration = Configuration(), body: (MockServer) async throws -> Value
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
        let unmatchedRecorder = server.unmatchedRequests
        guard unmatchedRecorder.isEmpty else {
            throw UnmetExpectationsError(unmatched: unmatchedRecorder.map(\.shown), unused: [])
        }
        return value
    }

    private init(
        configuration: Configuration, listener: any Channel, state: MockServerState, threads: ServerThreads
    ) {
        self.configuration = configuration
        self.port = listener.localAddress?.port ?? 0
        self.state = state
        self.threads = threads
        self.listener = Mutex(listener)
    }

    deinit {
        guard let listener = listener.withLock({ $0.take() }) else { return }
        listener.close(promise: nil)
        state.log.closeAll()
        threads.end()
    }

    /// Closes the port and all connections, and waits until they are closed.
    ///
    /// A second call has no effect.
    public func shutdown() async {
        guard let listener = listener.withLock({ $0.take() }) else { return }
        try? await listener.close()
        state.log.closeAll()
        await threads.shutdown()
    }
}

extension MockServer.TLS {
    /// Returns the TLS context of the server.
    func context(_ protocols: Set<MockServer.HTTPProtocol>) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.keyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        // HTTP/2 is preferred.
        configuration.applicationProtocols = [.http2, .http1].filter(protocols.contains).map(\.rawValue)
        if let clientAuthorityPEM {
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates(
                try NIOSSLCertificate.fromPEMBytes(Array(clientAuthorityPEM.utf8)))
        }
        return try NIOSSLContext(configuration: configuration)
    }
}
