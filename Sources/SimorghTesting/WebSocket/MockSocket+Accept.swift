// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket
import SimorghCore
import SimorghRealtime

extension MockSocket {
    /// Accepts a WebSocket if the request asks for one, and adds its handlers at the end of the pipeline.
    ///
    /// The caller then removes the HTTP handlers.
    ///
    /// - Parameters:
    ///   - script: The server's behavior.
    ///   - request: The request.
    ///   - limit: The largest message to receive, in bytes.
    ///   - context: The context of the handler that has read the request.
    ///   - onEnd: Called on the event loop when the connection has ended.
    /// - Returns: The server's end; `nil` if the request does not ask for a WebSocket.
    /// - Throws: The error of the pipeline.
    static func accept(
        _ script: WebSocketScript, request: RecordedRequest, upTo limit: Int, context: ChannelHandlerContext,
        onEnd: @escaping () -> Void
    ) throws -> MockSocket? {
        guard let key = request.header(.secWebSocketKey), request.header(.upgrade)?.lowercased() == "websocket" else {
            return nil
        }
        let offered = (request.header(.secWebSocketProtocol) ?? "").split(separator: ",")
            .map { String($0.trimmingBlanks) }
        let subprotocol = script.subprotocol(offered)
        var answer = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        answer += "Sec-WebSocket-Accept: \(WebSocketHandshake.answer(to: key))\r\n"
        if let subprotocol { answer += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        context.writeAndFlush(NIOAny(ByteBuffer(string: answer + "\r\n")), promise: nil)
        let socket = MockSocket(request, subprotocol: subprotocol, channel: context.channel)
        let limit = min(max(0, limit), Int(UInt32.max))
        try context.pipeline.syncOperations.addHandlers([
            RawBytesHandler(),
            WebSocketFrameEncoder(),
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limit)),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: .max, maxAccumulatedFrameSize: limit),
            MockSocketHandler(socket, onEnd: onEnd),
        ])
        return socket
    }
}
