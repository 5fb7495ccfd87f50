// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The idle open connections.
final class Connections: Sendable {
    private let free = Mutex<[any Channel]>([])

    init(to target: Target, count: Int) async throws {
        for _ in 0..<count {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(ExchangeHandler(target: target))
                    }
                }
                .connect(host: target.host, port: target.port).get()
            release(channel)
        }
    }

    /// Takes a connection; there are as many as requests in flight.
    func take() -> any Channel {
        guard let channel = free.withLock({ $0.popLast() }) else { preconditionFailure("no connection is idle") }
        return channel
    }

    func release(_ channel: any Channel) {
        free.withLock { $0.append(channel) }
    }
}
