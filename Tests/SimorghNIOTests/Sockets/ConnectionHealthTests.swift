// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("ConnectionHealth", .timeLimit(.minutes(5)))
struct ConnectionHealthTests {
    @Test("A closed or reset connection is detected before the event loop reads the close", arguments: [true, false])
    func gone(byReset: Bool) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await RawServer { _ in byReset ? [.reset] : [.close] }
        let channel = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: server.port).get()
        try await eventually { server.open == 1 }
        let before = try await channel.eventLoop.submit { ConnectionHealth.isOver(channel) }.get()
        #expect(!before)
        // The blocked event loop does not see the close, and is asked before it can.
        let held = DispatchSemaphore(value: 0)
        let isHeld = Mutex(false)
        try await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\n")).get()
        let after = channel.eventLoop.submit {
            channel.writeAndFlush(ByteBuffer(string: "\r\n"), promise: nil)
            isHeld.withLock { $0 = true }
            held.wait()
            return ConnectionHealth.isOver(channel)
        }
        try await eventually { isHeld.withLock { $0 } && server.accepted == 1 && server.open == 0 }
        try await eventually { try Sockets.established(toPort: server.port) == 0 }
        held.signal()
        #expect(try await after.get())
        try? await channel.close()
        try await group.shutdownGracefully()
    }

    @Test("A channel without TCP state (Unix socket, EmbeddedChannel) is trusted")
    func silent() async throws {
        let path = "/tmp/simorgh-\(UInt32.random(in: 0...UInt32.max)).sock"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(unixDomainSocketPath: path).get()
        let channel = try await ClientBootstrap(group: group).connect(unixDomainSocketPath: path).get()
        let isOver = try await channel.eventLoop.submit { ConnectionHealth.isOver(channel) }.get()
        #expect(!isOver)
        try await channel.close()
        try await server.close()
        #expect(!ConnectionHealth.isOver(EmbeddedChannel()))
    }
}
