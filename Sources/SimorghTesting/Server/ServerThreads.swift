// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Synchronization

/// The threads of a server, which end when it is shut down and nobody has work left that comes back to them.
///
/// A route's handler may take longer than its server lives; what it brings back must still find its loop.
final class ServerThreads: Sendable {
    private struct State {
        var running = 0
        var isEnding = false
    }

    let group: MultiThreadedEventLoopGroup
    private let state = Mutex(State())

    init(count: Int) { group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, count)) }

    /// Listens on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: The port; 0 takes a free one.
    ///   - accept: Sets up each connection as it comes; one that this throws for is closed.
    ///   - change: Sets more of what connections are like.
    /// - Returns: The listener.
    /// - Throws: What the system says when the port cannot be had.
    func listen(
        on port: Int, accepting accept: @escaping @Sendable (any Channel) throws -> Void,
        with change: (ServerBootstrap) -> ServerBootstrap = { $0 }
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
        return try await change(bootstrap).bind(host: "127.0.0.1", port: port).get()
    }

    /// Work begins elsewhere that will come back to a loop.
    func began() { state.withLock { $0.running += 1 } }

    /// Work has come back.
    func ended() {
        let isLast = state.withLock { state in
            state.running -= 1
            return state.isEnding && state.running == 0
        }
        if isLast { group.shutdownGracefully { _ in } }
    }

    /// Ends the threads, now or with the last work that comes back.
    func end() { if closes() { group.shutdownGracefully { _ in } } }

    /// Ends the threads and waits for that, unless there is work that is still to come back: then the last ends them.
    func shutdown() async { if closes() { try? await group.shutdownGracefully() } }

    private func closes() -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.isEnding = true
            return state.running == 0
        }
    }
}
