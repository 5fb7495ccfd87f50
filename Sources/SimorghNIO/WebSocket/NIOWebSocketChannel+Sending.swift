// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghRealtime
import SimorghSupport

/// Sends whole messages, and messages in fragments.
extension NIOWebSocketChannel {
    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        guard !Task.isCancelled else { throw .cancelled }
        if sendImmediately(message) { return }
        try await sender.send(message)
    }

    func sendImmediately(_ message: WebSocketMessage) -> Bool {
        let count = message.byteCount
        guard count <= OutboundFrameQueue.maximumInlineSize, count <= sender.frameSize, !sender.compresses(count) else {
            return false
        }
        let opcode = message.kind.opcode
        let handler = writer.handler
        // While a job of the executor runs on the event loop, no handler is in the middle of its work: one that has
        // resumed the job has only to return.
        let isHere = writer.loop.inEventLoop && executor?.isRunning == true
        if isHere, message.withBytes({ handler.value.answer(opcode, payload: $0) }) { return true }
        switch message.withBytes({ writer.outbox.sendImmediately(opcode, payload: $0) }) {
        case .refused: return false
        case .addedFirst where isHere && handler.value.mayAnswerAtOnce(): handler.value.flushAnswer()
        case let sending: writer.scheduleFlush(after: sending)
        }
        return true
    }

    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        try await sender.send(parts, as: kind) { drop() }
    }
}
