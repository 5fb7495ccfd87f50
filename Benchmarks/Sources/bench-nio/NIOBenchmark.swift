// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Harness
import NIOCore
import NIOHTTP1
import NIOPosix

/// SwiftNIO's own codec and one handler, a fixed connection for each request in flight.
///
/// No pool, no timeout, no URL: where a client that is built on NIO begins, not something to use instead of one.
@main
struct NIOBenchmark {
    static func main() async throws {
        let harness = Harness()
        let target = try Target(harness.url)
        let connections = Connections()
        for _ in 0..<harness.inFlight {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(ExchangeHandler(target: target))
                    }
                }
                .connect(host: target.host, port: target.port).get()
            connections.giveBack(channel)
        }
        try await harness.run("nio") {
            let channel = connections.take()
            let promise = channel.eventLoop.makePromise(of: ByteBuffer.self)
            channel.writeAndFlush(promise, promise: nil)
            let body = try await promise.futureResult.get()
            connections.giveBack(channel)
            return body.readableBytes
        }
    }
}
