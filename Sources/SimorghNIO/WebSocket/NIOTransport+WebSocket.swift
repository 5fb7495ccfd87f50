// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
public import SimorghCore
public import SimorghRealtime

extension NIOTransport: WebSocketTransport {
    /// Opens a WebSocket connection.
    ///
    /// It is dialed like any other connection: name resolution, proxies (always through a tunnel), TLS with its rules
    /// and pins, and the timeouts of each phase. `total` covers everything until the connection is open. The connection
    /// does not belong to the pool and is not counted by it.
    ///
    /// - Parameters:
    ///   - request: The request, a GET without a body. Its scheme is `ws`, `wss`, `http` or `https`.
    ///   - options: The options of the connection.
    /// - Returns: The open connection, or the response of a server that refused.
    /// - Throws: `TransportError`. Its cause is a `WebSocketHandshakeError` if the server's response violates the
    ///   handshake. A cancelled task throws one with the code `cancelled`, and the connection is closed.
    public func open(
        _ request: TransportRequest, options: WebSocketChannelOptions
    ) async throws(TransportError) -> WebSocketOpenResult {
        var request = request
        let handshake = try WebSocketHandshake(for: &request, options: options)
        let answer = try await upgrade(request, to: "websocket") { [pool] head, channel in
            try WebSocketChannelComponents(
                handshake.check(head.headerFields), options: options, on: channel,
                clock: pool.clock(of: channel.eventLoop), executor: pool.executor(of: channel.eventLoop))
        }
        return switch answer {
        case .upgraded(let parts, let response): .opened(NIOWebSocketChannel(parts, response: response))
        case .refused(let response): .refused(response)
        }
    }

    /// Creates a WebSocket over a connection whose handshake is complete.
    ///
    /// Must be called on its event loop.
    ///
    /// - Parameters:
    ///   - channel: The connection, from the first byte after the handshake on.
    ///   - options: The options of the connection.
    ///   - compression: The negotiated compression.
    ///   - executor: The executor of the connection's event loop, if the transport has one for it.
    /// - Returns: The open connection.
    /// - Throws: The channel's error.
    package static func webSocket(
        over channel: any Channel, _ options: WebSocketChannelOptions, compression: WebSocketCompression? = nil,
        executor: (any TaskExecutor)? = nil
    ) throws -> any WebSocketChannel {
        let executor = executor as? EventLoopTaskExecutor
        precondition(executor.map { $0.loop === channel.eventLoop } ?? true, "the executor belongs to another loop")
        let parts = try WebSocketChannelComponents(
            WebSocketHandshake.Agreement(subprotocol: nil, compression: compression), options: options, on: channel,
            clock: EventLoopTimerWheel(channel.eventLoop), executor: executor)
        return NIOWebSocketChannel(parts, response: TransportResponse(head: HTTPResponse(status: .switchingProtocols)))
    }
}
