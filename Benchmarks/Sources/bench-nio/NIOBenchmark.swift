// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Harness
import NIOCore

/// SwiftNIO's codec and one handler, with a fixed connection for each request in flight.
///
/// Without pool, timeouts and URLs: the lower bound for a client built on NIO, not a replacement of one.
@main
struct NIOBenchmark {
    static func main() {
        Harness.measure("nio") { harness in
            let connections = try await Connections(to: Target(harness.url), count: harness.inFlight)
            return {
                let channel = connections.take()
                let promise = channel.eventLoop.makePromise(of: ByteBuffer.self)
                channel.writeAndFlush(promise, promise: nil)
                let body = try await promise.futureResult.get()
                connections.release(channel)
                return body.readableBytes
            }
        }
    }
}
