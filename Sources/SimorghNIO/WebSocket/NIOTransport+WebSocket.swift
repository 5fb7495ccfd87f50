// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import NIOCore
public import SimorghCore
public import SimorghRealtime

extension NIOTransport: WebSocketTransport {
    /// Opens a connection that speaks WebSocket, dialled as any other: names, proxies (always through a tunnel), TLS with
    /// its rules and pins, and the limits of time of each phase, `total` over all of it until the connection is open.
    ///
    /// It is none of the pool's, which does not count it.
    ///
    /// - Parameters:
    ///   - request: The request, a GET without a body; its scheme is `ws` or `wss`, or `http` or `https` for them.
    ///   - options: How the connection behaves.
    /// - Returns: The open connection, or the answer of a server that refused.
    /// - Throws: `TransportError`; one whose cause is a `WebSocketHandshakeFailure` for an answer that agrees in a way that
    ///   it may not. A cancelled task throws one with the code `cancelled`, and the connection is closed.
    public func open(
        _ request: TransportRequest, _ options: WebSocketLinkOptions
    ) async throws(TransportError) -> WebSocketOpening {
        var request = request
        let offered = options.subprotocols.isEmpty ? request.head.headerFields[.secWebSocketProtocol] : nil
        let subprotocols = offered.map(Self.elements) ?? options.subprotocols
        for name in subprotocols where name.isEmpty || !name.utf8.allSatisfy(HeaderRules.isTokenByte) {
            throw .invalid(.invalidHeader, "a subprotocol is a word of letters, digits and a few signs")
        }
        guard Set(subprotocols).count == subprotocols.count else {
            throw .invalid(.invalidHeader, "a subprotocol is offered twice")
        }
        let handshake = WebSocketHandshake(
            key: options.key ?? WebSocketHandshake.freshKey(), subprotocols: subprotocols,
            compression: options.compression)
        handshake.addFields(to: &request.head.headerFields)
        let answer = try await upgrade(request, to: "websocket") { [pool] head, channel in
            try WebSocketConnectionParts(
                handshake.check(head.headerFields), options, on: channel,
                clock: pool.clock(of: channel.eventLoop), executor: pool.executor(of: channel.eventLoop))
        }
        return switch answer {
        case .upgraded(let parts, let response): .opened(NIOWebSocketLink(parts, response))
        case .refused(let response): .refused(response)
        }
    }

    /// Speaks WebSocket over a connection whose handshake is done, on its event loop.
    ///
    /// - Parameters:
    ///   - channel: The connection, from the first byte behind the handshake on.
    ///   - options: How it behaves.
    ///   - compression: What was agreed.
    ///   - executor: What keeps tasks on the connection's event loop, of a transport that has that loop.
    /// - Returns: The open link.
    /// - Throws: What the channel throws.
    package static func webSocket(
        over channel: any Channel, _ options: WebSocketLinkOptions, compression: WebSocketCompression? = nil,
        executor: (any TaskExecutor)? = nil
    ) throws -> any WebSocketLink {
        let executor = executor as? LoopExecutor
        precondition(executor.map { $0.loop === channel.eventLoop } ?? true, "the executor is that of another loop")
        let parts = try WebSocketConnectionParts(
            WebSocketHandshake.Agreement(subprotocol: nil, compression: compression), options, on: channel,
            clock: LoopClock(channel.eventLoop), executor: executor)
        return NIOWebSocketLink(parts, TransportResponse(head: HTTPResponse(status: .switchingProtocols)))
    }

    private static func elements(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }.filter { !$0.isEmpty }
    }
}
