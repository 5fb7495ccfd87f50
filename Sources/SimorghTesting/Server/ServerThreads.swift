// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Synchronization

/// The threads of a server.
///
/// They end after the server was shut down and no task will call back to an event loop.
///
/// A route's handler may run longer than its server lives; its result must still find its event loop.
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
    ///   - port: The port; 0 chooses a free one.
    ///   - accept: Sets up each new connection; if it throws, the connection is closed.
    ///   - change: Sets more options of the bootstrap.
    /// - Returns: The listening channel.
    /// - Throws: The system's error if the port is not available.
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

    /// Notes that a task has begun that will call back to an event loop.
    func began() { state.withLock { $0.running += 1 } }

    /// Notes that such a task has ended.
    func ended() {
        let isLast = state.withLock { state in
            state.running -= 1
            return state.isEnding && state.running == 0
        }
        if isLast { group.shutdownGracefully { _ in } }
    }

    /// Ends the threads, now or with the last task.
    func end() { if closes() { group.shutdownGracefully { _ in } } }

    /// Ends the threads and waits for that.
    ///
    /// If tasks are still running, the last one ends the threads, without a wait here.
    func shutdown() async { if closes() { try? await group.shutdownGracefully() } }

    private func closes() -> Bool {
        state.withLock { state in
            guard !state.isEnding else { return false }
            state.isEnding = true
            return state.running == 0
        }
    }
}
