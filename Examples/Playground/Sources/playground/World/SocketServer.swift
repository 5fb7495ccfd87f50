// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// The WebSocket server of the Playground: `/echo`, and `/trades`, which speaks the protocol of exchanges.
final class SocketServer: Sendable {
    private enum Upgrade: Sendable {
        case socket(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, path: String)
        case none
    }

    private let listener: NIOAsyncChannel<EventLoopFuture<Upgrade>, Never>
    private let open = Mutex<[ObjectIdentifier: any Channel]>([:])
    private let serving = Mutex<Task<Void, Never>?>(nil)

    private init(_ listener: NIOAsyncChannel<EventLoopFuture<Upgrade>, Never>) { self.listener = listener }

    var port: Int { listener.channel.localAddress?.port ?? 0 }

    static func start() async throws -> SocketServer {
        let listener: NIOAsyncChannel<EventLoopFuture<Upgrade>, Never> = try await ServerBootstrap(
            group: MultiThreadedEventLoopGroup.singleton
        )
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                let upgrader = NIOTypedWebSocketServerUpgrader<Upgrade>(
                    // Enough for the longest message of the page, in any script.
                    maxFrameSize: 64 * 1024,
                    shouldUpgrade: { channel, head in
                        let isKnown = head.uri.hasPrefix("/echo") || head.uri.hasPrefix("/trades")
                        // Browsers send `Origin`, and no page may open a WebSocket here.
                        let isProgram = !head.headers.contains(name: "Origin")
                        return channel.eventLoop.makeSucceededFuture(isKnown && isProgram ? HTTPHeaders() : nil)
                    },
                    upgradePipelineHandler: { channel, head in
                        channel.eventLoop.makeCompletedFuture {
                            let socket = try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(
                                wrappingChannelSynchronously: channel)
                            return .socket(socket, path: head.uri)
                        }
                    })
                let upgrade = NIOTypedHTTPServerUpgradeConfiguration(
                    upgraders: [upgrader],
                    notUpgradingCompletionHandler: { channel in
                        channel.close(promise: nil)
                        return channel.eventLoop.makeSucceededFuture(.none)
                    })
                return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                    configuration: .init(upgradeConfiguration: upgrade))
            }
        }
        let server = SocketServer(listener)
        let task = Task { await server.serve() }
        server.serving.withLock { $0 = task }
        return server
    }

    func stop() async {
        serving.withLock { $0 }?.cancel()
        drop()
        try? await listener.channel.close()
    }

    /// Closes every connection without a Close frame, like a lost network.
    func drop() {
        for channel in open.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }

    private func serve() async {
        try? await withThrowingDiscardingTaskGroup { group in
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask { await self.talk(connection) }
                }
            }
        }
    }

    private func talk(_ connection: EventLoopFuture<Upgrade>) async {
        guard case .socket(let socket, let path)? = try? await connection.get() else { return }
        let id = ObjectIdentifier(socket.channel)
        open.withLock { $0[id] = socket.channel }
        defer { open.withLock { $0[id] = nil } }
        do {
            try await socket.executeThenClose { inbound, outbound in
                if path.hasPrefix("/trades") {
                    try await TradeServer(outbound).run(inbound)
                } else {
                    try await Self.echo(inbound, outbound)
                }
            }
        } catch {
            // The client disconnected, which it may do at any time.
        }
    }

    private static func echo(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws {
        try await outbound.write(.text("{\"text\":\"welcome\"}"))
        for try await frame in inbound {
            switch frame.opcode {
            case .text, .binary:
                try await outbound.write(WebSocketFrame(fin: true, opcode: frame.opcode, data: frame.unmaskedData))
            case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
            case .connectionClose:
                return try await outbound.write(
                    WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData))
            default: break
            }
        }
    }
}

extension WebSocketFrame {
    /// Returns a text message in one frame.
    static func text(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    }
}
