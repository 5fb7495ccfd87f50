// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Synchronization

/// A TCP relay on this machine that simulates a bad connection: slow, distant, lossy, or interrupted.
///
/// ```swift
/// var faults = FaultProxy.Configuration()
/// faults.downstream.delay = .milliseconds(80)
/// faults.downstream.cut = .init(after: 10_000, .reset)
/// try await FaultProxy.with(faults, to: server.port) { proxy in
///     let url = proxy.url + "/bytes/100000"
/// }
/// ```
/// It relays bytes regardless of the protocol, so TLS and HTTP/2 work, too. Delayed bytes are buffered in memory: for
/// each direction of a connection the path's capacity, its delay times its bandwidth, plus 256 KiB, and at most 64 MiB.
/// Beyond that, the sender has to wait. It listens on 127.0.0.1 only.
public final class FaultProxy: Sendable {
    private struct State {
        var listener: (any Channel)?
        var upstream: Faults
        var downstream: Faults
        var open: [ObjectIdentifier: any Channel] = [:]
        var accepted = 0
    }

    /// The state that connections use, separate so that they do not keep the proxy alive.
    private final class Shared: Sendable {
        let state: Mutex<State>

        init(_ configuration: Configuration) {
            state = Mutex(State(upstream: configuration.upstream, downstream: configuration.downstream))
        }

        /// Counts a connection; returns `nil` if there are too many.
        func accept(_ channel: any Channel, atMost limit: Int) -> (upstream: Faults, downstream: Faults)? {
            let faults: (Faults, Faults)? = state.withLock { state in
                guard state.open.count < limit else { return nil }
                state.open[ObjectIdentifier(channel)] = channel
                state.accepted += 1
                return (state.upstream, state.downstream)
            }
            channel.closeFuture.whenComplete { _ in
                self.state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
            }
            return faults
        }
    }

    /// The configuration that the proxy was started with.
    public let configuration: Configuration
    /// The port that the proxy listens on.
    public let port: Int

    private let shared: Shared
    private let threads: ServerThreads

    /// The base URL: `http://127.0.0.1:PORT`, without a trailing slash.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The number of connections accepted so far.
    public var acceptedConnections: Int { shared.state.withLock { $0.accepted } }

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - configuration: The faults and limits; no faults by default.
    ///   - port: The port of the server behind the proxy.
    ///   - host: The server's host; this machine by default.
    /// - Returns: The proxy, which already accepts connections.
    /// - Throws: The system's error if the port is not available.
    public static func start(
        _ configuration: Configuration = Configuration(), to port: Int, on host: String = "127.0.0.1"
    ) async throws -> FaultProxy {
        let threads = ServerThreads(count: configuration.threads)
        let shared = Shared(configuration)
        do {
            let listener = try await threads.listen(on: configuration.port) { channel in
                guard let faults = shared.accept(channel, atMost: configuration.maximumConnections) else {
                    return channel.close(promise: nil)
                }
                try relay(channel, upstream: faults.upstream, downstream: faults.downstream, host: host, port: port)
            } with: { bootstrap in
                bootstrap.childChannelOption(.autoRead, value: false)
                    .childChannelOption(.allowRemoteHalfClosure, value: true)
            }
            return FaultProxy(configuration: configuration, listener: listener, shared: shared, threads: threads)
        } catch {
            await threads.shutdown()
            throw error
        }
    }

    /// Starts a proxy, passes it to a function, and shuts it down afterwards.
    ///
    /// - Parameters:
    ///   - configuration: The faults and limits; no faults by default.
    ///   - port: The port of the server behind the proxy.
    ///   - host: The server's host; this machine by default.
    ///   - body: The function.
    /// - Returns: The function's result.
    /// - Throws: The error of ``start(_:to:on:)`` or of the function.
    public static func with<Value>(
        _ configuration: Configuration = Configuration(), to port: Int, on host: String = "127.0.0.1",
        body: (FaultProxy) async throws -> Value
    ) async throws -> Value {
        let proxy = try await start(configuration, to: port, on: host)
        do {
            let value = try await body(proxy)
            await proxy.shutdown()
            return value
        } catch {
            await proxy.shutdown()
            throw error
        }
    }

    private init(
        configuration: Configuration, listener: any Channel, shared: Shared, threads: ServerThreads
    ) {
        self.configuration = configuration
        self.port = listener.localAddress?.port ?? 0
        self.shared = shared
        self.threads = threads
        shared.state.withLock { $0.listener = listener }
    }

    deinit {
        if close() != nil { threads.end() }
    }

    /// Changes the faults of future connections.
    ///
    /// - Parameters:
    ///   - upstream: The faults of the direction from client to server.
    ///   - downstream: The faults of the direction from server to client.
    public func change(upstream: Faults = Faults(), downstream: Faults = Faults()) {
        shared.state.withLock { ($0.upstream, $0.downstream) = (upstream, downstream) }
    }

    /// Closes all connections.
    ///
    /// The proxy continues to accept new ones.
    public func closeConnections() {
        for channel in shared.state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    /// Closes the port and all connections, and waits until they are closed.
    ///
    /// A second call has no effect.
    public func shutdown() async {
        guard let listener = close() else { return }
        try? await listener.closeFuture.get()
        await threads.shutdown()
    }

    private func close() -> (any Channel)? {
        guard let listener = shared.state.withLock({ $0.listener.take() }) else { return nil }
        listener.close(promise: nil)
        closeConnections()
        return listener
    }

    /// Connects to the server once the client's connection is open, and relays then.
    private static func relay(
        _ channel: any Channel, upstream: Faults, downstream: Faults, host: String, port: Int
    ) throws {
        let (client, server) = (
            FaultRelay(upstream, on: channel.eventLoop), FaultRelay(downstream, on: channel.eventLoop)
        )
        client.whenOpened { connect(client, through: channel, with: server, host: host, port: port) }
        try channel.pipeline.syncOperations.addHandler(client)
    }

    private static func connect(
        _ client: FaultRelay, through channel: any Channel, with server: FaultRelay, host: String, port: Int
    ) {
        let ends = NIOLoopBound((client, server), eventLoop: channel.eventLoop)
        ClientBootstrap(group: channel.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ends.value.1)
                }
            }
            .connect(host: host, port: port)
            .whenComplete { result in
                let (client, server) = ends.value
                if case .success = result, channel.isActive {
                    FaultRelay.join(client, with: server)
                } else {
                    client.close()
                    server.close()
                }
            }
    }
}
