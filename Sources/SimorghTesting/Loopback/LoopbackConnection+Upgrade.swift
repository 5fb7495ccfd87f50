// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

extension LoopbackConnection {
    /// Hands the connection over to a WebSocket, or refuses a request that asks for none.
    func upgrade(by script: WebSocketScript, _ request: RecordedRequest, _ context: ChannelHandlerContext) {
        guard !isClosing, exchange != nil else { return }
        let channel = context.channel
        let socket: MockSocket?
        do {
            socket = try MockSocket.accept(script, request, upTo: limits.keptBody, context) { [self] in
                handlerTask?.cancel()
                log.closed(channel)
            }
        } catch {
            return context.close(promise: nil)
        }
        guard let socket else {
            return answer(.error(426, "this path speaks WebSocket", [("Upgrade", "websocket")]), context)
        }
        log.served()
        exchange = nil
        isClosing = true
        threads.began()
        handlerTask = Task { [threads] in
            defer { threads.ended() }
            do {
                try await script.run(socket)
                await socket.close()
            } catch {
                socket.drop()
            }
        }
        let pipeline = context.pipeline.syncOperations
        pipeline.removeHandler(self, promise: nil)
        pipeline.removeHandler(decoder, promise: nil)
    }
}
