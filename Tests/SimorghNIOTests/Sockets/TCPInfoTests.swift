// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghRealtime

#if os(Linux)
import Foundation
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Detection of dead servers on connections that are not read, by the kernels' TCP state.
@Suite("WebSocket: TCP state of a connection that is not read", .timeLimit(.minutes(5)))
struct TCPInfoTests {
    @Test("A stopped server is detected while the receive buffer is full, and the buffered messages stay readable")
    func frozen() async throws {
        // The server keeps receiving PINGs, as the kernel of a stopped process does, and answers none.
        let message = WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 500))
        let peer = try await WebSocketPeer(behind: message + message + message)
        let webSocket = try await peer.open {
            $0.receiveBufferSize = 100
            $0.pingInterval = .milliseconds(20)
            $0.pongTimeout = .milliseconds(20)
        }
        try await eventually { webSocket.closure != nil }
        #expect(webSocket.closure?.failure?.code == .pongTimedOut)
        #expect(webSocket.closure?.initiator == .local)
        try await eventually { peer.hasEnded }
        #expect(try await webSocket.receive()?.byteCount == 500)
    }

    @Test("A server that answers PING is pinged repeatedly while its answers are not read")
    func alive() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open {
            $0.receiveBufferSize = 100
            $0.pingInterval = .milliseconds(20)
            $0.pongTimeout = .seconds(3600)
        }
        for _ in 0..<3 { peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 5000))) }
        for _ in 0..<5 {
            let ping = try #require(await peer.next())
            #expect(ping.opcode == 9)
            peer.send(WebSocketPeer.frame(10, ping.payload))
        }
        for _ in 0..<3 { #expect(try await webSocket.receive()?.byteCount == 5000) }
        #expect(webSocket.closure == nil)
    }

    /// Returns the two ends of a connection over the loopback of a network namespace.
    private static func connect(in space: NetworkNamespace) throws -> (client: CInt, server: CInt) {
        try space.run {
            let stream = CInt(SOCK_STREAM.rawValue)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            func with(_ body: (UnsafeMutablePointer<sockaddr>) -> CInt) throws {
                let result = withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
                }
                guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            }
            let listener = socket(AF_INET, stream, 0)
            let client = socket(AF_INET, stream, 0)
            try with { bind(listener, $0, size) }
            try with { getsockname(listener, $0, &size) }
            listen(listener, 1)
            try with { Glibc.connect(client, $0, size) }
            let server = accept(listener, nil, nil)
            close(listener)
            _ = fcntl(server, F_SETFL, O_NONBLOCK)
            return (client, server)
        }
    }

    @Test("A full connection stays open while the peer's kernel acknowledges PINGs, and fails when the network is down")
    func network() async throws {
        guard let space = try await NetworkNamespace.make() else { return }
        let (client, server) = try Self.connect(in: space)
        defer { close(server) }
        // More than the kernels buffer; the last accepted byte is inside a message.
        let message = WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 10_000))
        let many = Array(repeatElement(message, count: 1000).joined())
        var sent = 0
        while sent < many.count {
            let count = many[sent...].withUnsafeBytes { write(server, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            sent += count
        }
        try #require(sent < many.count)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .withConnectedSocket(client).get()
        var options = WebSocketChannelOptions()
        options.receiveBufferSize = 100
        options.pingInterval = .milliseconds(50)
        // Longer than a kernel delays an acknowledgement, and than a busy machine delays this test.
        options.pongTimeout = .seconds(10)
        let webSocket = try await channel.eventLoop.submit { [options] in
            try NIOTransport.webSocket(over: channel, options)
        }.get()
        try await channel.setOption(.autoRead, value: true).get()
        // Three PINGs, each of 6 bytes plus a payload of 8.
        var heard = 0
        while heard < 3 * 14, webSocket.closure == nil {
            var byte: UInt8 = 0
            if read(server, &byte, 1) == 1 { heard += 1 } else { await Task.yield() }
        }
        #expect(webSocket.closure == nil)
        try await space.ip("link set lo down")
        try await eventually { webSocket.closure != nil }
        #expect(webSocket.closure?.failure?.code == .pongTimedOut)
        #expect(try await webSocket.receive()?.byteCount == 10_000)
    }
}
#endif
